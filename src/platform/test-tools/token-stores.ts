import type { Observable } from 'rxjs'

/** A user's tokens, kept in memory, as a token store for a kit. */
export interface LocalTokens {
  read(): TokenPair | null
  replace(expected: TokenPair | null, next: TokenPair | null): boolean
}

/** The two tokens of a session. */
export interface TokenPair {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

export function memoryTokens(initial: TokenPair): LocalTokens {
  let tokens: TokenPair | null = initial
  return {
    read: () => tokens,
    replace(expected, next) {
      if ((tokens?.refreshToken ?? null) !== (expected?.refreshToken ?? null)) return false
      tokens = next
      return true
    },
  }
}

/** The checked contract: the kit's `TokenStore`. */
export interface ConformingTokenStore {
  read(): TokenPair | null | Promise<TokenPair | null>
  replace(expected: TokenPair | null, next: TokenPair | null): boolean | Promise<boolean>
  readonly changes$?: Observable<void>
  readonly sharedAs?: string
}

/**
 * Tests a token store under any `test(name, run)`: jest's, node's, vitest's. `make` returns a new, empty store each time;
 * stores that share a medium get a new medium with each call.
 *
 * @example
 * const test = (name: string, run: () => Promise<void>) => void run().then(() => console.log(name, 'holds'))
 * tokenStoreConformance(test, () => memoryTokens())
 */
export function tokenStoreConformance(
  test: (name: string, run: () => Promise<void>) => void,
  make: () => ConformingTokenStore | Promise<ConformingTokenStore>,
): void {
  const [first, second] = [tokensOf('first'), tokensOf('second')]
  const check = (name: string, ...steps: readonly ((store: ConformingTokenStore) => Promise<void>)[]): void => {
    test(name, async () => {
      const store = await make()
      for (const step of steps) await step(store)
    })
  }
  const alone = { accessToken: null, refreshToken: first.refreshToken }
  const newer = { ...first, accessToken: accessToken('first', 2) }
  const odd = { ...first, refreshToken: 'a"b,c;d e%20f=g[h]{i}ü✓' }

  check('a fresh store holds nothing', holds(null))
  check('what was written is read back', writes(null, first), holds(first))
  check('a refresh token alone is a session', writes(null, alone), holds(alone))
  check(
    'a new access token replaces the old one of the same session',
    writes(null, first),
    writes(first, newer),
    holds(newer),
  )
  check(
    'only the refresh token of what is expected is compared',
    writes(null, first),
    writes({ ...first, accessToken: null }, { ...first, accessToken: accessToken('first', 3) }),
  )
  check('rotated tokens replace the old ones', writes(null, first), writes(first, second), holds(second))
  check(
    'clearing leaves nothing',
    ...[writes(null, first), writes(first, null), holds(null)],
    ...[writes(null, second), holds(second)],
  )
  check(
    'it refuses to replace what it no longer holds',
    writes(null, second),
    ...[refuses(first, newer), refuses(first, null), refuses(null, first)],
    holds(second),
  )
  check(
    'it refuses to replace a session by a newer one of itself after it was cleared',
    ...[writes(null, first), writes(first, null)],
    ...[refuses(first, newer), holds(null)],
  )
  check('of two that replace the same tokens at the same time one is refused', writes(null, first), async store => {
    const others = [second, { accessToken: accessToken('third', 1), refreshToken: 'refresh-token-of-the-third' }]
    const replaced = await Promise.all(others.map(async next => store.replace(first, next)))
    assert(
      replaced.filter(Boolean).length === 1,
      `one of two must win, but replace() answered ${replaced.join(' and ')}`,
    )
    await holds(others[replaced.indexOf(true)] ?? null)(store)
  })
  check('characters that need care survive', writes(null, odd), holds(odd))
  check(
    'the text "undefined", an empty text and what is no access token are refused',
    ...['undefined', '', 'not-a-token'].map(token => throwsFor({ ...first, accessToken: token })),
    ...['undefined', ''].map(token => throwsFor({ ...first, refreshToken: token })),
    holds(null),
  )
  check('listeners for changes can unsubscribe, and changes never end', async store => {
    let ended = false
    const watching = store.changes$?.subscribe({ complete: () => (ended = true), error: () => (ended = true) })
    await writes(null, first)(store)
    assert(!ended, 'changes$ must not complete or fail while it has a subscriber')
    watching?.unsubscribe()
    await holds(first)(store)
  })
  check('the name that it shares is a text', async store => {
    assert(
      store.sharedAs === undefined || store.sharedAs.length > 0,
      'sharedAs must be absent or a text that is not empty',
    )
  })
}

function tokensOf(session: string): TokenPair {
  return { accessToken: accessToken(session, 1), refreshToken: `refresh-token-of-the-${session}` }
}

/** A token in the form of an access token; stores do not check signatures. */
function accessToken(session: string, issuedAt: number): string {
  const claims = { sub: 'a-user', refreshTokenId: session, iat: issuedAt, exp: 32_503_680_000 }
  return ['{"alg":"ES256"}', JSON.stringify(claims), 'signature'].map(part => btoa(part).replaceAll('=', '')).join('.')
}

const writes = (expected: TokenPair | null, next: TokenPair | null) => async (store: ConformingTokenStore) => {
  assert(await store.replace(expected, next), 'replace() must answer true while the store holds what is expected')
}

const refuses = (expected: TokenPair | null, next: TokenPair | null) => async (store: ConformingTokenStore) => {
  assert(!(await store.replace(expected, next)), 'replace() must answer false when the store holds something else')
}

const throwsFor = (next: TokenPair) => async (store: ConformingTokenStore) => {
  const threw = await Promise.resolve()
    .then(() => store.replace(null, next))
    .then(
      () => false,
      () => true,
    )
  assert(threw, 'replace() must throw for a token that cannot be one')
}

const holds = (expected: TokenPair | null) => async (store: ConformingTokenStore) => {
  const held = await store.read()
  assert(
    held?.accessToken === expected?.accessToken && held?.refreshToken === expected?.refreshToken,
    // Names the difference without printing a token.
    `the store must hold ${expected ? 'these tokens' : 'nothing'}; it holds ${held ? 'others' : 'nothing'}`,
  )
}

function assert(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
