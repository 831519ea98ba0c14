import { firstValueFrom } from 'rxjs'
import { AuthError, isAuthError, passkeyAutofill$, type ClientApp, type Result, type SignedIn } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { leavePages, showPage } from '../page'
import { tabStorage } from '../tab-storage'
import { credentialsOf } from '../tabs'
import { ada, world } from '../world'
import { askForTotp, guarded, secret, tab } from './flow-world'

const hostname = 'localhost'
const config = { magicLinkEnabled: true, passkeyEnabled: true } as const

type SignIn = (app: ClientApp, round: number, totp: string) => Promise<Result<SignedIn, unknown>>

/** Ada and Grace have passkeys, and Grace has a second factor. Pages of one tab. */
async function people() {
  const inner = await world({ platform: { seed: { project: { config }, users: [ada, guarded] } } })
  const { newApp, platform, settled, tokensOf, clock } = inner
  const passkeyOf = async (person: typeof ada) => {
    const authenticator = platform.authenticator()
    const app = newApp({ tokens: await tokensOf(person) })
    expect(await settled(app.registerPasskey({ hostname, authenticator }))).toMatchObject({ ok: true })
    return { hostname, authenticator }
  }
  const [adas, graces] = [await passkeyOf(ada), await passkeyOf(guarded)]
  const email = 'mailed@example.com'
  const mailed = async (app: ClientApp) => {
    await app.sendMagicLinkEmail({ email, callbackUrl: 'http://localhost/mail' })
    return platform.mailbox(email).next()
  }
  const ways: Readonly<Record<string, SignIn>> = {
    'with a password': app => app.signInWithPassword(credentialsOf(ada)),
    'as a new user': (app, round) =>
      app.signUpWithPassword({
        email: `new-${round}@example.com`,
        password: ada.password,
        verificationCallbackUrl: 'http://localhost/verify',
      }),
    'with a typed code': async app => app.signInWithMagicLink({ code: (await mailed(app)).code ?? '' }),
    'with a mailed link': async app => {
      const [link = ''] = (await mailed(app)).links
      return app.signInWithMagicLink({ code: new URL(link).searchParams.get('code') ?? '' })
    },
    'with a passkey': app => app.signInWithPasskey(adas),
    'with what is saved': app => app.signInWithSaved(adas),
    'with a password that needs more': app => app.signInWithPassword(credentialsOf(guarded)),
    'with six digits': async (app, _, totp) => {
      await firstValueFrom(passkeyAutofill$(app, graces))
      return app.continueSignIn({ totp })
    },
    'by autofill': app => firstValueFrom(passkeyAutofill$(app, adas)),
    'by autofill that needs more': app => firstValueFrom(passkeyAutofill$(app, graces)),
    'as a guest': async app => ({ ok: true, value: await app.signUpAnonymously() }),
    'as a guest, after a wrong password': async app => {
      await app.signInWithPassword({ ...credentialsOf(ada), password: 'wrong' })
      return { ok: true, value: await app.signUpAnonymously() }
    },
  }
  const sessionStorage = tabStorage()
  /** Signs in and goes on, three times within ten seconds; the code of a redirect that was refused. */
  const thrice = async (name: string) => {
    let code: unknown
    for (let round = 0; round < 3; round++) {
      const app = newApp({ navigate: () => undefined, host: { sessionStorage } })
      const totp = await totpCode(secret, clock.now())
      const result = await settled(ways[name]!(app, round, totp))
      if (!result.ok) expect(result.error).toMatchObject({ code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' })
      const going = app.navigateAfterAuth(result).catch((error: unknown) => (code = isAuthError(error) && error.code))
      await clock.advance(2000)
      await going
      await settled(app.signOut())
    }
    return code
  }
  return { thrice }
}

afterEach(leavePages)

describe('the third sign-in of a tab within ten seconds', () => {
  // Promise: typed-sign-ins
  it.each([
    'with a password',
    'as a new user',
    'with a typed code',
    'with a mailed link',
    'with a passkey',
    'with what is saved',
    'with a password that needs more',
    'with six digits',
  ])('%s goes on: it was typed or pressed', async name => {
    const { thrice } = await people()
    expect(await thrice(name)).toBeUndefined()
  })

  // Promise: typed-sign-ins
  it.each(['by autofill', 'by autofill that needs more', 'as a guest', 'as a guest, after a wrong password'])(
    '%s is REDIRECT_LOOP: a page can begin it by itself',
    async name => {
      const { thrice } = await people()
      expect(await thrice(name)).toBe('REDIRECT_LOOP')
    },
  )
})

it('a sign-in goes to the return address of the page where it began, wherever a router has gone meanwhile', async () => {
  const location = { href: 'https://app.example.com/sign-in?after_auth_return_to=%2Finbox' }
  showPage({ location })
  const { clock, newApp, platform, settled } = await world()
  platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
  const signingIn = newApp().signInWithPassword(credentialsOf(ada))
  await clock.advance(500)
  location.href = 'https://app.example.com/'
  await clock.advance(500)
  expect(await settled(signingIn)).toMatchObject({ value: { next: '/inbox' } })
})

describe('a function of urls that throws', () => {
  const cause = new Error('no locale')
  const failing = () => {
    throw cause
  }

  // Promise: urls-function
  it.each(['home', 'afterSignIn', 'afterSignUp'] as const)('refuses a sign-in before a request: %s', async name => {
    const { newApp, requests, settled } = await world()
    const app = newApp({ urls: { [name]: failing } })
    const signingIn = settled(app.signInWithPassword(credentialsOf(ada)))
    await expect(signingIn).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause })
    expect([requests, app.flow$.value]).toEqual([[], { status: 'idle' }])
  })

  it('refuses a second factor before a request, and keeps the attempt', async () => {
    const one = await tab()
    await askForTotp(one)
    const other = one.newTab({ urls: { afterSignIn: failing } })
    one.requests.length = 0
    const continuing = one.settled(other.continueSignIn({ totp: await one.totp() }))
    await expect(continuing).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause })
    expect(one.requests).toEqual([])
    expect(await one.settled(one.newTab().continueSignIn({ totp: await one.totp() }))).toMatchObject({ ok: true })
  })

  it('is an AuthError if it throws one', async () => {
    const { newApp, settled } = await world()
    const error = new AuthError('ABORTED', 'not now')
    const afterSignIn = () => {
      throw error
    }
    const signingIn = settled(newApp({ urls: { afterSignIn } }).signInWithPassword(credentialsOf(ada)))
    await expect(signingIn).rejects.toBe(error)
  })
})
