import { confirmIdentity, memoryTokens } from 'rxauth'
import type { ClientOptions, Confirmation, Host, PasskeyAuthenticator, TokenStore } from 'rxauth'
import type { AuthenticatorOptions } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { BehaviorSubject, of } from 'rxjs'
import type { KeyedStorage } from '../../../src/core/web-types'
import { ada, grace, world } from '../../world'

const password: Confirmation = { method: 'password', password: ada.password }
const nothing = { subscriptions: 0, timers: 0, loads: 0, cells: 0 }

async function scene(options: Partial<ClientOptions> = {}) {
  const one = await world({ platform: { seed: { users: [ada, grace, bare], project } }, app: options })
  const idOf = async (query: string) => {
    const server = createServerApp(one.platform.serverOptions)
    const [user] = (await one.settled(server.users$({ query }).get())).items
    server.dispose()
    return user!.id
  }
  const adaId = await idOf(ada.email)
  /** How many sessions Ada has. */
  const sessions = async () => {
    const server = createServerApp(one.platform.serverOptions)
    const all = await one.settled(server.sessionsOf$({ userId: adaId }).get())
    server.dispose()
    return all.length
  }
  const confirm = async () => {
    const result = await one.settled(confirmIdentity(one.app, password))
    if (!result.ok) throw result.error
    return result.value.confirmation
  }
  return { ...one, adaId, sessions, confirm }
}

const project = {
  config: { magicLinkEnabled: true, passkeyEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] },
}
const bare = { email: 'bare@example.com', verified: true }

describe('a confirmation by passkey', () => {
  const hostname = 'localhost'

  /** A device on which Ada has a passkey, and what it has been asked for. */
  async function withDevice(options: AuthenticatorOptions = {}) {
    const one = await scene()
    const device = one.platform.authenticator(options)
    const asked: unknown[] = []
    const authenticator: PasskeyAuthenticator = {
      create: (optionsJson, ceremony) => device.create(optionsJson, ceremony),
      get(optionsJson, ceremony) {
        asked.push((optionsJson as { userVerification: unknown }).userVerification)
        return device.get(optionsJson, ceremony)
      },
    }
    expect(await one.settled(one.app.registerPasskey({ hostname, authenticator }))).toMatchObject({ ok: true })
    return { ...one, authenticator, asked }
  }

  // Promise: confirmation-age
  it('requires that the device verifies its user, which a sign-in leaves to the device', async () => {
    const { app, newApp, settled, authenticator, asked, sessions } = await withDevice()
    const result = await settled(confirmIdentity(app, { method: 'passkey', hostname, authenticator }))
    expect(result).toMatchObject({ ok: true })
    expect(await sessions()).toBe(2)
    expect(await settled(newApp().signInWithPasskey({ hostname, authenticator }))).toMatchObject({ ok: true })
    expect(asked).toEqual(['required', 'preferred'])
  })

  // Promise: confirmation-age
  it('of a security key that cannot verify is refused with a typed error, and signs in all the same', async () => {
    const { app, newApp, settled, authenticator, sessions } = await withDevice({ verifiesUser: false })
    expect(await settled(confirmIdentity(app, { method: 'passkey', hostname, authenticator }))).toMatchObject({
      ok: false,
      error: { code: 'PASSKEY_WEBAUTHN_ERROR', details: { code: 'NotAllowedError' } },
    })
    expect(await sessions()).toBe(1)
    expect(await settled(newApp().signInWithPasskey({ hostname, authenticator }))).toMatchObject({ ok: true })
    expect(await sessions()).toBe(2)
  })
})

