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
  const check = (name: string, run: (store: ConformingTokenStore) => Promise<void>): void => {
    test(name, async () => {
      await run(await make())
    })
  }

  check('a fresh store holds nothing', async store => {
    await expectHeld(store, null)
  })

  check('what was written is read back', async store => {
    await write(store, null, first)
    await expectHeld(store, first)
  })

  check('a refresh token alone is a session', async store => {
    const alone = { accessToken: null, refreshToken: first.refreshToken }
    await write(store, null, alone)
    await expectHeld(store, alone)
  })

  check('a new access token replaces the old one of the same session', async store => {
    await write(store, null, first)
    const newer = { ...first, accessToken: accessToken('first', 2) }
    await write(store, first, newer)
    await expectHeld(store, newer)
  })

  check('only the refresh token of what is expected is compared', async store => {
    await write(store, null, first)
    await write(store, { ...first, accessToken: null }, { ...first, accessToken: accessToken('first', 3) })
  })

  check('rotated tokens replace the old ones', async store => {
    await write(store, null, first)
    await write(store, first, second)
    await expectHeld(store, second)
  })

  check('clearing leaves nothing', async store => {
    await write(store, null, first)
    await write(store, first, null)
    await expectHeld(store, null)
    await write(store, null, second)
    await expectHeld(store, second)
  })

  check('it refuses to replace what it no longer holds', async store => {
    await write(store, null, second)
    await expectRefused(store, first, { ...first, accessToken: accessToken('first', 2) })
    await expectRefused(store, first, null)
    await expectRefused(store, null, first)
    await expectHeld(store, second)
  })

  check('it refuses to replace a session by a newer one of itself after it was cleared', async store => {
    await write(store, null, first)
    await write(store, first, null)
    await expectRefused(store, first, { ...first, accessToken: accessToken('first', 2) })
    await expectHeld(store, null)
  })

  check('of two that replace the same tokens at the same time one is refused', async store => {
    await write(store, null, first)
    const others = [second, { accessToken: accessToken('third', 1), refreshToken: 'refresh-token-of-the-third' }]
    const replaced = await Promise.all(others.map(async next => store.replace(first, next)))
    assert(
      replaced.filter(Boolean).length === 1,
      `one of two must win, but replace() answered ${replaced.join(' and ')}`,
    )
    await expectHeld(store, others[replaced.indexOf(true)] ?? null)
  })

  check('characters that need care survive', async store => {
    const odd = { ...first, refreshToken: 'a"b,c;d e%20f=g[h]{i}ü✓' }
    await write(store, null, odd)
    await expectHeld(store, odd)
  })

  check('the text "undefined", an empty text and what is no access token are refused', async store => {
    const refused = ['undefined', '', 'not-a-token']
    for (const token of refused) await expectThrow(store, { ...first, accessToken: token })
    for (const token of refused.slice(0, 2)) await expectThrow(store, { ...first, refreshToken: token })
    await expectHeld(store, null)
  })

  check('listeners for changes can unsubscribe, and changes never end', async store => {
    let ended = false
    const watching = store.changes$?.subscribe({ complete: () => (ended = true), error: () => (ended = true) })
    await write(store, null, first)
    assert(!ended, 'changes$ must not complete or fail while it has a subscriber')
    watching?.unsubscribe()
    await expectHeld(store, first)
  })

  check('the name that it shares is a text', store => {
    assert(
      store.sharedAs === undefined || store.sharedAs.length > 0,
      'sharedAs must be absent or a text that is not empty',
    )
    return Promise.resolve()
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

async function write(store: ConformingTokenStore, expected: TokenPair | null, next: TokenPair | null): Promise<void> {
  assert(await store.replace(expected, next), 'replace() must answer true while the store holds what is expected')
}

async function expectRefused(
  store: ConformingTokenStore,
  expected: TokenPair | null,
  next: TokenPair | null,
): Promise<void> {
  assert(!(await store.replace(expected, next)), 'replace() must answer false when the store holds something else')
}

async function expectThrow(store: ConformingTokenStore, next: TokenPair): Promise<void> {
  const threw = await Promise.resolve()
    .then(() => store.replace(null, next))
    .then(
      () => false,
      () => true,
    )
  assert(threw, 'replace() must throw for a token that cannot be one')
}

async function expectHeld(store: ConformingTokenStore, expected: TokenPair | null): Promise<void> {
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
