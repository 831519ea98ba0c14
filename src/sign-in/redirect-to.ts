import { isRecord } from '../core/values'
import type { Result } from '../core/result'
import { isAuthError, given, misuse } from '../errors/auth-error'
import { afterAuth, presentPage, rememberedReturn, withReturn } from '../navigation/targets'
import { urlNames, urlOf, type Page } from '../navigation/urls'
import { coreOf, type Kit } from '../store/kit-parts'
import { flowOf } from './flow'
import { assertTrusted, redirect } from './redirect'
import type { SignedIn } from './answers'

/** Options of a redirect. */
export interface RedirectOptions {
  /** Leaves no entry in the history. */
  readonly replace?: boolean
  /** Not caused by a click: REDIRECT_LOOP at the third time within ten seconds instead of the eleventh. */
  readonly automatic?: boolean
  /** Pages of the sign-in do not return here; `afterSignIn` and `afterSignUp` ignore the return address. */
  readonly noRedirectBack?: boolean
  /**
   * The URL to return to after signing in, instead of the present page; or the target after signing in or out, instead of
   * the app's page for it. Other pages ignore it. Throws INVALID_INPUT if it is not trusted.
   */
  readonly returnTo?: string
  /**
   * Adds a person to those of `accountTokens`: the address of `signIn`, `signUp`, `forgotPassword` or `mfa` gets `add_account=true`,
   * by which a page that leads signed-in users away knows that this one stays.
   */
  readonly add?: boolean
}

/**
 * Goes to a page of the app, at its address in `urls`, and waits 2000 ms for the present page to unload. Resolves to false
 * at once if the kit does not navigate (`navigate: 'none'`, a server).
 *
 * `signIn`, `signUp` and `emailVerification` return to the present page (`after_auth_return_to`), `forgotPassword` and `mfa`
 * pass on its return address, `afterSignIn` and `afterSignUp` go there. `afterSignOut` does not sign out.
 *
 * @example
 * await app.redirectTo('signIn', { returnTo: '/invoices' })
 */
export async function redirectTo(kit: Kit<never>, page: Page, options: RedirectOptions = {}): Promise<boolean> {
  const pages: readonly string[] = urlNames.filter(name => name !== 'handler')
  if (!pages.includes(page))
    throw misuse('page', `is missing or unknown: "${page}" is none of ${pages.join(', ')}`, `is unknown: "${page}"`)
  if (!isRecord(options)) throw misuse('options', "is not an object: { returnTo: '/invoices' }")
  const { returnTo } = options
  if (returnTo !== undefined && typeof returnTo !== 'string') throw misuse('returnTo', 'is not a text')
  if (returnTo !== undefined) assertTrusted(kit, 'returnTo', returnTo)
  return redirect(kit, addressOf(kit, page, options), options)
}

function addressOf(kit: Kit<never>, page: Page, { returnTo, noRedirectBack, add }: RedirectOptions): string {
  const { navigation } = coreOf(kit)
  const target = urlOf(navigation, page)
  switch (page) {
    case 'signIn':
    case 'signUp':
    case 'emailVerification':
    case 'forgotPassword':
    case 'mfa':
      return withReturn(navigation, target, returnTo ?? (noRedirectBack ? null : comeBackTo(kit, page, target)), add)
    case 'afterSignIn':
    case 'afterSignUp':
      return returnTo ?? (noRedirectBack ? target : afterAuth(navigation, page === 'afterSignUp'))
    case 'afterSignOut':
      return returnTo ?? target
    default:
      return target
  }
}

function comeBackTo(kit: Kit<never>, page: Page, target: string): string | null {
  const { navigation } = coreOf(kit)
  const remembered = rememberedReturn(navigation)
  // The first factor may have been given on another page.
  if (page === 'mfa') return remembered ?? flowOf(kit).attempt?.returnTo ?? null
  return remembered ?? (page === 'forgotPassword' ? null : presentPage(navigation, target))
}

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
    await redirectTo(kit, 'mfa', { automatic: true })
}
