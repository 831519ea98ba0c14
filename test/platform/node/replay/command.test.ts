import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from '../../../../src/platform/node/run'
import { record } from 'rxauth'
import { replay } from 'rxauth/platform'
import { recordedSession } from '../../../extras/record/session'
import { ada, world } from '../../../world'
import { terminal } from '../terminal'

/** A recording of someone who signs in with a wrong password, in a page that shows the project. */
const start = {
  at: 0,
  type: 'start',
  wall: 1_767_225_600_000,
  attemptTimeoutMillis: 30_000,
  isLocked: false,
  isKnown: true,
  tokens: null,
  reason: 'never',
  rotates: false,
  aheadMillis: 0,
  stores: [],
  watched: [],
}
const headers = { 'x-stack-actual-status': '400', 'x-stack-known-error': 'EMAIL_PASSWORD_MISMATCH' }
const events: readonly object[] = [
  start,
  { at: 300, type: 'watch', store: 'client GET /teams', input: {} },
  { at: 12_300, type: 'request', id: 0, method: 'POST', path: '/auth/password/sign-in', body: { password: 'text-1' } },
  { at: 12_500, type: 'answer', id: 0, status: 200, headers, json: { code: 'EMAIL_PASSWORD_MISMATCH' } },
  { at: 12_500, type: 'random', value: 0.5 },
  { at: 13_000, type: 'request', id: 1, method: 'GET', path: '/projects/current' },
  { at: 13_100, type: 'request', id: 2, method: 'POST', path: '/auth/anonymous/sign-up' },
  { at: 13_200, type: 'answer', id: 1, failure: 'TypeError' },
  { at: 13_300, type: 'answer', id: 2, status: 503 },
  { at: 14_000, type: 'commit', cause: 'rolled back', stores: ['client GET /teams'] },
  { at: 14_000, type: 'commit', cause: 'constructor', stores: [] },
  { at: 15_000, type: 'clock', by: -3_600_000 },
  { at: 16_000, type: 'online', is: false },
  { at: 16_000, type: 'visible', is: false },
  { at: 17_000, type: 'ended', sessionId: 'text-2' },
  { at: 18_000, type: 'stale', userId: null, stores: [['client GET /teams', '{}']] },
  { at: 19_000, type: 'leave', store: 'client GET /teams', input: {} },
]
const end = { at: 20_000, type: 'end', auth: { status: 'signed-out', reason: 'never' }, stores: [] }

const whole = JSON.stringify({ version: 1, events: [...events, end] })

/** What the program prints for a file with this text. */
async function replayed(text: string | Uint8Array, ...options: string[]) {
  const { io, out, err } = terminal()
  writeFileSync(join(io.folder, 'report.json'), text)
  const code = await run(['replay', 'report.json', ...options], io)
  return { code, out: out(), err: err() }
}

