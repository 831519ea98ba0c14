import type { Tokens } from 'rxauth'
import { adopt, type SessionState } from '../../src/session/adopt'
import { refusalFor, mayAnswer, newIdentity, sessionChanged, type Cause } from '../../src/session/identity'
import { accessTokenText } from './access-token-text'

const access = {
  a: accessTokenText({ sub: 'ada', refreshTokenId: 'one', iat: 1 }),
  A: accessTokenText({ sub: 'ada', refreshTokenId: 'one', iat: 2 }),
  b: accessTokenText({ sub: 'ada', refreshTokenId: 'two' }),
  g: accessTokenText({ sub: 'grace', refreshTokenId: 'three' }),
}

/** "a1": the access token `a` and the refresh token `1`; "-": none. */
function tokensOf(text: string): Tokens | null {
  const [first = '-', second = '-'] = text
  const accessToken = first === '-' ? null : (access[first as keyof typeof access] ?? 'not a token')
  return text === 'none' ? null : { accessToken, refreshToken: second === '-' ? null : second }
}

function textOf(tokens: Tokens | null): string {
  if (!tokens) return 'none'
  const name = Object.entries(access).find(([, text]) => text === tokens.accessToken)?.[0]
  return `${name ?? '-'}${tokens.refreshToken ?? '-'}`
}

const states: Readonly<Record<string, () => SessionState>> = {
  unread: () => ({ identity: newIdentity('unknown'), tokens: null, stored: null, reason: 'never', rotates: false }),
  'signed out': () => ({ ...states['unread']!(), identity: newIdentity('signed-out') }),
  'user of a1': () => ofUser(newIdentity('user', 'ada', 'one'), 'a1'),
  'user of a1, refused': () => ({ ...ofUser(newIdentity('user', 'ada', 'one'), 'a1'), tokens: tokensOf('-1') }),
  'user of a-': () => ofUser(newIdentity('user', 'ada', 'one'), 'a-'),
  'unnamed of -1': () => ofUser(newIdentity('user'), '-1'),
}

function ofUser(identity: SessionState['identity'], text: string): SessionState {
  return { identity, tokens: tokensOf(text), stored: tokensOf(text), reason: 'never', rotates: false }
}

/** "Identity, change: tokens", and what else happens. */
function outcome(from: SessionState, read: string, cause: Cause, refused: string | null, ended: string | null): string {
  // Nothing changes an identity.
  Object.freeze(from.identity)
  const adopted = adopt(from, tokensOf(read), cause, refused, new Set([ended ?? 'another']))
  if (!adopted) return 'nothing'
  const [state, change, letsGo] = adopted
  expect(state.stored).toEqual(tokensOf(read))
  const { kind, userId, sessionId, owner } = state.identity
  expect(owner === from.identity.owner).toBe(change === undefined || change === 'none')
  const who = kind === 'user' ? `${userId ?? 'unnamed'} ${sessionId ?? ''}`.trim() : `${kind} (${state.reason})`
  return `${who}, ${change ?? 'no change'}: ${textOf(state.tokens)}${state.rotates ? ', rotates' : ''}${letsGo ? ', lets go' : ''}`
}

const causes: readonly Cause[] = ['elsewhere', 'signed-in', 'refreshed', 'signed-out', 'expired', 'deleted', 'never']

/** Only `signOut` makes another identity; the calls of a session that ends otherwise are answered as signed out. */
const ends = {
  elsewhere: 'signed-out (elsewhere), learnt: none',
  'signed-in': 'signed-out (elsewhere), learnt: none',
  refreshed: 'signed-out (elsewhere), learnt: none',
  'signed-out': 'signed-out (signed-out), other: none',
  expired: 'signed-out (expired), learnt: none',
  deleted: 'signed-out (deleted), learnt: none',
  never: 'signed-out (never), learnt: none',
}
const neverBegan = {
  ...ends,
  elsewhere: 'signed-out (never), learnt: none',
  'signed-out': 'signed-out (signed-out), learnt: none',
}

