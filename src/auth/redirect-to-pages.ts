import type { Result } from '../core/result'
import { isAuthError } from '../errors/auth-error'
import { given } from '../errors/given'
import { afterAuth, presentPage, rememberedReturn, withReturn } from '../navigation/targets'
import type { HandlerUrls } from '../navigation/urls'
import { coreOf } from '../store/core'
import type { Kit } from '../store/kit'
import { flowOf } from './flow'
import { assertTrusted, redirect } from './redirect'
import type { SignedIn } from './signed-in'

/**
 * Options of a redirect.
 *
 * @example
 * const options: RedirectOptions = { returnTo: '/invoices', replace: true }
 * await app.redirectToSignIn(options)
 */
export interface RedirectOptions {
  /** Leaves no entry in the history. */
  readonly replace?: boolean
  /** Not caused by a click: REDIRECT_LOOP at the third time within ten seconds instead of the eleventh. */
  readonly automatic?: boolean
  /** Sign-in and sign-up do not return here; after-sign-in and after-sign-up ignore the return address. */
  readonly noRedirectBack?: boolean
  /**
   * The URL to return to after signing in, instead of the present page; or the target after signing in or out, instead of
   * the app's page for it. Throws INVALID_INPUT if it is not trusted.
   */
  readonly returnTo?: string
}

/** True if it navigated and waited; false if the kit does not navigate (`navigate: 'none'`, a server). */
type Redirect = (kit: Kit<never>, options?: RedirectOptions) => Promise<boolean>

/** A redirect to a page without a return address. */
function to(key: keyof HandlerUrls): Redirect {
  return (kit, options) => redirect(kit, coreOf(kit).navigation.urls[key], options)
}

/** A redirect to a page of the sign-in, with the return address. */
function toAuth(key: keyof HandlerUrls, comesBackHere: boolean): Redirect {
  return async (kit, options = {}) => {
    const { navigation } = coreOf(kit)
    const target = navigation.urls[key]
    return redirect(kit, withReturn(navigation, target, comeBackTo(kit, target, options, comesBackHere)), options)
  }
}

function comeBackTo(kit: Kit<never>, target: string, options: RedirectOptions, comesBackHere: boolean): string | null {
  const { navigation } = coreOf(kit)
  if (options.returnTo !== undefined) {
    assertTrusted(kit, 'returnTo', options.returnTo)
    return options.returnTo
  }
  if (options.noRedirectBack) return null
  return rememberedReturn(navigation) ?? (comesBackHere ? presentPage(navigation, target) : null)
}

/** A redirect after a sign-in or sign-out. */
function toAfter(next: (kit: Kit<never>, options: RedirectOptions) => string): Redirect {
  return async (kit, options = {}) => {
    if (options.returnTo !== undefined) assertTrusted(kit, 'returnTo', options.returnTo)
    return redirect(kit, options.returnTo ?? next(kit, options), options)
  }
}

function afterSigning(key: 'afterSignIn' | 'afterSignUp'): Redirect {
  return toAfter((kit, { noRedirectBack }) => {
    const { navigation } = coreOf(kit)
    return noRedirectBack ? navigation.urls[key] : afterAuth(navigation, key === 'afterSignUp')
  })
}

/**
 * Goes to the sign-in page, which returns here (`after_auth_return_to`). All of these functions wait 2000 ms for the page to
 * unload.
 *
 * @example
 * await app.redirectToSignIn({ returnTo: '/invoices' })
 */
export const redirectToSignIn = toAuth('signIn', true)
/**
 * Goes to the sign-up page, which returns here.
 *
 * @example
 * await app.redirectToSignUp()
 */
export const redirectToSignUp = toAuth('signUp', true)
/**
 * Goes to the page of the second factor, with the return address.
 *
 * @example
 * await app.redirectToMfa()
 */
export const redirectToMfa: Redirect = async (kit, options = {}) => {
  const { navigation } = coreOf(kit)
  const target = navigation.urls.mfa
  // The first factor may have been given on another page.
  const returnTo = comeBackTo(kit, target, options, false) ?? flowOf(kit).attempt?.returnTo ?? null
  return redirect(kit, withReturn(navigation, target, returnTo), options)
}
/**
 * Goes to the page that requests a password reset.
 *
 * @example
 * await app.redirectToForgotPassword()
 */
export const redirectToForgotPassword = toAuth('forgotPassword', false)
/**
 * Goes to the return address, else to the after-sign-in page.
 *
 * @example
 * await app.redirectToAfterSignIn()
 */
export const redirectToAfterSignIn = afterSigning('afterSignIn')
/**
 * Goes to the return address, else to the after-sign-up page.
 *
 * @example
 * await app.redirectToAfterSignUp()
 */
export const redirectToAfterSignUp = afterSigning('afterSignUp')
/**
 * Goes to the after-sign-out page; does not sign out.
 *
 * @example
 * await app.signOut()
 * await app.redirectToAfterSignOut()
 */
export const redirectToAfterSignOut = toAfter(kit => coreOf(kit).navigation.urls.afterSignOut)
/**
 * Goes to the page that signs out.
 *
 * @example
 * await app.redirectToSignOut()
 */
export const redirectToSignOut = to('signOut')
/**
 * Goes to the home page of the app.
 *
 * @example
 * await app.redirectToHome({ replace: true })
 */
export const redirectToHome = to('home')
/**
 * Goes to the page of e-mail verification, which asks a restricted user to verify the address, and comes back here.
 * Goes to the page of e-mail verification, where a restricted user verifies the address, and which returns here.
 * @example
 * await app.redirectToEmailVerification()
 */
export const redirectToEmailVerification = toAuth('emailVerification', true)
/**
 * Goes to the page that sets a new password.
 *
 * @example
 * await app.redirectToPasswordReset()
 */
export const redirectToPasswordReset = to('passwordReset')
/**
 * Goes to the page of mailed sign-in links.
 *
 * @example
 * await app.redirectToMagicLinkCallback()
 */
export const redirectToMagicLinkCallback = to('magicLinkCallback')
/**
 * Goes to the page that ends OAuth flows.
 *
 * @example
 * await app.redirectToOAuthCallback()
 */
export const redirectToOAuthCallback = to('oauthCallback')
/**
 * Goes to the account settings.
 *
 * @example
 * await app.redirectToAccountSettings()
 */
export const redirectToAccountSettings = to('accountSettings')
/**
 * Goes to the page of mailed team invitations.
 *
 * @example
 * await app.redirectToTeamInvitation()
 */
export const redirectToTeamInvitation = to('teamInvitation')
/**
 * Goes to the page that shows errors.
 *
 * @example
 * await app.redirectToError()
 */
export const redirectToError = to('error')
/**
 * Goes to the page that approves the login of a program.
 *
 * @example
 * await app.redirectToCliAuthConfirm()
 */
export const redirectToCliAuthConfirm = to('cliAuthConfirm')

/**
 * Navigates after a sign-in: to the page of the second factor if one is needed, else to `next`. Stays on the page after any
 * other error. Breaks loops with REDIRECT_LOOP.
 *
 * @example
 * const result = await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' })
 * await app.navigateAfterAuth(result)
 */
export async function navigateAfterAuth(kit: Kit<never>, result: Result<SignedIn, unknown>): Promise<void> {
  given(result)
  if (result.ok) await redirect(kit, result.value.next, { automatic: true })
  else if (isAuthError(result.error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'))
    await redirectToMfa(kit, { automatic: true })
}
