import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const run = (...args: string[]) =>
  spawnSync(process.execPath, ['test/run.mjs', ...args], { cwd: root, encoding: 'utf8' })

const { status, stdout, stderr } = run('--only', 'nothing')
/** What `npm test` consists of, as it says itself. */
const parts = /--only knows ([\w, ]+), not nothing/.exec(stderr)?.[1]?.split(', ')

describe('the parts of npm test', () => {
  it('are all run by CI, whose jobs share them', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    const workflow = read('.github/workflows/ci.yml')
    const [, jobs = ''] = /^ +part: \[(.*)\]$/m.exec(workflow) ?? []
    const shared = [...jobs.matchAll(/'([\w,]+)'/g)].flatMap(([, part]) => part!.split(','))
    expect([...new Set(shared)].sort()).toEqual(parts)
    expect(workflow).toMatch(/^ {6}- run: npm ci\n {6}- run: node test\/run\.mjs --only \$\{\{ matrix\.part \}\}$/m)
    expect(read('.ci/run')).toMatch(/^npm ci && npm test$/m)
  })

  it('that are unknown are a failure, which the last line counts', () => {
    expect([status, stdout.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed'])
  })
})
