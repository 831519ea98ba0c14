import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const run = (...args: string[]) =>
  spawnSync(process.execPath, ['test/run.mjs', ...args], { cwd: root, encoding: 'utf8' })

/** What `npm test` consists of, as it says itself. */
const parts = /--only knows ([\w, ]+), not nothing/.exec(run('--only', 'nothing').stderr)?.[1]?.split(', ')

describe('the parts of npm test', () => {
  it('are all run by CI, whose jobs share them', () => {
    const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
    const [, jobs = ''] = /^ +part: \[(.*)\]$/m.exec(workflow) ?? []
    const shared = [...jobs.matchAll(/'([\w,]+)'/g)].flatMap(([, part]) => part!.split(','))
    expect([...new Set(shared)].sort()).toEqual(parts)
  })

  it('that are unknown are a failure, which the last line counts', () => {
    const { status, stdout } = run('--only', 'nothing')
    expect([status, stdout.trim().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed'])
  })
})
