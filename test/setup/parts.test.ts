import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

const { status, stdout, stderr } = run('test/run.mjs', '--only', 'nothing')
/** What `npm test` consists of, as it says itself. */
const parts = /--only knows ([\w, ]+), not nothing/.exec(stderr)?.[1]?.split(', ')

describe('the parts of npm test', () => {
  it('are all run by CI, whose jobs share them', () => {
    const workflow = read('.github/workflows/ci.yml')
    const [, jobs = ''] = /^ +part:\s*\[([^\]]*)\]$/m.exec(workflow) ?? []
    const shared = [...jobs.matchAll(/'([\w,]+)'/g)].flatMap(([, part]) => part!.split(','))
    expect([...new Set(shared)].sort()).toEqual(parts)
    expect(workflow).toMatch(/^ {6}- run: npm ci\n {6}- run: node test\/run\.mjs --only \$\{\{ matrix\.part \}\}$/m)
    expect(read('.ci/run')).toMatch(/^npm ci && npm test$/m)
  })

  it('that are unknown are a failure, which the last line counts', () => {
    expect([status, stdout.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed'])
  })
})

describe('the long checks', () => {
  const { status, stderr } = run('test/nightly.mjs', 'nothing')
  const [, names = '', all = ''] = /"nothing" is none of ([\w, -]+); all is ([\w, -]+)$/m.exec(stderr) ?? []
  const [every, ofAll] = [names, all].map(text => text.split(', ').sort())

  it('are one by one those that a night runs, and mutants', () => {
    const [, jobs = ''] = /^ +script:\s*\[([^\]]*)\]$/m.exec(read('.github/workflows/nightly.yml')) ?? []
    expect(ofAll).toEqual(jobs.match(/[\w-]+/g)!.sort())
    expect([...ofAll!, 'mutants', 'walk'].sort()).toEqual(every)
    expect(status).toBe(1)
  })

  it('are in one table, with what a run on a change has instead', () => {
    const [, table = ''] = /^\| What +\| On a change.*\n\|[ |-]+\n((?:\|.*\n)+)/m.exec(read('CONTRIBUTING.md')) ?? []
    const listed = [...table.matchAll(/\| `([\w-]+)` +\|$/gm)].map(([, name]) => name)
    expect([...new Set(listed)].sort()).toEqual(every)
  })
})
