import { isBrowser } from '../core/host'
import { parseUrl } from '../core/parse-url'
import { failed } from '../core/result'
import type { Result } from '../core/result'
import { unlessAborted } from '../errors/abort'
import { AuthError, invalidInput, isAuthError } from '../errors/auth-error'
import { absoluteUrl } from '../navigation/targets'
import { coreOf, slot } from '../store/kit'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'
import { tabNote } from '../store/tab-notes'
import { cookiesOf, takePending } from './oauth-cookie'
import type { PendingOAuth } from './oauth-cookie'
import { finishOAuth } from './oauth-finish'
import type { Arrived } from './oauth-finish'
import { flowParameter, lastFlow } from './oauth-flow-note'
import { handOver } from './oauth-line'
import { errorIn, errorParameters, isRefusal, refusalOf } from './oauth-refusal'
import type { ErrorInAddress, OAuthFailure } from './oauth-refusal'
import type { SignedIn } from './signed-in'

/**
 * What became of an address that a provider may have sent a person back to.
 *
 * @example
 * const isSignedIn = (callback: OAuthCallback) => callback.status === 'handled' && callback.result.ok
 */
export type OAuthCallback =
  /** It ends no flow of this browser: nothing was asked and nothing has changed. */
  | { readonly status: 'ignored'; readonly reason: string }
  | { readonly status: 'handled'; readonly result: Result<SignedIn, OAuthFailure> }

/**
 * Ends an OAuth flow, on the page that the platform sends people back to (`oauthCallback`) and on the page that it shows its
 * errors on (`error`). Run it when the page comes up: twice is as good as once.
 *
 * The state is used up, and the address bar rid of the code, before this returns. In a popup it hands over to the page that
 * waits for it and closes the window. After a failure of the network, or of the platform, call it again: the code is kept,
 * and works once. `url`: the address, where it is not the page's own (a deep link).
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
    // Whoever leaves does not end it: a framework that mounts a page twice aborts the first one's call.
    return unlessAborted(arrive(kit, url), signal)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** What this page has come up with. */
class Arrival {
  /** The page's address as it is left. */
  readonly href: string
  readonly state: string | null
  readonly #conclude: () => Promise<OAuthCallback>
  #outcome: Promise<OAuthCallback> | undefined

  constructor(href: string, state: string | null, conclude: () => Promise<OAuthCallback>) {
    this.href = href
    this.state = state
    this.#conclude = conclude
  }

  /** One for everybody who asks, and for ever; but what says nothing of the code is worth another try. */
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
    throw invalidInput('url', 'has to be given where the page has no address: the one that the platform has led to')
  const { searchParams } = address
  const state = searchParams.get('state')
  const memory = slot<{ last?: Arrival }>(kit, arrivalKey, () => ({}))
  const { last } = memory
  // The address has been cleaned, unless a router has put the first one back.
  if (last && (last.href === href || (state !== null && last.state === state))) return last.outcome

  const error = errorIn(searchParams)
  const code = searchParams.get('code')
  if (!error && !(code && state)) return ignored(kit, 'the address has no code and state: it is not from a provider')
  // The platform's errors come without the state.
  const own = state ?? searchParams.get(flowParameter) ?? tabNote(kit, lastFlow).read() ?? ''
  const pending = takePending(kit, own)
  let outcome: () => Promise<OAuthCallback>
  if (pending) {
    tabNote(kit, lastFlow).write(null)
    const arrived: Arrived = error ? { error } : { code: code ?? '' }
    outcome = () => conclude(kit, own, pending, arrived)
  } else {
    if (!error) return ignored(kit, 'the state has no cookie: begun in another browser, an hour ago, or used already')
    outcome = () => foreign(error)
  }
  const { navigation } = core
  const callbackPage = pending?.redirectUri ?? absoluteUrl(navigation, navigation.urls.oauthCallback)
  // The app's page for errors keeps what it tells, for a reload. Elsewhere an unknown state belongs to other code.
  const isBack = (pending && state !== null) || isSamePage(address, callbackPage)
  const left = isBack && url === undefined ? cleanAddress(href, error !== null) : href
  memory.last = new Arrival(left, state, outcome)
  return memory.last.outcome
}

function isSamePage({ origin, pathname }: URL, other: string | undefined): boolean {
  const url = other === undefined ? null : parseUrl(other)
  return url?.origin === origin && url.pathname === pathname
}

function ignored(kit: Kit, reason: string): Promise<OAuthCallback> {
  coreOf(kit).transport.trace.emit(() => ({ type: 'oauth-callback', outcome: 'ignored', reason }))
  return Promise.resolve({ status: 'ignored', reason })
}

/** Of no flow of this browser: it is told, and nothing else. */
async function foreign(error: ErrorInAddress): Promise<OAuthCallback> {
  const refusal = refusalOf(error, false)
  if (isRefusal(refusal)) return { status: 'handled', result: failed(refusal) }
  throw refusal
}

async function conclude(kit: Kit, state: string, pending: PendingOAuth, arrived: Arrived): Promise<OAuthCallback> {
  const page = isBrowser() ? window : undefined
  if (pending.isPopup && (await handOver(kit, state, arrived))) {
    page?.close()
    return ignored(kit, 'the page that has opened this window goes on with the sign-in; close this one')
  }
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

/** Whether the code may still be good; and if the answer was lost, the platform refuses it the second time. */
function isPassing(error: unknown): boolean {
  if (isAuthError(error, 'REQUEST_FAILED')) return error.details.status >= 500
  return isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'RATE_LIMITED')
}

/** Rids the address bar of what must not be used twice; gives the address that is left. */
function cleanAddress(href: string, hasError: boolean): string {
  const url = new URL(href)
  for (const name of ['code', 'state', flowParameter, ...(hasError ? errorParameters : [])])
    url.searchParams.delete(name)
  try {
    window.history.replaceState(window.history.state, '', url.href)
  } catch {
    // Some pages may not: in a sandbox, or too often. The state is used up all the same.
    return href
  }
  return url.href
}
