import { firstValueFrom, type Observable } from 'rxjs'
import * as client from 'rxauth'
import { isAuthError, orThrow, query, type ClientApp, type Store } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { PlatformOptions } from 'rxauth/platform'
import { adminCalls, clientCalls, kitCalls, serverCalls } from '../needs-input'
import { ada, world, type World } from '../world'
import { invalid } from './mistaken-calls'

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
  const unused = () => Promise.reject(new Error('this must not be called'))
  const authenticator = { create: unused, get: unused }

  it('with positional arguments says that it takes one object', async () => {
    const { app } = await world()
    const call = (app.signInWithPassword as unknown as (...args: string[]) => Promise<unknown>)('ada@example.com', 'x')
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('one object') })
  })

  /** The result of a call without an input. */
  async function withoutInput(call: unknown, ...before: unknown[]): Promise<unknown> {
    const outcome = (call as (...given: unknown[]) => unknown)(...before)
    if (typeof outcome !== 'object' || outcome === null || 'then' in outcome) return outcome
    return 'get' in outcome ? (outcome as Store<unknown>).get() : firstValueFrom(outcome as Observable<unknown>)
  }
  const missing = { code: 'INVALID_INPUT', message: expect.stringMatching(/^\w+ is (missing|required)\b/) as string }
  const inBrowser = {
    host: { cookies: { get: () => '', set: () => undefined }, openWindow: () => null },
    navigate: () => undefined,
    urls: { handler: 'http://localhost:3000/handler' },
  }

  it.each(clientCalls)('without its input says what is missing: %s', async name => {
    const { newApp, tokensOf, inTime } = await world()
    const app = newApp({ ...inBrowser, tokens: await tokensOf(ada) })
    await expect(inTime(withoutInput(Reflect.get(app, name)))).rejects.toMatchObject(missing)
    await expect(inTime(withoutInput(Reflect.get(client, name), app))).rejects.toMatchObject(missing)
  })

  it.each(kitCalls)('of a kit alone says it too, and no app has it: %s', async name => {
    const { newApp, platform, inTime } = await world()
    const app = newApp({ ...inBrowser, ...platform.ownerOptions })
    expect(name in app).toBe(false)
    await expect(inTime(withoutInput(client[name], app))).rejects.toMatchObject(missing)
  })

  it.each([...serverCalls, ...adminCalls])('of a server without its input says what is missing: %s', async name => {
    const { platform, inTime } = await world()
    const admin = createAdminApp(platform.adminOptions)
    await expect(inTime(withoutInput(Reflect.get(admin, name)))).rejects.toMatchObject(missing)
  })

  it('with null in place of its input says that the input is missing', async () => {
    const { app, inTime } = await world()
    await expect(inTime(app.leaveTeam(null as never))).rejects.toMatchObject(missing)
    await expect(inTime(app.updateContactChannel(null as never))).rejects.toMatchObject(missing)
  })

  it.each(['signOut', 'accessToken', 'sendVerificationEmail'])(
    'with null in place of an optional input says what the input is: %s',
    async name => {
      const { app, inTime } = await world()
      await expect(inTime(withoutInput(Reflect.get(app, name), null))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `input of ${name}() is one object of named values, not the null given`,
      })
    },
  )

  it('with null in any place fails with an AuthError, if at all', async () => {
    const { newApp, platform, tokensOf, inTime } = await world()
    const admin = createAdminApp(platform.adminOptions)
    const [raw, tokens] = [new Set<string>(), await tokensOf(ada)]
    for (const name of new Set([...Object.keys(newApp()), ...Object.keys(admin)]))
      // Without those that take what JavaScript's own fetch takes, or a function, and those that end the world.
      for (const args of /^(fetch|derive|dispose|deleteProject)$/.test(name)
        ? []
        : [[null], [{}, null], [undefined, null]]) {
        const app = newApp({ ...inBrowser, tokens })
        const method: unknown = Reflect.get(name in app ? app : admin, name)
        if (typeof method !== 'function') continue
        try {
          const outcome: unknown = Reflect.apply(method, undefined, args)
          if (outcome instanceof Promise) await inTime(outcome)
        } catch (error) {
          if (!isAuthError(error)) raw.add(name)
        }
        app.dispose()
      }
    expect([...raw]).toEqual([])
  })

  it.each([undefined, 'JBSWY3DPEHPK3PXP', new Uint8Array(0)])('of enableTotp needs bytes, not %p', async secret => {
    const { app, inTime } = await world()
    await expect(inTime(app.enableTotp({ secret: secret as never, totp: '123456' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'secret must have 1 to 1024 bytes, not 0',
    })
  })

  it('with a field that it does not take names the field', async () => {
    const { app, settled } = await world()
    const call = app.createTeam({ displayName: 'Engineering', colour: 'red' } as never)
    await expect(settled(call)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^colour is unknown to createTeam; there are: .*\bdisplayName\b/) as string,
    })
  })

  it('with a misspelt provider names those that there are', async () => {
    const config = { oauthProviders: [{ id: 'github', type: 'shared' }] } as const
    const { app, settled } = await world({
      app: inBrowser,
      platform: { seed: { users: [ada], project: { config } } },
    })
    await expect(settled(app.connectedAccountToken({ provider: 'gihtub' }))).rejects.toMatchObject({
      code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      message: 'The OAuth provider "gihtub" is unknown, or not enabled in this project. Enabled: github.',
    })
    const watch = app.project$.subscribe()
    await settled(app.project$.get())
    await expect(app.signInWithOAuth({ provider: 'gihtub' })).rejects.toMatchObject({
      code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      message: 'this project has not enabled the provider "gihtub", only: github',
    })
    watch.unsubscribe()
  })

  it('whose promise goes to orThrow says that it has to be awaited', async () => {
    const { app, settled } = await world()
    const call = app.signInWithPassword({ email: 'ada@example.com', password: 'wrong' })
    expect(() => orThrow(call as never)).toThrow(/await it first/)
    await settled(call)
  })

  it.each<[setting: string, config: Config, call: (world: World) => Promise<unknown>]>([
    ['signUpEnabled', { signUpEnabled: false }, ({ newApp }) => newApp().signUpWithPassword(credentials)],
    [
      'credentialEnabled',
      { credentialEnabled: false },
      ({ newApp }) => newApp().signInWithPassword({ email, password }),
    ],
    [
      'magicLinkEnabled',
      { magicLinkEnabled: false },
      ({ newApp }) => newApp().sendMagicLinkEmail({ email, callbackUrl }),
    ],
    [
      'passkeyEnabled',
      { passkeyEnabled: false },
      ({ newApp }) => newApp().signInWithPasskey({ hostname: 'localhost', authenticator }),
    ],
    ['anonymousSignUpEnabled', { anonymousSignUpEnabled: false }, ({ newApp }) => newApp().signUpAnonymously()],
    ['clientUserDeletionEnabled', { clientUserDeletionEnabled: false }, ({ app }) => app.deleteUser()],
  ])('of a method that is switched off says what switches it on: %s', async (setting, config, call) => {
    const given = await world({ platform: { seed: { users: [ada], project: { config } } } })
    // Some refusals are thrown, others returned.
    const message = await given.settled(
      call(given).then(
        result => (result as { readonly error: Error }).error.message,
        (error: unknown) => (error as Error).message,
      ),
    )
    expect(message).toMatch(new RegExp(`: switch on ${setting}\\.$`))
  })

  it.each<[owners: string, setting: string, create: (app: ClientApp) => Promise<unknown>]>([
    ['users', 'allowUserApiKeys', (app: ClientApp) => app.createUserApiKey({ description: 'ci' })],
    [
      'teams',
      'allowTeamApiKeys',
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
