import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { recordedSession } from '../extras/record/session'
import { blocksOf } from '../docs/pasted'
import { freshApp, type FreshApp } from './fresh-app'

/* `rxauth replay` of the built package, and the test that it prints, in a new app. */

let app: FreshApp

beforeAll(async () => {
  app = freshApp('jest')
  app.write('package.json', '{ "name": "app" }')
  const { recording } = await recordedSession(1, 40)
  app.write('report.json', JSON.stringify(recording))
})

afterAll(() => app.remove())

function run(program: string, ...args: string[]) {
  const env = { ...process.env, JEST_WORKER_ID: undefined, NODE_TEST_CONTEXT: undefined, NODE_ENV: 'test' }
  return spawnSync(program, args, { cwd: app.folder, encoding: 'utf8', env })
}

const rxauth = (...args: string[]) => run(process.execPath, 'node_modules/rxauth/dist/platform-bin.js', ...args)

describe('rxauth replay', () => {
  it('decides as the recorded kit did', () => {
    const { status, stdout, stderr } = rxauth('replay', 'report.json')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(' decides as recorded, ')
  })

  // Promise: unread-output
  it('says nothing of a reader that ends before it, and keeps its exit code', () => {
    const program = `"${process.execPath}" node_modules/rxauth/dist/platform-bin.js`
    // `exit` ends at once, and reads nothing.
    for (const reader of ['head -n 1', 'exit']) {
      const { stderr } = run('bash', '-c', `{ ${program} replay report.json; echo "code $?" >&2; } | ${reader}`)
      expect(stderr).toBe('code 0\n')
    }
    expect(run('bash', '-c', `${program} --help | exit`).stderr).toBe('')
  })

  describe('--minimise', () => {
    let printed: string

    beforeAll(() => {
      const said = rxauth('replay', 'report.json', '--minimise')
      expect(said.status).toBe(0)
      const [, left, all] = /(\d+) of (\d+) events are left/.exec(said.stderr) ?? []
      expect(Number(left)).toBeLessThanOrEqual(Number(all) / 5)
      expect(Number(all)).toBeGreaterThan(100)
      printed = said.stdout
    })

    // Promise: replay-minimise
    it('prints a test that node --test fails while the kit decides so, and passes without the inputs', () => {
      app.write('node/report.test.mjs', printed)
      const { status, stdout } = run(process.execPath, '--test', 'node/report.test.mjs')
      expect([status, stdout.includes('signed-out')]).toEqual([1, true])
      app.write('node/report.test.mjs', printed.replaceAll(/^ *\{.*"in":.*\n/gm, ''))
      expect(run(process.execPath, '--test', 'node/report.test.mjs').status).toBe(0)
    })

    // Promise: replay-minimise
    it('prints a test that Jest runs without the import of its test function', () => {
      app.write('jest.config.cjs', blocksOf('docs/testing.md').find(({ file }) => file === 'jest.config.cjs')!.code)
      app.write('jest/report.test.js', printed.replace("import { test } from 'node:test'\n", ''))
      const { stderr } = run(process.execPath, join('node_modules', 'jest/bin/jest.js'), 'jest/')
      expect(stderr).toContain('Tests:       1 failed, 1 total')
    })
  })
})
