import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { isAuthError } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { tokenVerifier } from 'rxauth/server'
import { frameworkNames } from '../../src/cli/commands'
import { guides, readExamples, root } from './blocks'
import { blocksOf } from './pasted'

it('troubleshooting names the code of a token of another platform', async () => {
  const elsewhere = createPlatform({ seed: { users: [{ email: 'ada@example.com' }] } })
  const { accessToken } = (await elsewhere.tokensFor('ada@example.com')).read()!
  const error: unknown = await tokenVerifier(createPlatform().options)(accessToken).catch((reason: unknown) => reason)
  const row = /^\| `(\w+)` +\| The token is of another platform/m.exec(
    readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'),
  )
  expect(isAuthError(error) && error.code).toBe(row?.[1])
})

/** The programs that commands of a page run, each with the block that shows it. */
const programs = guides().flatMap(page => {
  const blocks = blocksOf(page)
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => [...code.matchAll(/\b(?:node|tsx watch) ([\w.-]+\.[cm]?[jt]s)\b/g)])
    .map(([, file = '']) => ({ page, file, block: blocks.find(block => block.file === file) }))
})

it.each(programs)('$page shows $file, which its command runs, in the language of that name', ({ file, block }) => {
  const { diagnostics } = ts.transpileModule(block?.code ?? '?', { reportDiagnostics: true, fileName: file })
  expect(diagnostics).toEqual([])
})

it('a page that says "continues" names a block above', () => {
  const begun = guides().flatMap(page => blocksOf(page).filter(({ code }) => code.startsWith('// continues ')))
  expect(begun.length).toBeGreaterThan(50)
  // `readExamples` throws for one that is not there.
  expect(guides().flatMap(page => readExamples(page)).length).toBeGreaterThan(100)
})

/** `rxauth dev` gives its address to the environment of the app that it starts; a build of Angular has no environment. */
const withEnvironment = frameworkNames.filter(name => name !== 'angular')

it.each(withEnvironment)('the app of the guide %s takes the address of its environment', name => {
  const files = blocksOf(`docs/guides/${name}.md`).filter(({ file }) => file !== undefined)
  expect(files.length).toBeGreaterThan(0)
  // A worker has no environment but its own: the file has it.
  const others = files.filter(({ file }) => file !== '.dev.vars')
  expect(others.filter(({ code }) => code.includes('localhost:8102'))).toEqual([])
})
