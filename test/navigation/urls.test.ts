import { AuthError } from 'rxauth'
import { urlNames, urlOf, type HandlerUrls, type UrlOptions } from '../../src/navigation/urls'

function resolved(urls: UrlOptions = {}, href?: string) {
  return Object.fromEntries(urlNames.map(name => [name, urlOf({ urls, href: () => href }, name)]))
}

const defaults: HandlerUrls = {
  handler: '/handler',
  home: '/',
  signIn: '/handler/sign-in',
  signUp: '/handler/sign-up',
  afterSignIn: '/',
  afterSignUp: '/',
  signOut: '/handler/sign-out',
  afterSignOut: '/',
  emailVerification: '/handler/email-verification',
  passwordReset: '/handler/password-reset',
  forgotPassword: '/handler/forgot-password',
  oauthCallback: '/handler/oauth-callback',
  magicLinkCallback: '/handler/magic-link-callback',
  accountSettings: '/handler/account-settings',
  error: '/handler/error',
  teamInvitation: '/handler/team-invitation',
  mfa: '/handler/mfa',
  cliAuthConfirm: '/handler/cli-auth-confirm',
}

describe('the addresses of an app', () => {
  it('have these defaults', () => {
    expect(resolved()).toEqual(defaults)
    expect(resolved({})).toEqual(defaults)
  })

  it.each(Object.keys(defaults).filter(name => name !== 'handler') as (keyof HandlerUrls)[])(
    'can be overridden one by one: %s',
    name => {
      expect(resolved({ [name]: '/mine' })[name]).toBe('/mine')
    },
  )

  it('ignore what is undefined', () => {
    const nothing = Object.fromEntries(Object.keys(defaults).map(name => [name, undefined]))
    expect(resolved(nothing)).toEqual(defaults)
  })

  it.each(['/auth', '/auth/', '/auth///'])('follow the handler %s', handler => {
    expect(resolved({ handler })).toMatchObject({
      handler: '/auth',
      signIn: '/auth/sign-in',
      mfa: '/auth/mfa',
      home: '/',
    })
  })

  it('default to each other: after sign-up to after sign-in, that and after sign-out to home', () => {
    expect(resolved({ home: '/home' })).toMatchObject({
      afterSignIn: '/home',
      afterSignUp: '/home',
      afterSignOut: '/home',
    })
    expect(resolved({ home: '/home', afterSignIn: '/in' })).toMatchObject({
      afterSignUp: '/in',
      afterSignOut: '/home',
    })
  })
})

describe('an address that is a function', () => {
  const locale = ({ pathname }: URL) => (/^\/(de|fr)(?=\/)/.exec(pathname) ?? [''])[0]

  it('is asked for each address anew, also for those that follow from it', () => {
    const urls: UrlOptions = {
      handler: url => `${locale(url)}/auth/`,
      home: url => `${locale(url)}/home`,
      signIn: url => (locale(url) ? `${locale(url)}/anmelden` : undefined),
    }
    expect(resolved(urls, 'https://app.example.com/de/invoices')).toMatchObject({
      handler: '/de/auth',
      signIn: '/de/anmelden',
      mfa: '/de/auth/mfa',
      afterSignUp: '/de/home',
      afterSignOut: '/de/home',
    })
    expect(resolved(urls, 'https://app.example.com/invoices')).toMatchObject({ signIn: '/auth/sign-in', home: '/home' })
  })

  it('gets the address as a URL of its own, and a placeholder where there is no page', () => {
    const seen: string[] = []
    const signIn = (url: URL) => {
      seen.push(url.href)
      url.pathname = '/changed'
      return '/in'
    }
    for (const href of ['https://app.example.com/a?b=c#/d', 'about:blank', undefined])
      for (let times = 0; times < 2; times++) urlOf({ urls: { signIn }, href: () => href }, 'signIn')
    expect([...new Set(seen)]).toEqual(['https://app.example.com/a?b=c#/d', 'about:blank', 'https://relative.invalid/'])
  })

  // Promise: urls-function
  it('that throws is CALLBACK_FAILED with the cause, an AuthError itself', () => {
    const cause = new Error('no locale')
    const failing = (error: unknown) => () => {
      throw error
    }
    const ask = (error: unknown) => () => resolved({ handler: failing(error) })
    expect(ask(cause)).toThrow(expect.objectContaining({ code: 'CALLBACK_FAILED', cause }))
    expect(ask(undefined)).toThrow(expect.objectContaining({ code: 'CALLBACK_FAILED' }))
    const own = new AuthError('ABORTED', 'no')
    expect(ask(own)).toThrow(own)
  })

  it.each([[null], [7], [new URL('https://app.example.com/in')], [Promise.resolve('/in')]])(
    'that returns %p is INVALID_INPUT',
    value => {
      const urls = { mfa: () => value } as unknown as UrlOptions
      expect(() => resolved(urls)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'urls.mfa' }) }),
      )
    },
  )
})
