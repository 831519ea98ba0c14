import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { run } from '../../../src/cli/run'
import { createClientApp, memoryTokens, record } from 'rxauth'
import { replay } from 'rxauth/platform'
import { recordedSession } from '../../extras/record/session'
import { ada, world } from '../../world'
import { terminal } from '../terminal'

type Event = Readonly<Record<string, unknown>>

/** Of an app whose refresh is refused, so that the session ends; as text, and with other headers and status of the refusal. */
async function refusedRefresh(change: (answer: Event) => Event = answer => answer): Promise<string> {
  const { app, clock, platform, settled } = await world()
  await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
  app.user$.subscribe()
  await clock.advance(1000)
  const recording = record(app)
  const other = createClientApp({ ...platform.options, tokens: memoryTokens() })
  await settled(other.signInWithPassword({ email: ada.email, password: ada.password }))
  await settled(other.signOut({ everywhere: true }))
  clock.shiftWall(700_000)
  app.accessToken().catch(() => undefined)
  await clock.advance(1000)
  const { events, ...rest } = await recording.stop()
  const isRefusal = (event: object) => 'in' in event && event.in === 'answer' && 'headers' in event
  const changed = events.map(event =>
    isRefusal(event) && JSON.stringify(event).includes('REFRESH_TOKEN') ? change(event as Event) : event,
  )
  return JSON.stringify({ ...rest, events: changed })
}

/** As an app records it whose kit takes any 403 for the end of the session. */
const endedBy403 = () => refusedRefresh(answer => ({ ...answer, status: 403, headers: {}, json: {} }))

let whole = ''

beforeAll(async () => {
  whole = await refusedRefresh()
})

/** What the program prints for a file with this text. */
async function replayed(text: string | Uint8Array, ...options: string[]) {
  const { io, out, err } = terminal()
  writeFileSync(join(io.folder, 'report.json'), text)
  const code = await run(['replay', 'report.json', ...options], io)
  return { code, out: out(), err: err() }
}