describe('rxauth replay', () => {
  // Promise: replay-command
  it('prints what happened step by step, both ends, and the time taken, and ends with 0', async () => {
    const { code, out, err } = await replayed(whole)
    expect([code, err]).toEqual([0, ''])
    expect(out.replace(/\d+ ms/, 'N ms')).toBe(`report.json: 18 events

 0.0 s  starts: signed out (never)
 0.3 s  watches teams$
12.3 s  POST /auth/password/sign-in  → 400 EMAIL_PASSWORD_MISMATCH after 0.2 s
13.0 s  GET /projects/current
13.1 s  POST /auth/anonymous/sign-up
13.2 s  → no answer to GET /projects/current
13.3 s  → 503 to POST /auth/anonymous/sign-up
14.0 s  teams$: shown again without what a write had changed
15.0 s  the clock is set 3600.0 s back
16.0 s  offline
16.0 s  the page is hidden
17.0 s  a session is known to have ended
18.0 s  told from elsewhere: stale are teams$
19.0 s  leaves teams$

The end:
  auth$  {"reason":"never","status":"signed-out"}

The end of the playing is the one of the recording. It was played in N ms.
`)
  })

  // Promise: replay-command
  it('ends with 1 where the ends differ, and prints both', async () => {
    const auth = { status: 'signed-out', reason: 'deleted' }
    const stores = [{ store: 'client GET /teams', input: {}, snapshot: { status: 'pending' } }]
    const { code, out } = await replayed(JSON.stringify({ version: 1, events: [...events, { ...end, auth, stores }] }))
    expect(code).toBe(1)
    expect(out).toContain(`
  auth$ differs
    recorded  {"reason":"deleted","status":"signed-out"}
    played    {"reason":"never","status":"signed-out"}
  teams$ differs
    recorded  {"status":"pending"}
    played    is not there

The end of the playing differs in 2 of 2 parts.`)
  })

  it('plays what record() writes, from standard input too', async () => {
    const { recording } = await recordedSession(1)
    const text = JSON.stringify(recording)
    const { io, out, err } = terminal({
      input: () => Readable.from([text.slice(0, 99), text.slice(99)].map(Buffer.from)),
    })
    expect([await run(['replay', '-'], io), err()]).toEqual([0, ''])
    expect(out()).toMatch(/^standard input: \d+ events\n/)
  })

  const format = 'A recording is the text of JSON.stringify(recording.stop()), as it was written.\n'

  // Promise: replay-command
  it.each<[string, string | Uint8Array, string]>([
    ['no JSON', 'STACK_SECRET_SERVER_KEY=ssk_very-secret', 'is not JSON'],
    ['JSON that goes on', `${whole}]`, 'is not JSON'],
    ['an empty file', '\n', 'is empty'],
    ['a file that is cut in a text', whole.slice(0, 300), 'ends in the middle of its JSON'],
    ['a file that is cut after a value', whole.slice(0, -1), 'ends in the middle of its JSON'],
    ['a file that is cut after a comma', whole.slice(0, whole.indexOf('},') + 2), 'ends in the middle of its JSON'],
    ['no recording', '{"name":"rxauth"}', 'has another version than 1'],
    [
      'another version',
      '{"version":2,"events":[]}',
      'has another version than 1, which this rxauth plays; play it with',
    ],
    ['a recording without its end', JSON.stringify({ version: 1, events }), 'has no event of type "end"'],
    ['a wrong event', whole.replace('"at":12300', '"at":null'), 'has an event 2 that record() does not write: its at'],
    ['a text', JSON.stringify(whole), 'is no recording'],
  ])('ends with 2 for %s, and says what is wrong', async (_what, text, message) => {
    const { code, out, err } = await replayed(text)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`rxauth: report.json ${message}`)
    expect(err.endsWith(`\n${format}`)).toBe(true)
    expect(err).not.toContain('ssk_')
  })

  it('reads a file with a byte order mark', async () => {
    expect(await replayed(`\uFEFF${whole}`)).toMatchObject({ code: 0, err: '' })
  })

  it('ends with 2 for a file that is not there, or a folder', async () => {
    const { io, err } = terminal()
    mkdirSync(join(io.folder, 'reports'))
    expect([await run(['replay', 'none.json'], io), await run(['replay', 'reports'], io)]).toEqual([2, 2])
    expect(err()).toBe(
      'rxauth: none.json cannot be read: ENOENT: no such file or directory\n' +
        'rxauth: reports cannot be read: EISDIR: illegal operation on a directory\n',
    )
  })

  // Promise: replay-command
  it('reads no more than 100 MB', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 1
        yield new Uint8Array(1_000_000)
      }
    }
    const { io, err } = terminal({ input: endless })
    expect(await run(['replay', '-'], io)).toBe(2)
    expect(err()).toContain('standard input has more than 100 MB')
    expect(read).toBeLessThan(110)
  })

  // Promise: replay-command
  it('prints no character of a recording that a terminal would follow', async () => {
    const path = '/teams/\u001b[2J\n\u202e\u2028'
    const evil = [...events, { at: 19_500, type: 'request', id: 9, method: 'GET', path }, end]
    const stores = [{ store: '\u001b]0;x\u0007', input: {}, snapshot: '\u009b' }]
    const { out } = await replayed(JSON.stringify({ version: 1, events: [...evil.slice(0, -1), { ...end, stores }] }))
    expect(out).toContain('19.5 s  GET /teams/?[2J???\n')
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
  })

  it.each([
    [['replay'], 'the file of the recording is missing; "-" is standard input'],
    [['replay', 'a.json', 'b.json'], 'replay takes one file, not "b.json" besides'],
    [['replay', 'a.json', '--keep', 'auth'], '--keep is for --minimise'],
    [['replay', 'a.json', '--minimise', '--keep'], '--keep needs a value'],
    [['replay', 'a.json', '--minimize'], 'unknown option "--minimize"; did you mean --minimise?'],
  ])('%j is misunderstood', async (given, message) => {
    const { io, err } = terminal()
    expect(await run(given, io)).toBe(2)
    expect(err()).toContain(message)
  })
})

describe('rxauth replay --minimise', () => {
  /** What the printed test plays and asserts. */
  const ran = async (printed: string) => {
    const compared: unknown[][] = []
    const tests: (() => Promise<void>)[] = []
    const code = printed.replaceAll(/^import .*$/gm, '')
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a printed test is code
    const body = new Function('assert', 'test', 'replay', code) as (...given: unknown[]) => void
    body(
      { deepEqual: (...values: unknown[]) => compared.push(values) },
      (_: string, test: () => Promise<void>) => tests.push(test),
      replay,
    )
    for (const test of tests) await test()
    return compared
  }

  // Promise: replay-minimise
  it.each<[string, unknown]>([
    ['"error": null', { error: null }],
    ['"error" that is a text', { error: 'text' }],
    ['"__proto__"', JSON.parse('{"__proto__":{"a":1}}')],
    ['"__proto__" in a text', { a: '"__proto__":' }],
  ])('prints a test that asserts what was recorded, with a value that has %s', async (_, metadata) => {
    const { app, clock, settled } = await world()
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const recording = record(app)
    app.user$.subscribe()
    await clock.advance(1000)
    const text = JSON.stringify(recording.stop()).replaceAll(
      /"(clientMetadata|client_metadata)":[^,]*/g,
      (_all, name: string) => `"${name}":${JSON.stringify(metadata)}`,
    )
    expect(text).toContain(JSON.stringify(metadata))
    const { code, out } = await replayed(text, '--minimise', '--keep', 'auth')
    expect(code).toBe(0)
    const [[played, asserted] = []] = await ran(out)
    expect(asserted).toEqual(played)
    expect(JSON.stringify(asserted)).toContain(JSON.stringify(metadata))
  })
})
