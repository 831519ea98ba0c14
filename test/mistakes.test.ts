import { createClientApp, createKit, cookieTokens, memoryTokens, orThrow, query } from 'rxauth'
import type { ClientApp, ClientOptions } from 'rxauth'
import type { PlatformOptions } from 'rxauth/platform'
import { ada, world } from './world'
import type { World } from './world'

const local = { baseUrl: 'http://localhost:8102' }
const invalid = (field: string): Error =>
  expect.objectContaining({ code: 'INVALID_INPUT', details: { field, reason: expect.any(String) } }) as Error

describe('a kit', () => {
  it('without options says what it needs', () => {
    expect(() => createClientApp(undefined as never)).toThrow(invalid('options'))
    expect(() => createClientApp(undefined as never)).toThrow(/cookieTokens\(\)/)
  })

  it.each<[what: string, tokens: unknown, says: RegExp]>([
    ['a name', 'cookie', /is not a token store; pass .*cookieTokens\(\)/],
    ['nothing', undefined, /is missing; pass .*cookieTokens\(\)/],
    ['a function that is not called', cookieTokens, /call it: cookieTokens\(\), not cookieTokens/],
    ['an object that is no store', {}, /is not a token store/],
  ])('with %s for a token store says so', (_, tokens, says) => {
    const make = () => createKit({ ...local, tokens } as ClientOptions)
    expect(make).toThrow(invalid('tokens'))
    expect(make).toThrow(says)
  })

  it.each(['http://localhost:8102/api/v1', 'https://auth.example.com/api/v1/'])('refuses the base %s', baseUrl => {
    expect(() => createKit({ baseUrl, projectId: 'p', tokens: memoryTokens() })).toThrow(/ends in \/api\/v1/)
  })
})

describe('a query of the app', () => {
  const load = () => Promise.resolve(1)

  it.each([undefined, ''])('needs a key, not %p', key => {
    expect(() => query(load, { key, ownedBy: 'app' } as never)).toThrow(invalid('key'))
  })

  it('cannot have the key of another one', async () => {
    const { app, settled } = await world()
    const one$ = query(load, { key: 'numbers', ownedBy: 'app' })
    const two$ = query(load, { key: 'numbers', ownedBy: 'app' })
    const subscription = one$(app).subscribe()
    await settled(one$(app).get())
    await expect(settled(two$(app).get())).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    subscription.unsubscribe()
  })
})

describe('a call', () => {
  type Config = NonNullable<NonNullable<NonNullable<PlatformOptions['seed']>['project']>['config']>
  const email = 'new@example.com'
  const callbackUrl = 'http://localhost:3000/handler'
  const password = 'correct horse'
  const credentials = { email, password, verificationCallbackUrl: callbackUrl }
  const nobody = () => Promise.reject(new Error('nobody is to be asked'))
  const authenticator = { create: nobody, get: nobody }

  it('with positional arguments says that it takes one object', async () => {
    const { app } = await world()
    const call = (app.signInWithPassword as unknown as (...args: string[]) => Promise<unknown>)('ada@example.com', 'x')
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('one object') })
  })

  it('whose promise goes to orThrow says that it has to be awaited', async () => {
    const { app, settled } = await world()
    const call = app.signInWithPassword({ email: 'ada@example.com', password: 'wrong' })
    expect(() => orThrow(call as never)).toThrow(/await it first/)
    await settled(call)
  })

  it.each(['ada', 'ada@example', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com@example.com', ''])(
    'that signs up with the address "%s" returns what is wrong with it',
    async email => {
      const { newApp, settled, requests } = await world()
      const call = newApp().signUpWithPassword({
        email,
        password: 'correct horse',
        verificationCallbackUrl: 'http://localhost/x',
      })
      expect(await settled(call)).toMatchObject({
        ok: false,
        error: { code: 'INVALID_INPUT', details: { field: 'email' } },
      })
      expect(requests).toEqual([])
    },
  )

  it.each<[setting: string, config: Config, call: (world: World) => Promise<unknown>]>([
    ['sign_up_enabled', { signUpEnabled: false }, ({ newApp }) => newApp().signUpWithPassword(credentials)],
    [
      'credential_enabled',
      { credentialEnabled: false },
      ({ newApp }) => newApp().signInWithPassword({ email, password }),
    ],
    [
      'magic_link_enabled',
      { magicLinkEnabled: false },
      ({ newApp }) => newApp().sendMagicLinkEmail({ email, callbackUrl }),
    ],
    [
      'passkey_enabled',
      { passkeyEnabled: false },
      ({ newApp }) => newApp().signInWithPasskey({ hostname: 'localhost', authenticator }),
    ],
    ['anonymous_sign_up_enabled', { anonymousSignUpEnabled: false }, ({ newApp }) => newApp().signUpAnonymously()],
    ['client_user_deletion_enabled', { clientUserDeletionEnabled: false }, ({ app }) => app.deleteUser()],
  ])('of a method that is switched off says what switches it on: %s', async (setting, config, call) => {
    const given = await world({ platform: { seed: { users: [ada], project: { config } } } })
    // Some of these refusals are thrown, others returned.
    const message = await given.settled(
      call(given).then(
        result => (result as { readonly error: Error }).error.message,
        (error: unknown) => (error as Error).message,
      ),
    )
    expect(message).toMatch(new RegExp(`: switch on ${setting}\\.$`))
  })

  it.each<[owners: string, setting: string, create: (app: ClientApp) => Promise<unknown>]>([
    ['users', 'allow_user_api_keys', (app: ClientApp) => app.createUserApiKey({ description: 'ci' })],
    [
      'teams',
      'allow_team_api_keys',
      (app: ClientApp) => app.createTeamApiKey({ teamId: 'b0c1d2e3-1111-4222-8333-444455556666', description: 'ci' }),
    ],
  ])('of API keys of %s that are switched off says that %s switches them on', async (_, setting, create) => {
    const { app, settled } = await world()
    await expect(settled(create(app))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 400,
      message: expect.stringContaining(`switch on ${setting}`) as string,
    })
  })
})