describe('rxauth replay', () => {
  // Promise: replay-command
  it('ends with 0 where all decisions are as recorded, also of a zipped file and from standard input', async () => {
    const said = /^report\.json: \d+ events\n\nrxauth 0\.1\.0 decides as recorded, \d+ times\.\n$/
    for (const text of [whole, gzipSync(whole)]) {
      const { code, out, err } = await replayed(text)
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(said)
    }
    const { io, out, err } = terminal({
      input: () => Readable.from([whole.slice(0, 99), whole.slice(99)].map(Buffer.from)),
    })
    expect([await run(['replay', '-'], io), err()]).toEqual([0, ''])
    expect(out()).toMatch(/^standard input: \d+ events\n/)
  })

  // Promise: replay-command
  it('ends with 1 at the first decision that differs, and says after which input', async () => {
    const { code, out, err } = await replayed(await endedBy403())
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(
      /event \d+, 0\.0 s: after the answer 403 to POST \/auth\/oauth\/token the recording ended the session \(expired\); rxauth 0\.1\.0 kept the session, and will refresh again\.\n$/,
    )
  })

  it('plays a recording of another version by what is sent and ended, and with --strict by everything', async () => {
    const older = whole.replace('"rxauth":"0.1.0"', '"rxauth":"0.0.9"')
    const other = older.replace(/"did":"commit","cause":"[^"]*"/, '"did":"commit","cause":"another"')
    expect(other).not.toBe(older)
    expect(await replayed(other)).toMatchObject({ code: 0, err: '' })
    expect((await replayed(other)).out).toContain('recorded by rxauth 0.0.9')
    expect((await replayed(other, '--strict')).code).toBe(1)
  })

  // Promise: replay-command
  it('says why sessions have ended', async () => {
    const { code, out, err } = await replayed(whole, '--why')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^event \d+, 0\.0 s: .*\n( {2}event \d+, 0\.0 s: .*\n)+$/)
    const { recording } = await recordedSession(1, 0)
    expect(await replayed(JSON.stringify(recording), '--why')).toMatchObject({
      code: 0,
      out: 'No session has ended in this recording.\n',
    })
  })

  it('says of a page that begins without tokens that no session has ended', async () => {
    const { clock, app } = await world({ app: { tokens: memoryTokens() } })
    const recording = record(app)
    app.user$.subscribe()
    await clock.advance(1000)
    const { code, out } = await replayed(JSON.stringify(await recording.stop()), '--why')
    expect(code).toBe(0)
    expect(out).toMatch(/: There were no tokens when the page began: [^]*\nNo session has ended in this recording\.\n$/)
  })

  const format =
    'A recording is the text of JSON.stringify(await recording.stop()), as it was written, or that text zipped by gzip.\n'

  // Promise: replay-command
  it.each<[string, () => string | Uint8Array, string]>([
    ['no JSON', () => 'STACK_SECRET_SERVER_KEY=ssk_very-secret', 'is not JSON'],
    ['JSON that goes on', () => `${whole}]`, 'is not JSON'],
    ['an empty file', () => '\n', 'is not JSON'],
    ['a file that is cut', () => whole.slice(0, -1), 'or not the whole file'],
    ['a zipped file that is cut', () => gzipSync(whole).subarray(0, 99), 'cannot be unzipped'],
    ['no recording', () => '{"name":"rxauth"}', 'has another version than 2'],
    [
      'another version',
      () => '{"version":1,"events":[]}',
      'has another version than 2, which this rxauth plays; play it with',
    ],
    [
      'a recording without its end',
      () => whole.replace('"end":', '"in":"online","is":true,"x":'),
      'has no event "end"',
    ],
    [
      'a recording of an app that was never at rest',
      () => whole.replace('"start":', '"in":"online","is":true,"x":'),
      'has no event "start"',
    ],
    [
      'a wrong event',
      () => whole.replace('"events":[{', '"events":[{"at":null,'),
      'has an event 0 that record() does not write: its at',
    ],
    ['a text', () => JSON.stringify(whole), 'is no recording'],
  ])('ends with 2 for %s, and says what is wrong', async (_what, text, message) => {
    const { code, out, err } = await replayed(text())
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    if (!message.includes('"start"')) expect(err.endsWith(`\n${format}`)).toBe(true)
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
    const { io, err } = terminal({ input: () => Readable.from(endless(), { highWaterMark: 1 }) })
    expect(await run(['replay', '-'], io)).toBe(2)
    expect(err()).toContain('standard input has more than 100 MB')
    expect(read).toBeLessThan(110)
  })

  // Promise: replay-command
  it('prints no character of a recording that a terminal would follow', async () => {
    const path = '/teams/\u001b[2J\n\u202e\u2028'
    const evil = whole
      .replace(/"did":"send"/, `"did":"send","path":${JSON.stringify(path)},"was":0`)
      .replace('"path":"/auth/oauth/token"', '"was":1')
    const { code, out } = await replayed(evil)
    expect([code, out.includes('sent POST /teams/?[2J???')]).toEqual([1, true])
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
  })

  it.each([
    [['replay'], 'the file of the recording is missing; "-" is standard input'],
    [['replay', 'a.json', 'b.json'], 'replay takes one file, not "b.json" besides'],
    [['replay', 'a.json', '--keep', '3'], '--keep is for --minimise'],
    [['replay', 'a.json', '--mended', 'other'], '--mended is for --minimise'],
    [['replay', 'a.json', '--minimise', '--keep'], '--keep needs a value'],
    [['replay', 'a.json', '--minimise', '--keep', 'auth'], '--keep takes the number of an event, not "auth"'],
    [['replay', 'a.json', '--minimize'], 'unknown option "--minimize"; did you mean --minimise?'],
  ])('%j is misunderstood', async (given, message) => {
    const { io, err } = terminal()
    expect(await run(given, io)).toBe(2)
    expect(err()).toContain(message)
  })
})