describe('a confirmation that is not handed over', () => {
  // Promise: confirm-identity
  it.each([
    [59_999, 2],
    [60_000, 1],
  ])('%i ms later, the user has %i sessions', async (millis, count) => {
    const { clock, confirm, sessions } = await scene()
    await confirm()
    await clock.advance(millis)
    expect(await sessions()).toBe(count)
  })

  it('leaves no timer, subscription or cell behind', async () => {
    const { app, clock, confirm } = await scene()
    await confirm()
    await clock.advance(65_000)
    expect(app.inspect()).toEqual(nothing)
  })

  it.each([
    // The session itself, too.
    ['at a sign-out', ({ app }: Scene) => app.signOut(), 0],
    [
      'with the kit',
      async ({ app }: Scene) => {
        app.dispose()
      },
      1,
    ],
    [
      'when the page is left',
      async (_: Scene, leave: () => void) => {
        leave()
      },
      1,
    ],
  ] as const)('ends at once %s', async (_, end, left) => {
    const shown$ = new BehaviorSubject(true)
    const one = await scene({ host: { shown$ } })
    await one.confirm()
    expect(await one.sessions()).toBe(2)
    const ending = end(one, () => {
      shown$.next(false)
    })
    await one.clock.advance(0)
    expect(await one.sessions()).toBe(left)
    await ending
  })
})

type Scene = Awaited<ReturnType<typeof scene>>

