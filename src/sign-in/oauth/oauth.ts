import { isBrowser } from '../../core/host'
import { eitherOf, onAbort } from '../../core/signals'
import { abortError, unlessAborted, given, misuse, developerError, type AnyAuthError } from '../../errors/auth-error'
import { coreOf, type Kit } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import { tabNote } from '../../store/tabs/tab-notes'
import { lastFlow } from './cookie'
import { beginOAuth, startOAuth, type OAuthInput } from './start'

/**
 * Goes to a provider to sign in; `handleOAuthCallback` continues on the page to which the platform redirects.
 *
 * `returnTo`: the URL to return to in the end, by default the page's `after_auth_return_to`; INVALID_INPUT if it is not
 * trusted. The page unloads, so the promise never resolves; it rejects with INVALID_INPUT if the kit does not navigate or
 * has no cookies, with ABORTED if the user comes back to this very page, and with DISPOSED.
 *
 * @example
 * await app.signInWithOAuth({ provider: 'github' })
 */
export async function signInWithOAuth(
  kit: Kit,
  input: OAuthInput & { readonly returnTo?: string },
  options?: CallOptions,
): Promise<never> {
  return goToProvider(kit, input, false, options)
}

/**
 * Goes to a provider to link an account to the signed-in user, or to give a linked one more scopes; returns like a sign-in,
 * by default to the present page. Throws USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * await app.connectAccount({ provider: 'github', scopes: ['repo'], returnTo: '/settings' })
 */
export async function connectAccount(
  kit: Kit,
  input: OAuthInput & { readonly returnTo?: string },
  options?: CallOptions,
): Promise<never> {
  return goToProvider(kit, input, true, options)
}

async function goToProvider(
  kit: Kit,
  input: OAuthInput & { readonly returnTo?: string },
  isLink: boolean,
  options?: CallOptions,
): Promise<never> {
  const { navigation, session } = coreOf(kit)
  const { go } = navigation
  const { returnTo } = given(input)
  if (!go)
    throw misuse(
      'navigate',
      "is 'none', or this is not a browser: OAuth has to leave the page; pass a function, or use signInWithOAuthPopup()",
    )
  const start = startOAuth(kit, input, { isLink, isPopup: false, returnTo })
  const { signal, release } = eitherOf(session.ended, options?.signal)
  try {
    const { url } = await unlessAborted(beginOAuth(kit, start, signal), signal)
    if (signal.aborted) throw abortError(signal)
    // An error returns without the state.
    tabNote(kit, lastFlow).write(start.state)
    // Not checked for trust or loops: it is the platform's URL and new each time. Not noted either, since it contains the
    // token.
    go(url, { replace: false })
    return await gone(signal)
  } finally {
    release()
  }
}

/** Never resolves: the page unloads, unless the user comes back, the caller aborts or the kit is disposed of. */
function gone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      // Restored from the back-forward cache, still waiting.
      if (persisted) fail(developerError('ABORTED', 'the user came back to this page instead of signing in'))
    }
    const page = isBrowser() ? window : undefined
    const fail = (error: AnyAuthError) => {
      forget()
      page?.removeEventListener('pageshow', shown)
      reject(error)
    }
    const forget = onAbort(signal, () => {
      fail(abortError(signal))
    })
    page?.addEventListener('pageshow', shown)
  })
}
