import type { Tokens } from 'rxauth'
import { ada, grace, world } from '../world'

describe('an access token for the own backend', () => {
  it('is the one in use, while it lasts 20 s', async () => {
    const { app, settled, clock, requests } = await world()
    const token = await settled(app.accessToken())
    await clock.advance(600_000 - 20_000)
    expect(await settled(app.accessToken())).toBe(token)
    expect(requests).toEqual([])
    await clock.advance(1)
    expect(await settled(app.accessToken())).not.toBe(token)
    expect(requests).toEqual(['POST /auth/oauth/token'])
  })

  it('is null while signed out', async () => {
    const { newApp, settled } = await world()
    expect(await settled(newApp().accessToken())).toBeNull()
  })

  it.each([-1, 60_000, NaN, Infinity])('cannot be asked to last %p ms', async minMillis => {
    const { app, settled } = await world()
    await expect(settled(app.accessToken({ minMillis }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'minMillis' },
    })
  })

  it('can be asked to last 59999 ms', async () => {
    const { app, settled } = await world()
    expect(await settled(app.accessToken({ minMillis: 59_999 }))).toMatch(/^eyJ/)
  })
})

describe('headers for the own backend', () => {
  // Promise: refresh-token-to-platform-only
  it.each([undefined, 'bearer'] as const)('carry the access token alone (%s)', async as => {
    const { app, settled } = await world()
    expect(await settled(app.authHeaders(as && { as }))).toEqual({
      authorization: `Bearer ${await settled(app.accessToken())}`,
    })
  })

  // Promise: refresh-token-to-platform-only
  it('carry both tokens for a backend that renews sessions', async () => {
    const { app, settled } = await world()
    const { 'x-stack-auth': json, ...rest } = await settled(app.authHeaders({ as: 'stack' }))
    expect(rest).toEqual({})
    expect(JSON.parse(json!)).toEqual({
      accessToken: await settled(app.accessToken()),
      refreshToken: expect.any(String),
    })
  })

  it.each(['stack', 'bearer', undefined] as const)('are none while signed out (%s)', async as => {
    const { newApp, settled } = await world()
    expect(await settled(newApp().authHeaders(as && { as }))).toEqual({})
  })
})

describe('tokens$', () => {
  it('emits the stored tokens, then each change once', async () => {
    const { app, settled, clock } = await world()
    const seen: (Tokens | null | undefined)[] = []
    app.tokens$.subscribe(tokens => seen.push(tokens))
    await clock.advance(0)
    expect(seen).toEqual([{ accessToken: expect.stringMatching(/^eyJ/), refreshToken: expect.any(String) }])
    await clock.advance(590_000)
    const fresh = await settled(app.accessToken())
    expect(seen.at(-1)).toEqual({ accessToken: fresh, refreshToken: seen[0]!.refreshToken })
    await settled(app.signOut())
    expect(seen).toEqual([expect.anything(), expect.anything(), null])
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect(seen).toHaveLength(4)
    expect(seen[3]!.refreshToken).not.toBe(seen[0]!.refreshToken)
  })

  it('is null while signed out', async () => {
    const { newApp, clock } = await world()
    const seen: (Tokens | null | undefined)[] = []
    newApp().tokens$.subscribe(tokens => seen.push(tokens))
    await clock.advance(0)
    expect(seen).toEqual([null])
  })

  it('is undefined until the token store has answered', async () => {
    const { newApp, tokensOf, clock } = await world()
    const inner = await tokensOf(ada)
    if (typeof inner === 'function') throw new Error('not a store')
    let answer: () => void = () => undefined
    const read = () => new Promise<Tokens | null>(resolve => (answer = () => resolve(inner.read())))
    const seen: unknown[] = []
    newApp({ tokens: { ...inner, read } }).tokens$.subscribe(tokens => seen.push(tokens))
    expect(seen).toEqual([undefined])
    await clock.advance(60_000)
    expect(seen).toEqual([undefined])
    answer()
    await clock.advance(0)
    expect(seen).toEqual([undefined, inner.read()])
  })
})