/** What is adopted, by state and what is read: in each case, or where the cause is a refresh and where it is any other. */
const table: Readonly<Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>> = {
  unread: {
    none: neverBegan,
    a1: 'ada one, learnt: a1',
    A1: 'ada one, learnt: A1',
    a2: 'ada one, learnt: a2',
    A2: 'ada one, learnt: A2',
    'a-': 'ada one, learnt: a-',
    '-1': 'unnamed, learnt: -1',
    '-2': 'unnamed, learnt: -2',
    b3: 'ada two, learnt: b3',
    g4: 'grace three, learnt: g4',
    x1: 'unnamed, learnt: -1',
    'x-': neverBegan,
  },
  'signed out': {
    none: 'nothing',
    a1: 'ada one, other: a1',
    A1: 'ada one, other: A1',
    a2: 'ada one, other: a2',
    A2: 'ada one, other: A2',
    'a-': 'ada one, other: a-',
    '-1': 'unnamed, other: -1',
    '-2': 'unnamed, other: -2',
    b3: 'ada two, other: b3',
    g4: 'grace three, other: g4',
    x1: 'unnamed, other: -1',
    'x-': 'signed-out (never), no change: none',
  },
  'user of a1': {
    none: ends,
    a1: 'nothing',
    A1: 'ada one, none: A1',
    a2: 'ada one, none: a2, rotates',
    A2: 'ada one, none: A2, rotates',
    'a-': 'ada one, none: a-, rotates',
    '-1': 'ada one, no change: a1',
    '-2': { refreshed: 'ada one, none: -2, rotates', other: 'unnamed, other: -2' },
    b3: 'ada two, other: b3',
    g4: 'grace three, other: g4',
    x1: 'ada one, no change: a1',
    'x-': ends,
  },
  'user of a1, refused': {
    none: ends,
    a1: 'ada one, no change: -1',
    A1: 'ada one, none: A1',
    a2: { refreshed: 'ada one, none: -2, rotates', other: 'unnamed, other: -2' },
    A2: 'ada one, none: A2, rotates',
    'a-': { refreshed: 'ada one, none: --, rotates', other: 'unnamed, other: --' },
    '-1': 'ada one, no change: -1',
    '-2': { refreshed: 'ada one, none: -2, rotates', other: 'unnamed, other: -2' },
    b3: 'ada two, other: b3',
    g4: 'grace three, other: g4',
    x1: 'ada one, no change: -1',
    'x-': ends,
  },
  'user of a-': {
    none: ends,
    a1: 'ada one, none: a1, rotates',
    A1: 'ada one, none: A1, rotates',
    a2: 'ada one, none: a2, rotates',
    A2: 'ada one, none: A2, rotates',
    'a-': 'nothing',
    '-1': { refreshed: 'ada one, none: -1, rotates', other: 'unnamed, other: -1' },
    '-2': { refreshed: 'ada one, none: -2, rotates', other: 'unnamed, other: -2' },
    b3: 'ada two, other: b3',
    g4: 'grace three, other: g4',
    x1: { refreshed: 'ada one, none: -1, rotates', other: 'unnamed, other: -1' },
    'x-': ends,
  },
  'unnamed of -1': {
    none: ends,
    a1: 'ada one, none: a1',
    A1: 'ada one, none: A1',
    a2: { refreshed: 'ada one, none: a2, rotates', other: 'ada one, other: a2' },
    A2: { refreshed: 'ada one, none: A2, rotates', other: 'ada one, other: A2' },
    'a-': { refreshed: 'ada one, none: a-, rotates', other: 'ada one, other: a-' },
    '-1': 'nothing',
    '-2': { refreshed: 'unnamed, none: -2, rotates', other: 'unnamed, other: -2' },
    b3: { refreshed: 'ada two, none: b3, rotates', other: 'ada two, other: b3' },
    g4: { refreshed: 'grace three, none: g4, rotates', other: 'grace three, other: g4' },
    x1: 'unnamed, no change: -1',
    'x-': ends,
  },
}

const rows = Object.entries(table).flatMap(([state, byRead]) =>
  Object.entries(byRead).map(([read, expected]) => ({ state, read, expected })),
)

it('has a row for each thing that can be read in each state', () => {
  expect(Object.keys(table)).toEqual(Object.keys(states))
  const reads = Object.keys(table['unread']!)
  for (const byRead of Object.values(table)) expect(Object.keys(byRead)).toEqual(reads)
})

describe.each(rows)('in the state "$state", tokens "$read"', ({ state, read, expected }) => {
  it.each(causes)('by the cause %s are adopted as the table says', cause => {
    const refused = state.endsWith('refused') ? access.a : null
    const wanted = typeof expected === 'string' ? expected : (expected[cause] ?? expected['other'])
    expect(outcome(states[state]!(), read, cause, refused, null)).toBe(wanted)
  })
})

describe('of a session that has ended', () => {
  it.each([
    ['user of a1', 'a1', 'signed-out (elsewhere), learnt: none, lets go'],
    ['user of a1', 'A1', 'signed-out (elsewhere), learnt: none, lets go'],
    ['user of a1', 'none', 'signed-out (elsewhere), learnt: none'],
    ['user of a1', 'g4', 'grace three, other: g4'],
    ['signed out', 'a1', 'signed-out (never), no change: none, lets go'],
    ['unread', 'a1', 'signed-out (never), learnt: none, lets go'],
  ])('in the state "%s", tokens "%s" are put back by a writer that does not know it: %s', (state, read, expected) => {
    expect(outcome(states[state]!(), read, 'elsewhere', null, 'one')).toBe(expected)
  })
})

it.each(causes)(
  'the end of a session by the cause %s changes no identity: the next one names the owner that it follows',
  cause => {
    const from = states['user of a1']!()
    const { owner } = from.identity
    const [state] = adopt(from, null, cause, null, new Set(), sessionChanged())!
    expect(state.identity.follows).toBe(cause === 'signed-out' ? undefined : owner)
    expect(mayAnswer(owner, state.identity)).toBe(cause !== 'signed-out')
    expect(refusalFor(owner, state.identity)).toMatchObject({ code: 'SESSION_CHANGED' })
  },
)