describe('rxauth replay --minimise', () => {
  /** Runs the printed test with this `replay`. */
  const ran = async (printed: string, run: typeof replay) => {
    const tests: (() => Promise<void>)[] = []
    const code = printed.replaceAll(/^import .*$/gm, '')
    // oxlint-disable-next-line typescript/no-implied-eval -- a printed test is code
    const body = new Function('assert', 'test', 'replay', code) as (...given: unknown[]) => void
    body(assert, (_: string, test: () => Promise<void>) => tests.push(test), run)
    for (const test of tests) await test()
  }

  // Promise: replay-minimise
  it('prints a test that fails while the kit decides so, and passes with one that does not', async () => {
    const { code, out, err } = await replayed(whole, '--minimise')
    expect(code).toBe(0)
    expect(err).toMatch(/\d+ of \d+ events are left/)
    await expect(ran(out, replay)).rejects.toThrow(/signed-out|notDeepEqual|Expected/)
    // With a 403 in the place of the refusal, this kit is the mended one.
    const mended: typeof replay = recording => {
      const events = recording.events.map(event =>
        'headers' in event ? { ...event, status: 403, headers: {} } : event,
      )
      return replay({ ...recording, events })
    }
    await ran(out, mended)
  })

  // Promise: replay-minimise
  it('says that there is nothing to test where this version does not decide so', async () => {
    const { code, out, err } = await replayed(await endedBy403(), '--minimise')
    expect([code, out]).toEqual([0, ''])
    expect(err).toBe('This rxauth does not decide so: nothing to test. The recording ended the session (expired).\n')
  })

  it.each([
    [[], 'no session has ended in this recording'],
    [['--keep', '0'], 'event 0 is no decision'],
    [['--keep', '99999'], 'event 99999 is no decision'],
  ])('refuses %j for a recording without such a decision', async (more, message) => {
    const { recording } = await recordedSession(1, 0)
    const { code, err } = await replayed(JSON.stringify(recording), '--minimise', ...more)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  /** Runs the command beside the built package of another rxauth, whose `replay` has this code. */
  const minimisedBeside = async (code: string, ...options: string[]) => {
    const { io, out, err } = terminal()
    mkdirSync(join(io.folder, 'other/dist'), { recursive: true })
    const path = join(io.folder, 'other/dist/platform.cjs')
    writeFileSync(path, `const { replay } = require('rxauth/platform')\nexports.replay = async recording => ${code}`)
    writeFileSync(join(io.folder, 'report.json'), whole)
    const exit = await run(['replay', 'report.json', '--minimise', '--mended', 'other', ...options], io)
    const { replay: other } = createRequire(path)(path) as { replay: typeof replay }
    return { code: exit, out: out(), err: err(), other }
  }

  // Promise: replay-minimise
  it.each([
    [
      'forbids what only this one decides',
      "replay({ ...recording, events: recording.events.map(event => 'headers' in event ? { ...event, status: 403, headers: {} } : event) })",
      'const wrong = ',
    ],
    [
      'keeps the inputs by which the mended one decides otherwise',
      `{
        const isEnough = recording.events.some(event => event.in === 'token')
        const change = event => (isEnough && 'headers' in event ? { ...event, status: 403, headers: {} } : event)
        return replay({ ...recording, events: recording.events.map(change) })
      }`,
      'const wrong = ',
    ],
    [
      'demands what only the mended one decides',
      `{
        const { decisions } = await replay(recording)
        const after = recording.events.findIndex(event => 'headers' in event)
        return { decisions: after < 0 ? decisions : [...decisions, { did: 'post', ended: 'text-1', after }] }
      }`,
      'const right = ',
    ],
  ])('with --mended prints a test that %s', async (_what, mended, kind) => {
    const { code, out, err, other } = await minimisedBeside(mended)
    expect(code).toBe(0)
    expect(err).toMatch(/\d+ of \d+ events are left/)
    expect(out).toContain(kind)
    await expect(ran(out, replay)).rejects.toThrow()
    await ran(out, other)
  })

  it('says that there is nothing to test where the mended one decides alike, and that a folder has none', async () => {
    const { code, out, err } = await minimisedBeside('replay(recording)')
    expect([code, out]).toEqual([0, ''])
    expect(err).toBe('This rxauth does not decide otherwise than the mended one: nothing to test.\n')
    const { code: exit, err: said } = await replayed(whole, '--minimise', '--mended', 'nowhere')
    expect(exit).toBe(2)
    expect(said).toContain('--mended takes the folder of a built rxauth, which ')
  })

  // Promise: replay-minimise
  it.each(['"__proto__":{"a":1}', '"a":"\\"__proto__\\":"'])('prints a value that has %s as it is', async field => {
    const { code, out } = await replayed(whole.replace('"json":{', `"json":{${field},`), '--minimise')
    expect(code).toBe(0)
    await expect(ran(out, replay)).rejects.toThrow()
  })
})