describe('confirming', () => {
  it.each([
    ['method', { method: 'iris' }],
    ['method', {}],
    ['password', { method: 'password' }],
    ['password', { method: 'password', password: '' }],
    ['code', { method: 'magic-link' }],
    ['provider', { method: 'oauth-popup' }],
    ['totp', { method: 'password', password: 'x', totp: 123456 }],
  ])('with a wrong %s is INVALID_INPUT, without a request: %j', async (field, input) => {
    const { app, requests, settled } = await scene()
    requests.length = 0
    await expect(settled(confirmIdentity(app, input as never))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field },
    })
    expect(requests).toEqual([])
    expect(app.inspect()).toEqual(nothing)
  })

  it('while signed out, or as an anonymous user, is USER_AUTHENTICATION_REQUIRED', async () => {
    const { newApp, settled, inTime } = await scene()
    const out = newApp()
    await expect(settled(confirmIdentity(out, password))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    await inTime(out.signUpAnonymously())
    await expect(settled(confirmIdentity(out, password))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
  })

  // Promise: confirmation-age
  it.each(['2.8.18', '2026'] as const)(
    'as an anonymous user, by any method, begins nothing, also where tokens cannot say it: %s',
    async wire => {
      const one = await world({ platform: { wire, seed: { users: [ada, grace, bare], project } } })
      const app = one.newApp()
      await one.inTime(app.signUpAnonymously())
      one.requests.length = 0
      const authenticator: PasskeyAuthenticator = {
        create: () => Promise.reject(new Error('unused')),
        get: () => Promise.reject(new Error('unused')),
      }
      for (const input of [
        password,
        { method: 'passkey', hostname: 'localhost', authenticator },
        { method: 'magic-link', code: 'abcdef', nonce: 'x'.repeat(39) },
      ] as const)
        await expect(one.settled(confirmIdentity(app, input))).rejects.toMatchObject({
          code: 'USER_AUTHENTICATION_REQUIRED',
        })
      expect(one.requests.filter(line => line !== 'GET /users/me')).toEqual([])
    },
  )

  it('with a password, for a user without one, is USER_DOES_NOT_HAVE_PASSWORD', async () => {
    const { newApp, tokensOf, settled } = await scene()
    const app = newApp({ tokens: await tokensOf(bare) })
    expect(await settled(confirmIdentity(app, password))).toMatchObject({
      ok: false,
      error: { code: 'USER_DOES_NOT_HAVE_PASSWORD' },
    })
  })

  it('with a wrong password is returned, and nothing changes', async () => {
    const { app, settled, sessions } = await scene()
    const result = await settled(confirmIdentity(app, { method: 'password', password: 'wrong' }))
    expect(result).toMatchObject({ ok: false, error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    expect(await sessions()).toBe(1)
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })

  it('takes the address from the platform, as it is now', async () => {
    const { app, platform, adaId, settled, clock } = await scene()
    await settled(app.user$.get())
    const server = createServerApp(platform.serverOptions)
    await settled(server.updateUserById({ userId: adaId, primaryEmail: 'countess@example.com' }))
    await clock.advance(6000)
    expect(await settled(confirmIdentity(app, password))).toMatchObject({ ok: true })
  })

  it('ends what it has begun if another user signs in meanwhile, or the user signs out', async () => {
    for (const change of ['switch', 'sign out'] as const) {
      const { app, platform, settled, sessions, clock } = await scene()
      await settled(app.user$.get())
      platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
      const result = confirmIdentity(app, password)
      result.catch(() => undefined)
      await clock.advance(10)
      if (change === 'switch') await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
      else await settled(app.signOut())
      await clock.advance(5000)
      await expect(result).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
      expect(await sessions()).toBe(change === 'switch' ? 1 : 0)
    }
  })

  it('rejects at once for a caller who aborts, and ends the session that it still gets', async () => {
    const { app, platform, settled, sessions, clock } = await scene()
    await settled(app.user$.get())
    platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
    const caller = new AbortController()
    const result = confirmIdentity(app, password, { signal: caller.signal })
    result.catch(() => undefined)
    await clock.advance(10)
    caller.abort()
    await expect(result).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(5000)
    expect(await sessions()).toBe(1)
    expect(app.inspect()).toMatchObject({ timers: 0, subscriptions: 0 })
    await expect(confirmIdentity(app, password, { signal: caller.signal })).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('rejects with DISPOSED when the kit is disposed of meanwhile', async () => {
    const { app, platform, settled, clock } = await scene()
    await settled(app.user$.get())
    platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
    const result = confirmIdentity(app, password)
    result.catch(() => undefined)
    await clock.advance(10)
    app.dispose()
    await expect(result).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(confirmIdentity(app, password)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('rejects with NETWORK_ERROR while the platform cannot be reached', async () => {
    const { app, inTime, platform, settled } = await scene()
    await settled(app.user$.get())
    platform.faults.next('POST /auth/password/sign-in', { loseResponse: true })
    await expect(inTime(confirmIdentity(app, password))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('shows no other store or session of the kit a change, and writes nothing to its token store', async () => {
    const tokens = memoryTokens()
    const { newApp, settled } = await scene()
    const app = newApp({ tokens })
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const [held, statuses] = [await tokens.read(), [] as string[]]
    app.auth$.subscribe(({ status }) => statuses.push(status))
    await settled(app.user$.get())
    expect(await settled(confirmIdentity(app, password))).toMatchObject({ ok: true })
    expect(await tokens.read()).toEqual(held)
    expect(statuses.at(-1)).toBe('signed-in')
    expect(statuses.filter(status => status === 'signed-out')).toEqual([])
  })
})

describe('a page on which a user confirms', () => {
  /** A host that writes down what touches the page. */
  function watched(given: Partial<Host> = {}) {
    const touched: string[] = []
    const storage = (name: string): KeyedStorage => ({
      length: 0,
      key: () => null,
      getItem: () => null,
      setItem: key => touched.push(`${name}.setItem ${key}`),
      removeItem: key => touched.push(`${name}.removeItem ${key}`),
    })
    const host: Host = {
      cookies: { get: () => '', set: cookie => touched.push(`cookie ${cookie}`) },
      locks: {
        request: (name: string, ...rest: unknown[]) => {
          touched.push(`lock ${name}`)
          return (rest.at(-1) as () => Promise<never>)()
        },
      } as NonNullable<Host['locks']>,
      channel: name => {
        touched.push(`channel ${name}`)
        throw new Error('no channels here')
      },
      sessionStorage: storage('sessionStorage'),
      localStorage: storage('localStorage'),
      openWindow: url => {
        touched.push(`window ${url}`)
        return null
      },
      ...given,
    }
    return { host, touched }
  }

  const refuses: PasskeyAuthenticator = {
    create: () => Promise.reject(new Error('unused')),
    get: () => Promise.reject(new DOMException('cancelled', 'NotAllowedError')),
  }

  it.each([
    ['a password', 'good', password],
    ['a wrong password', 'EMAIL_PASSWORD_MISMATCH', { method: 'password', password: 'wrong' } as const],
    [
      'a passkey that is cancelled',
      'PASSKEY_WEBAUTHN_ERROR',
      { method: 'passkey', hostname: 'localhost', authenticator: refuses } as const,
    ],
    [
      'a mistyped code',
      'VERIFICATION_CODE_NOT_FOUND',
      { method: 'magic-link', code: 'abcdef', nonce: 'x'.repeat(39) } as const,
    ],
  ])('by %s (%s) is left untouched: cookies, storage, locks, channels, windows', async (_, outcome, input) => {
    const { host, touched } = watched()
    const { app, clock, settled, sessions } = await scene({ host })
    await settled(app.user$.get())
    touched.length = 0
    const result = await settled(confirmIdentity(app, input))
    expect(result.ok ? 'good' : result.error.code).toBe(outcome)
    await clock.advance(65_000)
    expect(touched).toEqual([])
    expect(await sessions()).toBe(1)
    expect(app.inspect()).toEqual(nothing)
  })

  it('whose popup is blocked gets POPUP_BLOCKED, and nothing is left', async () => {
    const { host, touched } = watched()
    const { app, clock, settled, sessions } = await scene({
      host,
      urls: { oauthCallback: 'http://localhost/back', error: 'http://localhost/error' },
    })
    await settled(app.user$.get())
    touched.length = 0
    await expect(settled(confirmIdentity(app, { method: 'oauth-popup', provider: 'github' }))).rejects.toMatchObject({
      code: 'POPUP_BLOCKED',
    })
    expect(touched).toEqual(['window about:blank'])
    expect(await sessions()).toBe(1)
    await clock.advance(6000)
    expect(app.inspect()).toEqual(nothing)
  })

  it('at a custom provider keeps its id as the owner has written it', async () => {
    const { newApp, platform, settled } = await scene()
    const app = newApp({
      host: watched().host,
      urls: { oauthCallback: 'http://localhost/back', error: 'http://localhost/error' },
      tokens: await settled(platform.tokensFor(ada.email)),
      async fetch(...request) {
        const answer = await platform.options.fetch(...request)
        const text = await answer.text()
        return new Response(text.replaceAll('"id":"github"', '"id":"AcmeSSO"'), answer)
      },
    })
    await settled(app.project$.get())
    const refusal = async (provider: string) =>
      settled(confirmIdentity(app, { method: 'oauth-popup', provider })).catch((error: unknown) => error)
    expect(await refusal('AcmeSSO')).toMatchObject({ code: 'POPUP_BLOCKED' })
    expect(await refusal('acmesso')).toMatchObject({ code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' })
  })

  it('that is hidden when the answer comes keeps no confirmation: its session ends at once', async () => {
    const { app, clock, settled, sessions } = await scene({ host: { shown$: of(false) } })
    await settled(confirmIdentity(app, password))
    expect(await sessions()).toBe(1)
    await clock.advance(6000)
    expect(app.inspect()).toEqual(nothing)
  })

  it('whose session another tab has replaced unseen gets SESSION_CHANGED, and the confirmation ends', async () => {
    const tokens = memoryTokens()
    // Without a word to this tab.
    const silent = { ...tokens, watch: undefined } as unknown as TokenStore
    const { newApp, platform, settled, sessions, clock, tokensOf } = await scene()
    const app = newApp({ tokens: silent })
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    await settled(app.user$.get())
    platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
    const result = confirmIdentity(app, password)
    result.catch(() => undefined)
    await clock.advance(10)
    await tokens.replace(await tokens.read(), await ((await tokensOf(grace)) as TokenStore).read())
    await clock.advance(5000)
    await expect(result).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(await sessions()).toBe(2)
  })

  it('twice at once gets two confirmations, and both sessions end', async () => {
    const { app, clock, settled, sessions } = await scene()
    const both = await settled(Promise.all([confirmIdentity(app, password), confirmIdentity(app, password)]))
    expect(new Set(both.map(result => result.ok && result.value.confirmation)).size).toBe(2)
    expect(await sessions()).toBe(3)
    await clock.advance(65_000)
    expect(await sessions()).toBe(1)
  })
})
