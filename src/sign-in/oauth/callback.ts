import { isBrowser } from '../../core/host'
import { parseUrl } from '../../core/urls'
import { failed, type Result } from '../../core/result'
import { unlessAborted, AuthError, isAuthError, misuse } from '../../errors/auth-error'
import { isSameRoute } from '../../navigation/route'
import { urlOf } from '../../navigation/urls'
import { coreOf, slot, type Kit } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import { tabNote } from '../../store/tabs/tab-notes'
import { cookiesOf, takePending, flowParameter, lastFlow, type PendingOAuth } from './cookie'
import { finishOAuth, type Arrived } from './finish'
import { handOver } from './popup-channel'
import { errorIn, errorParameters, isRefusal, refusalOf, type ErrorInAddress, type OAuthFailure } from './refusal'
import type { SignedIn } from '../answers'

/** The outcome of a page's URL that may come from a provider. */
export type OAuthCallback =
  /** The URL ends no flow of this browser: no request was made and no state changed. */
  | { readonly status: 'ignored'; readonly reason: string }
  | { readonly status: 'handled'; readonly result: Result<SignedIn, OAuthFailure> }

/**
 * Ends an OAuth flow, on the page to which the platform redirects (`oauthCallback`) and on the page for its errors
 * (`error`). Call it when the page loads; repeated calls are safe.
 *
 * The state is consumed and the code removed from the address bar before this returns. In a popup it passes the result to
 * the opening page and closes the window. After a failure of the network or the platform, call it again: the code is kept
 * and works once. `url`: the URL, if it is not the page's own (a deep link).
 *
 * @example
 * const callback = await app.handleOAuthCallback()
 * if (callback.status === 'handled') await app.navigateAfterAuth(callback.result)
 */
export function handleOAuthCallback(
  kit: Kit,
  { signal, url }: CallOptions & { readonly url?: string } = {},
): Promise<OAuthCallback> {
  try {
    // An abort does not end it: a framework that mounts a page twice aborts the first call.
    return unlessAborted(arrive(kit, url), signal)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The URL with which this page was loaded. */
class Arrival {
  /** The page's URL after cleaning. */
  readonly href: string
  readonly state: string | null
  readonly #conclude: () => Promise<OAuthCallback>
  #outcome: Promise<OAuthCallback> | undefined

  constructor(href: string, state: string | null, conclude: () => Promise<OAuthCallback>) {
    this.href = href
    this.state = state
    this.#conclude = conclude
  }

  /** Shared by all calls; a failure that says nothing of the code can be retried. */
  get outcome(): Promise<OAuthCallback> {
    return (this.#outcome ??= this.#conclude().catch((error: unknown) => {
      if (isPassing(error)) this.#outcome = undefined
      throw error
    }))
  }
}

const arrivalKey = {}

function arrive(kit: Kit, url: string | undefined): Promise<OAuthCallback> {
  const core = coreOf(kit)
  core.assertAlive()
  cookiesOf(kit)
  const href = url ?? core.navigation.href()
  const address = href === undefined ? null : parseUrl(href)
  if (href === undefined || !address)
    throw misuse('url', 'is missing, and there is no page: pass the URL to which the platform redirected')
  const { searchParams } = address
  const state = searchParams.get('state')
  const memory = slot<{ last?: Arrival }>(kit, arrivalKey, () => ({}))
  const { last } = memory
  // The URL has been cleaned, unless a router has restored the first one.
  if (last && (last.href === href || (state !== null && last.state === state))) return last.outcome

  const error = errorIn(searchParams)
  const code = searchParams.get('code')
  if (!error && !(code && state)) return ignored(kit, 'the URL has no code and state: it is not from a provider')
  // The platform's errors come without the state.
  const own = state ?? searchParams.get(flowParameter) ?? tabNote(kit, lastFlow).read() ?? ''
  const pending = takePending(kit, own)
  let outcome: () => Promise<OAuthCallback>
  if (pending) {
    tabNote(kit, lastFlow).write(null)
    const arrived: Arrived = error ? { error } : { code: code ?? '' }
    outcome = () => conclude(kit, own, pending, arrived)
  } else {
    if (!error)
      return ignored(
        kit,
        'no cookie for this state: the flow began in another browser or over an hour ago, or was used before',
      )
    outcome = () => foreign(error)
  }
  const { navigation } = core
  // The app's error page keeps its parameters for a reload. On other pages, an unknown state belongs to other code.
  const isBack =
    url === undefined &&
    ((pending && state !== null) || isOf(pending?.redirectUri ?? urlOf(navigation, 'oauthCallback'), address))
  const left = isBack ? cleanAddress(href, error !== null) : href
  memory.last = new Arrival(left, state, outcome)
  return memory.last.outcome
}

function isOf(callback: string, address: URL): boolean {
  const page = parseUrl(callback, address.href)
  if (page?.origin !== address.origin) return false
  // The platform drops the hash.
  page.hash = ''
  return isSameRoute(address, page)
}

function ignored(kit: Kit, reason: string): Promise<OAuthCallback> {
  coreOf(kit).transport.trace.emit(() => ({ type: 'oauth-callback', outcome: 'ignored', reason }))
  return Promise.resolve({ status: 'ignored', reason })
}

/** An error of no flow of this browser: it is returned or thrown, without any other effect. */
async function foreign(error: ErrorInAddress): Promise<OAuthCallback> {
  const refusal = refusalOf(error, false)
  if (isRefusal(refusal)) return { status: 'handled', result: failed(refusal) }
  throw refusal
}

async function conclude(kit: Kit, state: string, pending: PendingOAuth, arrived: Arrived): Promise<OAuthCallback> {
  const page = isBrowser() ? window : undefined
  if (pending.isPopup && (await handOver(kit, state, arrived))) {
    page?.close()
    return ignored(kit, 'the page that opened this window continues the sign-in; close this window')
  }
  if (pending.isPopup === 'only')
    return ignored(kit, 'the page that opened this window does not wait for it any more; close this window')
  try {
    return { status: 'handled', result: await finishOAuth(kit, pending, arrived) }
  } catch (error) {
    if (!isAuthError(error, 'INVALID_TOTP_CODE')) throw error
    const { status } = error
    coreOf(kit).onUnhandled(
      new AuthError('INVALID_TOTP_CODE', 'the code of the second factor is invalid; sign in again', { status }),
    )
    return ignored(kit, 'the code of the second factor was invalid')
  }
}

/** Whether the code may still be valid. If only the answer was lost, the platform refuses the second attempt. */
function isPassing(error: unknown): boolean {
  if (isAuthError(error, 'REQUEST_FAILED')) return error.details.status >= 500
  return isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'RATE_LIMITED')
}

/** Removes single-use parameters from the address bar; returns the remaining URL. */
function cleanAddress(href: string, hasError: boolean): string {
  const url = new URL(href)
  for (const name of ['code', 'state', flowParameter, ...(hasError ? errorParameters : [])])
    url.searchParams.delete(name)
  try {
    window.history.replaceState(window.history.state, '', url.href)
  } catch {
    // Not allowed on some pages (in a sandbox, or too often). The state is consumed all the same.
    return href
  }
  return url.href
}
