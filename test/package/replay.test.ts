import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedSession } from '../extras/record/session'
import { blocksOf } from '../docs/pasted'
import { freshApp } from './fresh-app'
import type { FreshApp } from './fresh-app'

/* `rxauth replay` of the built package, and the test that it prints, in a new app. */

let app: FreshApp

beforeAll(async () => {
  app = freshApp('jest')
  app.write('package.json', '{ "name": "app" }')
  const { recording } = await recordedSession(1, 32)
  app.write('report.json', JSON.stringify(recording))
})

afterAll(() => app.remove())

function run(program: string, ...args: string[]) {
  const env = { ...process.env, JEST_WORKER_ID: undefined, NODE_TEST_CONTEXT: undefined, NODE_ENV: 'test' }
  return spawnSync(program, args, { cwd: app.folder, encoding: 'utf8', env })
}

const rxauth = (...args: string[]) => run(process.execPath, 'node_modules/rxauth/dist/platform-bin.js', ...args)

describe('rxauth replay', () => {
  it('plays the recording of a kit to the end that it had', () => {
    const { status, stdout, stderr } = rxauth('replay', 'report.json')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('The end of the playing is the one of the recording.')
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
    const stores: string[] = []

    beforeAll(() => {
      const { stdout } = rxauth('replay', 'report.json')
      const ready = /^ {2}(\w+)\$ {2}\{"refreshing":false,"status":"ready"/gm
      stores.push(...[...stdout.matchAll(ready)].map(([, name = '']) => name))
      const said = rxauth('replay', 'report.json', '--minimise', '--keep', 'auth', '--keep', stores[0]!)
      expect(said.status).toBe(0)
      const [, left, all] = /(\d+) of (\d+) events are left/.exec(said.stderr) ?? []
      expect(Number(left)).toBeLessThanOrEqual(Number(all) / 5)
      expect(Number(all)).toBeGreaterThan(100)
      printed = said.stdout
    })

    // Promise: replay-minimise
    it('prints a test that node --test passes, and that fails once another end is written into it', () => {
      expect(stores.length).toBeGreaterThan(0)
      app.write('node/report.test.mjs', printed)
      expect(run(process.execPath, '--test', 'node/report.test.mjs').status).toBe(0)
      const asserts = printed.match(/^ {2}assert\.deepEqual\(.*$/gm) ?? []
      expect(asserts).toHaveLength(2)
      for (const line of asserts) {
        const other = line.replace(/("status":")[^"]+/, '$1other')
        app.write(
          'node/report.test.mjs',
          printed.replace(line, () => other),
        )
        const { status, stdout } = run(process.execPath, '--test', 'node/report.test.mjs')
        expect([status, stdout.includes('other')]).toEqual([1, true])
      }
    })

    // Promise: replay-minimise
    it('prints a test that Jest passes without the import of its test function', () => {
      app.write('jest.config.cjs', blocksOf('docs/testing.md').find(({ file }) => file === 'jest.config.cjs')!.code)
      app.write('jest/report.test.js', printed.replace("import { test } from 'node:test'\n", ''))
      const { stderr } = run(process.execPath, join('node_modules', 'jest/bin/jest.js'), 'jest/')
      expect(stderr).toContain('Tests:       1 passed, 1 total')
    })

    it('keeps auth alone by default, and says in the test what is left of the steps', () => {
      const { stdout } = rxauth('replay', 'report.json', '--minimise')
      expect(stdout.match(/assert\.deepEqual\(\S+/g)).toEqual(['assert.deepEqual(plain(auth),'])
      expect(stdout).toMatch(/^\/\/ From report\.json, \d+ of \d+ events:\n\/\/\n\/\/ +0\.0 s {2}starts: /)
    })

    it('ends with 2 for a part that the end has not, and names those that it has', () => {
      const { status, stdout, stderr } = rxauth('replay', 'report.json', '--minimise', '--keep', 'nothing')
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toContain('--keep takes a part of the end, and "nothing" is none of them:\n  auth$\n')
      expect(stderr).toContain(`\n  ${stores[0]}$`)
    })

    it('ends with 1 where the playing does not come to the part that is kept', () => {
      const text = readFileSync(join(app.folder, 'report.json'), 'utf8')
      app.write('other.json', text.replace(/("type":"end","auth":\{"status":")[\w-]+/, '$1unknown'))
      const { status, stdout, stderr } = rxauth('replay', 'other.json', '--minimise')
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain('comes to another end of auth$, which cannot be kept: run rxauth replay other.json')
    })
  })
})
