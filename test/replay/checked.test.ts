import type { Recording } from 'rxauth'
import { replay } from 'rxauth/platform'
import { recordedSession } from '../extras/record/session'

const start = {
  at: 0,
  start: {
    online: true,
    visible: true,
    shown: true,
    wall: 1_767_225_600_000,
    monotonic: 0,
    attemptTimeoutMillis: 30_000,
    hasLocks: false,
    isShared: false,
    isKnown: false,
    tokens: null,
    reason: 'never',
    rotates: false,
    aheadMillis: null,
    stores: [],
    watched: [],
  },
}

const signedIn = [
  { at: 0, token: { name: 'jwt-0', claims: { sub: 'user', iat: 1_767_225_600, exp: 1_767_229_200 } } },
  { at: 0, start: { ...start.start, isKnown: true, tokens: { accessToken: 'jwt-0', refreshToken: 'text-1' } } },
]

const refusal = async (recording: unknown) =>
  replay(recording as Recording).then(
    () => 'played',
    (error: unknown) => `${(error as { code: string }).code}: ${(error as Error).message}`,
  )

function cyclic(): unknown {
  const value: Record<string, unknown> = {}
  return Object.assign(value, { again: value, twice: value })
}

function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let count = 0; count < depth; count++) value = [value]
  return value
}

