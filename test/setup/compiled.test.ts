import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext } from 'node:vm'
import { scriptOf } from './compiled'

it('the script of the sources is the same for each test file, which runs it in its own context, until the next run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-script-'))
  const [first, second] = ['1.js', '2.js'].map(name => join(folder, name)) as [string, string]
  for (const path of [first, second]) writeFileSync(path, "(() => ['sources', kind])")
  const run = (kind: string) => (scriptOf(first).runInContext(createContext({ kind })) as () => string[])()
  const script = scriptOf(first)
  expect([run('one'), run('other')].map(String)).toEqual(['sources,one', 'sources,other'])
  expect(scriptOf(first)).toBe(script)
  expect(scriptOf(second)).not.toBe(script)
  rmSync(folder, { recursive: true })
})
