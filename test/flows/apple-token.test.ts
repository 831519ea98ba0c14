import { oauthProviders$, signInWithAppleToken, trace$, type AnyAuthError, type ClientApp } from 'rxauth'
import { totpCode, type ProjectConfig, type ProviderUser, type Wire } from 'rxauth/platform'
import { ada, grace } from '../world'
import { newerWays, type Way } from './way'

const bundleId = 'com.example.shop'
const apple = { id: 'apple', type: 'shared', appleBundleIds: [bundleId, 'com.example.shop.dev'] } as const
const mary = { email: 'mary@example.com', displayName: 'Mary' }
const secret = 'twenty bytes, secret'
const route = 'POST /auth/oauth/callback/apple/native'

describe.each(newerWays)('signing in with an identity token of Apple, %s,', (_, open, release) => {
  let way: Way
  let app: ClientApp
  async function start(config: Partial<ProjectConfig> = {}, wire: Wire = release) {
    const users = [
      { ...ada, verified: true },
      { ...grace, verified: true, totpSecret: btoa(secret) },
    ]
    way = await open({ wire, seed: { users, project: { config: { oauthProviders: [apple], ...config } } } })
    app = way.newApp()
  }
  afterEach(() => way.close())

  const tokenOf = (user: ProviderUser, of = bundleId) => way.platform.oauth.appleToken({ bundleId: of, user })
  const signIn = async (user: ProviderUser = mary, of?: string) =>
    signInWithAppleToken(app, { idToken: await tokenOf(user, of) })

  // Promise: apple-token
  it('creates the user at the first time, and finds the user at the second', async () => {
    await start()
    const first = await signIn()
    expect(first).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect(await app.user$.get()).toMatchObject({
      primaryEmail: mary.email,
      primaryEmailVerified: true,
      displayName: 'Mary',
    })
    expect(await oauthProviders$(app).get()).toMatchObject([{ providerConfigId: 'apple', email: mary.email }])
    expect(app.flow$.value).toMatchObject({ status: 'done' })
    await app.signOut()
    expect(await signIn(mary, apple.appleBundleIds[1])).toMatchObject({
      ok: true,
      value: { isNewUser: false, userId: (first as { readonly value: { readonly userId: string } }).value.userId },
    })
  })

  // Promise: apple-token
  it('lets an anonymous user keep the id', async () => {
    await start()
    await app.signUpAnonymously()
    const { id } = (await app.anyUser$.get())!
    expect(await signIn()).toMatchObject({ ok: true, value: { userId: id, isNewUser: true } })
    expect(await app.user$.get()).toMatchObject({ id, isAnonymous: false, primaryEmail: mary.email })
  })

  // Promise: apple-token
  it('asks for the second factor of the user with the address', async () => {
    await start()
    expect(await signIn({ email: grace.email })).toMatchObject({
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    })
    expect(app.flow$.value).toMatchObject({ status: 'second-factor' })
    const totp = await totpCode(new TextEncoder().encode(secret), way.now())
    expect(await app.continueSignIn({ totp })).toMatchObject({ ok: true })
    expect((await app.user$.get())?.primaryEmail).toBe(grace.email)
  })

  // Promise: apple-token
  it.each([
    ['another app', 'INVALID_APPLE_CREDENTIALS', {}, () => tokenOf(mary, 'com.example.other')],
    ['another key', 'INVALID_APPLE_CREDENTIALS', {}, () => Promise.resolve('eyJhbGciOiJFUzI1NiJ9.e30.c2ln')],
    [
      'two hours ago',
      'INVALID_APPLE_CREDENTIALS',
      {},
      async () => {
        const old = await tokenOf(mary)
        await way.pass(7_200_000)
        return old
      },
    ],
    ['no bundle id', 'APPLE_BUNDLE_ID_NOT_CONFIGURED', { oauthProviders: [{ id: 'apple', type: 'shared' }] }, null],
    ['no provider', 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', { oauthProviders: [] }, null],
    ['no sign-up', 'SIGN_UP_NOT_ENABLED', { signUpEnabled: false }, null],
    ['a rule', 'SIGN_UP_REJECTED', { signUpRules: [{ action: 'reject' }] }, null],
    [
      'a taken address',
      'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
      { oauthAccountMergeStrategy: 'raise_error' },
      () => tokenOf({ email: ada.email }),
    ],
  ] as const)('is refused because of %s: %s, as a value without the token', async (_, code, config, given) => {
    await start(config)
    const idToken = await (given ?? (() => tokenOf(mary)))()
    const traced: unknown[] = []
    trace$(app).subscribe(event => traced.push(event))
    const result = await signInWithAppleToken(app, { idToken })
    expect(result).toMatchObject({ ok: false, error: { code } })
    const { error } = result as { readonly error: AnyAuthError }
    const said = `${JSON.stringify(traced)} ${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`
    expect(traced).not.toEqual([])
    expect(said).not.toContain(idToken)
    expect(await app.user$.get()).toBeNull()
    expect(app.flow$.value).toMatchObject({ status: 'failed', error: { code } })
  })

  // Promise: apple-token
  it.each([
    ['waits as long as `retry-after` says', { status: 429, retryAfter: '0' }, null],
    ['rejects after a failure of the server', { status: 500 }, 'REQUEST_FAILED'],
    ['rejects after a lost answer', { loseResponse: true }, 'NETWORK_ERROR'],
    ['rejects after an invalid answer', { body: 'wrong-code' }, 'INVALID_RESPONSE'],
  ] as const)('%s, and can be tried again with the same token', async (_, fault, code) => {
    await start()
    const idToken = await tokenOf(mary)
    way.platform.faults.next(route, fault)
    const outcome = signInWithAppleToken(app, { idToken })
    if (code === null) expect(await outcome).toMatchObject({ ok: true })
    else {
      const error = await outcome.catch((failure: unknown) => failure as AnyAuthError)
      expect(error).toMatchObject({ code })
      expect(JSON.stringify(error)).not.toContain(idToken)
      expect(app.flow$.value).toEqual({ status: 'idle' })
      expect(await signInWithAppleToken(app, { idToken })).toMatchObject({ ok: true })
    }
  })

  // Promise: apple-token
  it('can be aborted, and sends nothing that is no text', async () => {
    await start()
    const signal = AbortSignal.abort()
    const aborted = signInWithAppleToken(app, { idToken: await tokenOf(mary) }, { signal })
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
    const nothing = signInWithAppleToken(app, { idToken: 5 as never })
    await expect(nothing).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'idToken' } })
    expect(way.answersTo(route)).toEqual([])
  })
})
