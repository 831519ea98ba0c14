import { isBrowser } from '../core/host'
import { abortError, unlessAborted } from '../errors/abort'
import { AuthError, invalidInput } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'
import { tabNote } from '../store/tab-notes'
import { lastFlow } from './oauth-flow-note'
import { beginOAuth, startOAuth } from './oauth-start'
import type { OAuthInput } from './oauth-start'

/**
 * Goes to a provider to sign in there; `handleOAuthCallback` takes over on the page that the platform sends people back to.
 *
 * `returnTo`: where to come back to in the end, else where `after_auth_return_to` says; INVALID_INPUT if it is not trusted.
 * The page goes away, so the promise never resolves; it rejects with INVALID_INPUT where the kit does not navigate or has no
 * cookies, and with ABORTED if the person comes back to this very page.
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
 * Goes to a provider to link an account there to the signed-in user, or to give it more scopes; comes back as a sign-in
 * does, and to the present page unless `returnTo` says otherwise. Throws USER_AUTHENTICATION_REQUIRED while signed out.
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
  { signal }: CallOptions = {},
): Promise<never> {
  const { navigation, session } = coreOf(kit)
  const { go } = navigation
  if (!go)
    throw invalidInput(
      'navigate',
      "is 'none', or this is no browser: OAuth has to leave the page; pass a function, or use signInWithOAuthPopup()",
    )
  const start = startOAuth(kit, input, { isLink, isPopup: false, returnTo: input.returnTo })
  const { url } = await unlessAborted(beginOAuth(kit, start, signal), signal)
  if (signal?.aborted) throw abortError(signal)
  session.ended.throwIfAborted()
  // An error comes back without the state.
  tabNote(kit, lastFlow).write(start.state)
  // On no trusted domain, and no loop either: each one is new. It is not for notes, since it has the token in it.
  go(url, { replace: false })
  return gone(signal)
}

/** The kit's part is done, and the page on its way: for ever, unless the person comes back or the caller gives up. */
function gone(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => {
      if (signal) fail(abortError(signal))
    }
    const shown = ({ persisted }: PageTransitionEvent) => {
      // Restored as it was left, with everything still waiting.
      if (persisted) fail(new AuthError('ABORTED', 'the person came back to this page instead of signing in'))
    }
    const page = isBrowser() ? window : undefined
    const fail = (error: AnyAuthError) => {
      signal?.removeEventListener('abort', abort)
      page?.removeEventListener('pageshow', shown)
      reject(error)
    }
    signal?.addEventListener('abort', abort)
    page?.addEventListener('pageshow', shown)
  })
}