describe('replay() of a file from a stranger', () => {
  it('plays the smallest recording', async () => {
    expect(await refusal({ version: 2, events: [start] })).toBe('played')
  })

  // Promise: replay-refuses
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'is no recording'],
    ['a text', '{"version":2', 'is no recording'],
    ['a list', [], 'is no recording'],
    ['another version', { version: 1, events: [start] }, 'has another version than 2'],
    ['no events', { version: 2 }, 'has no list of events'],
    ['an empty list', { version: 2, events: [] }, 'has no list of events'],
    ['too many events', { version: 2, events: Array.from({ length: 100_001 }) }, 'has 100001 events'],
    ['no start', { version: 2, events: [{ at: 0, in: 'clock', by: 1 }] }, 'no event "start"'],
    ['two starts', { version: 2, events: [start, start] }, 'more than one event "start"'],
    ['an unknown event', { version: 2, events: [start, { at: 1, in: 'eval', code: '1' }] }, 'an event 1 that record'],
    ['a null', { version: 2, events: [start, null] }, 'an event 1 that record'],
    ['an endless time', { version: 2, events: [start, { at: 1e300, in: 'clock', by: 1 }] }, 'its at is not valid'],
    ['no time', { version: 2, events: [start, { at: null, in: 'clock', by: 1 }] }, 'its at is not valid'],
    ['a jump without end', { version: 2, events: [start, { at: 1, in: 'clock', by: 1e300 }] }, 'its by is not valid'],
    ['a prototype', JSON.parse('{"version":2,"events":[{"__proto__":{"in":"clock"},"at":0}]}'), 'an event 0'],
    [
      'a time that goes back',
      {
        version: 2,
        events: [
          { ...start, at: 2 },
          { at: 1, in: 'clock', by: 1 },
        ],
      },
      'earlier',
    ],
    [
      'an event within events',
      { version: 2, events: [start, { at: 1, in: 'held', tokens: nested(20_000) }] },
      'nested too deeply',
    ],
    ['a cycle', { version: 2, events: [start, { at: 1, in: 'held', tokens: cyclic() }] }, 'nested too deeply'],
    [
      'a status that no answer has',
      { version: 2, events: [start, { at: 1, in: 'answer', id: 0, status: 99 }] },
      'its status is not valid',
    ],
    [
      'a header with a line break',
      { version: 2, events: [start, { at: 1, in: 'answer', id: 0, status: 200, headers: { date: 'a\nb' } }] },
      'its headers.date is not valid',
    ],
  ])('refuses %s, and says what is wrong', async (_name, recording, text) => {
    const said = await refusal(recording)
    expect(said).toMatch(/^INVALID_INPUT: /)
    expect(said).toContain(text)
  })

  it('plays 50,000 timers that are due at one time, and does not compare each with all', async () => {
    const asks = {
      ...start,
      start: { ...start.start, watched: [{ store: 'client GET /projects/current', input: {} }] },
    }
    // Each of them is near to the timer of the request, and the last is nearer.
    const timer = { at: 2, in: 'timer', due: 30_050, millis: 30_000 }
    const events = [asks, ...Array.from({ length: 50_000 }, () => timer), { ...timer, due: 30_001 }]
    expect(await refusal({ version: 2, events })).toBe('played')
  })

  it('plays 1,000 writes without an answer, and prints nothing', async () => {
    const printed = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const events = [
      ...signedIn,
      ...Array.from({ length: 1_000 }, (_, id) => ({
        at: 1,
        in: 'write',
        route: 'PATCH /users/me',
        input: { displayName: `text-${id}` },
      })),
    ]
    expect(await refusal({ version: 2, events })).toBe('played')
    expect(printed).not.toHaveBeenCalled()
  })

  it('prints no warning of a result that the recorded app has read', async () => {
    const printed = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const code = 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'
    const headers = { 'x-stack-actual-status': '409', 'x-stack-known-error': code }
    const input = { value: 'user-1@redacted.invalid', usedForAuth: false }
    const body = { user_id: 'me', type: 'email', value: 'user-1@redacted.invalid', used_for_auth: false }
    const events = [
      ...signedIn,
      { at: 1, in: 'write', route: 'POST /contact-channels', input },
      { at: 1, did: 'send', id: 0, method: 'POST', path: '/contact-channels', body },
      { at: 2, turn: 1, in: 'answer', id: 0, status: 200, headers, json: { code, error: 'text-2' } },
      { at: 5000, turn: 2, in: 'clock', by: 100 },
    ]
    const { divergence } = await replay({ version: 2, rxauth: '0.1.0', events })
    expect(divergence).toBeUndefined()
    expect(printed).not.toHaveBeenCalled()
  })

  // Promise: replay-refuses
  it('plays names of prototypes as any other text', async () => {
    const place = { store: '__proto__', input: JSON.parse('{"__proto__":{"polluted":true}}') as unknown }
    const events = [
      start,
      { at: 1, token: { name: '__proto__', claims: JSON.parse('{"__proto__":{"polluted":true}}') as unknown } },
      { at: 1, in: 'watch', asks: true, ...place },
      {
        at: 1,
        in: 'watch',
        asks: true,
        store: 'client GET /teams/{teamId}',
        input: JSON.parse('{"__proto__":1}') as unknown,
      },
      { at: 1, in: 'call', name: 'constructor', given: [JSON.parse('{"__proto__":1}') as unknown] },
      { at: 1, in: 'write', route: '__proto__', input: JSON.parse('{"__proto__":1}') as unknown },
      { at: 2, did: 'send', id: 0, method: 'constructor', path: '__proto__' },
      { at: 3, in: 'answer', id: 0, status: 204, json: JSON.parse('{"__proto__":{"polluted":true}}') as unknown },
      {
        at: 3,
        in: 'message',
        stale: {
          userId: null,
          stores: [
            ['__proto__', '{"__proto__":1}'],
            ['x', 'no JSON'],
          ],
        },
      },
      { at: 4, in: 'held', tokens: { accessToken: 'no token', refreshToken: null } },
      { at: 5, in: 'leave', ...place },
    ]
    expect(await refusal({ version: 2, events })).toBe('played')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  // Promise: replay-refuses
  it('ends with a value or INVALID_INPUT, whatever part of a recording is missing or another one', async () => {
    const { recording } = await recordedSession(3)
    const others = [null, 0, -1, '', 'x', [], {}, { at: 0 }, 1e9, true]
    let said = 0
    for (let round = 0; round < 150; round++) {
      const events = (JSON.parse(JSON.stringify(recording.events)) as Record<string, unknown>[]).filter(
        (_, index) => index === 0 || (index * 31 + round) % 7 > 0,
      )
      const changed = events[(round * 17) % events.length]!
      const names = Object.keys(changed)
      changed[names[round % names.length]!] = others[round % others.length]
      const text = await refusal({ version: 2, events })
      expect(text).toMatch(/^(played|INVALID_INPUT: .*)$/)
      said += text === 'played' ? 0 : 1
    }
    expect(said).toBeGreaterThan(10)
  })
})
