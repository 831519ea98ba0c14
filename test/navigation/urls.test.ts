import { urlNames, urlOf } from '../../src/navigation/urls'
import type { HandlerUrls } from '../../src/navigation/urls'

function resolved(own: Partial<HandlerUrls> = {}) {
  return Object.fromEntries(urlNames.map(name => [name, urlOf(own, name)]))
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
