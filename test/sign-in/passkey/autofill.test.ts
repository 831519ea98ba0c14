import { passkeyAutofill$, type ClientApp, type PasskeyAuthenticator, type PasskeyCeremony } from 'rxauth'
import { totpCode } from '../../../src/core/totp'
import { PasskeyTurns } from '../../../src/sign-in/passkey/turns'
import { listening } from '../../listening'
import { credentialsOf } from '../../tabs'
import { ada } from '../../world'
import { guarded, secret } from '../flow-world'
import { device, hostname } from './autofill-world'

const challenge = 'POST /auth/passkey/initiate-passkey-authentication'

function notLoaded(): never {
  throw new TypeError('Failed to fetch')
}

describe('passkeyAutofill$', () => {
  it('waits for a choice, and signs in', async () => {
    const { autofill$, waiting, clock, app } = await device()
    const results: unknown[] = []
    autofill$.subscribe(result => results.push(result))
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
    waiting[0]!.choose()
    await clock.advance(0)
    expect(results).toEqual([{ ok: true, value: { userId: expect.any(String), isNewUser: false, next: '/' } }])
    expect(app.flow$.value).toMatchObject({ status: 'done' })
  })

  it('sends nothing before a subscriber, and leaves nothing behind', async () => {
    const { autofill$, waiting, clock, app, requests } = await device()
    await clock.advance(1000)
    expect(requests).toEqual([])
    const subscription = autofill$.subscribe()
    await clock.advance(0)
    const [one] = waiting
    subscription.unsubscribe()
    expect(one!.signal.aborted).toBe(true)
    await clock.advance(10_000)
    expect(waiting).toEqual([])
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it('does not listen to its caller any more once a ceremony has ended, or has waited for a button', async () => {
    const turns = new PasskeyTurns()
    const { signal } = new AbortController()
    const listeners = listening(signal)
    await turns.wait(signal, () => Promise.resolve())
    const pressed = turns.press(() => Promise.resolve())
    await turns.wait(signal, () => Promise.resolve())
    await pressed
    expect(listeners.size).toBe(0)
  })

  it('waits once for several subscribers, and for StrictMode', async () => {
    const { autofill$, asked, waiting, clock } = await device()
    const results: unknown[] = []
    autofill$.subscribe().unsubscribe()
    autofill$.subscribe(result => results.push(result))
    autofill$.subscribe(result => results.push(result))
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
    expect(asked).toHaveLength(1)
    waiting[0]!.choose()
    await clock.advance(0)
    expect(results).toHaveLength(2)
    expect(results[1]).toBe(results[0])
  })

  it('makes way for a button, and goes on after it', async () => {
    const { autofill$, asked, waiting, clock, app, input } = await device()
    const results: unknown[] = []
    autofill$.subscribe(result => results.push(result))
    await clock.advance(0)
    const refusing = { ...input, authenticator: { ...input.authenticator, get: () => Promise.reject(new Error('no')) } }
    const pressed = app.signInWithPasskey(refusing)
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(waiting).toEqual([])
    await clock.advance(0)
    expect(await pressed).toMatchObject({ ok: false, error: { code: 'PASSKEY_WEBAUTHN_ERROR' } })
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
    expect(results).toEqual([])
  })

  it('rests while a user is signed in, and continues after the sign-out', async () => {
    const { autofill$, waiting, clock, app, input, settled } = await device()
    autofill$.subscribe()
    await clock.advance(0)
    await settled(app.signInWithPasskey(input))
    await clock.advance(1000)
    expect(waiting).toEqual([])
    await settled(app.signOut())
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
  })

  it('is called off by a sign-in of another kind, and continues after the sign-out', async () => {
    const { autofill$, waiting, asked, clock, app, settled } = await device()
    autofill$.subscribe()
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
    await settled(app.signInWithPassword(credentialsOf(ada)))
    expect(waiting).toEqual([])
    await clock.advance(120_000)
    expect(asked).toHaveLength(1)
    await settled(app.signOut())
    await clock.advance(0)
    expect(waiting).toHaveLength(1)
  })

  it('leaves nothing behind when the last subscriber leaves while a user is signed in', async () => {
    const { autofill$, clock, app, input, settled } = await device()
    await settled(app.signInWithPasskey(input))
    const before = app.inspect()
    const subscription = autofill$.subscribe()
    await clock.advance(0)
    subscription.unsubscribe()
    await clock.advance(10_000)
    expect(app.inspect()).toEqual(before)
  })

  it('asks for a new challenge after 55 s, before the old one has expired', async () => {
    const { autofill$, asked, waiting, clock, requests } = await device()
    autofill$.subscribe()
    await clock.advance(54_999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    expect(asked).toHaveLength(2)
    expect(requests.filter(line => line === challenge)).toHaveLength(2)
    await clock.advance(54_000)
    waiting[0]!.choose()
    await clock.advance(0)
    expect(asked).toHaveLength(2)
  })

  it('waits longer after every refusal, up to a minute, and never errors', async () => {
    const { autofill$, asked, waiting, clock } = await device()
    const errors: unknown[] = []
    autofill$.subscribe({ error: error => errors.push(error) })
    await clock.advance(0)
    for (const [index, millis] of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].entries()) {
      expect(asked).toHaveLength(index + 1)
      waiting[0]!.fail('NotAllowedError')
      await clock.advance(millis - 1)
      expect(asked).toHaveLength(index + 1)
      await clock.advance(1)
    }
    expect(errors).toEqual([])
  })

  it('goes on when the platform can be reached again', async () => {
    const { autofill$, waiting, clock, platform } = await device()
    const stop = platform.faults.every(challenge, { status: 503 })
    autofill$.subscribe()
    await clock.advance(10_000)
    expect(waiting).toEqual([])
    stop()
    await clock.advance(60_000)
    expect(waiting).toHaveLength(1)
  })

  it('emits that a second factor is needed', async () => {
    const { autofill$, waiting, clock, app: other, platform, newApp, tokensOf, settled } = await device()
    const tokens = await settled(tokensOf(ada))
    await settled(newApp({ tokens }).updateUser({ totpSecretBase64: btoa('12345678901234567890') }))
    platform.faults.clear()
    const codes: unknown[] = []
    autofill$.subscribe(result => codes.push(result.ok || result.error.code))
    await clock.advance(0)
    waiting[0]!.choose()
    await clock.advance(0)
    expect(codes).toEqual(['MULTI_FACTOR_AUTHENTICATION_REQUIRED'])
    expect(other.flow$.value).toEqual({ status: 'second-factor' })
  })

  it.each<[what: string, before: (app: ClientApp) => Promise<unknown>]>([
    ['a wrong password', (app: ClientApp) => app.signInWithPassword({ ...credentialsOf(ada), password: 'wrong pass' })],
    [
      'a mail with a code',
      (app: ClientApp) => app.sendMagicLinkEmail({ email: ada.email, callbackUrl: `http://${hostname}/` }),
    ],
  ])('counts from the choice: after %s the second factor continues it', async (_, before) => {
    const { autofill$, waiting, clock, app, newApp, tokensOf, settled } = await device()
    const tokens = await settled(tokensOf(ada))
    await settled(newApp({ tokens }).updateUser({ totpSecretBase64: guarded.totpSecret }))
    autofill$.subscribe()
    await clock.advance(0)
    await settled(before(app))
    waiting[0]!.choose()
    await clock.advance(0)
    expect(app.flow$.value).toEqual({ status: 'second-factor' })
    const signedIn = await settled(app.continueSignIn({ totp: await totpCode(secret, clock.now()) }))
    expect(signedIn.ok).toBe(true)
  })

  it('is silent where the browser cannot do it, and outside one', async () => {
    const { app, input, clock, requests } = await device()
    const unable = { ...input.authenticator, supportsAutofill: () => Promise.resolve(false) }
    passkeyAutofill$(app, { ...input, authenticator: unable }).subscribe()
    await clock.advance(1000)
    app.passkeyAutofill$().subscribe()
    await clock.advance(1000)
    expect(requests).toEqual([])
  })

  // Promise: hanging-browser
  it('begins anew where the one before never answers, and drops what it says later', async () => {
    const { clock, app, requests, input } = await device()
    const asked: PasskeyCeremony[] = []
    let answer: () => void = () => undefined
    const authenticator: PasskeyAuthenticator = {
      ...input.authenticator,
      get: (options, ceremony) =>
        new Promise((resolve, reject) => {
          asked.push(ceremony)
          answer = () => void input.authenticator.get(options, { ...ceremony, autofill: false }).then(resolve, reject)
        }),
    }
    const subscription = passkeyAutofill$(app, { ...input, authenticator }).subscribe()
    await clock.advance(0)
    const late = answer
    await clock.advance(55_000)
    expect(asked).toHaveLength(2)
    subscription.unsubscribe()
    late()
    answer()
    await clock.advance(10_000)
    expect(requests).not.toContain('POST /auth/passkey/sign-in')
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it.each([
    ['throws', () => notLoaded()],
    ['rejects', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])(
    'tries again when the code that knows whether the browser can do it could not be loaded, and %s',
    async (_, fail) => {
      const { app, input, clock, waiting } = await device()
      let tries = 0
      const supportsAutofill = () => (tries++ === 0 ? fail() : Promise.resolve(true))
      passkeyAutofill$(app, { ...input, authenticator: { ...input.authenticator, supportsAutofill } }).subscribe()
      await clock.advance(999)
      expect(waiting).toHaveLength(0)
      await clock.advance(1)
      expect(waiting).toHaveLength(1)
    },
  )

  it('ends while the browser does not say whether it can do it', async () => {
    const { app, input, clock, requests } = await device()
    let answer: (can: boolean) => void = () => undefined
    const supportsAutofill = () => new Promise<boolean>(resolve => (answer = resolve))
    const authenticator = { ...input.authenticator, supportsAutofill }
    passkeyAutofill$(app, { ...input, authenticator })
      .subscribe()
      .unsubscribe()
    answer(true)
    await clock.advance(1000)
    expect(requests).toEqual([])
  })

  it('completes with the kit', async () => {
    const { autofill$, clock, app } = await device()
    let completed = false
    autofill$.subscribe({ complete: () => (completed = true) })
    await clock.advance(0)
    app.dispose()
    await clock.advance(0)
    expect(completed).toBe(true)
  })
})
