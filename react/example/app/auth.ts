import {
  accountTokens,
  changesFrom,
  cookieTokens,
  createClientApp,
  followChanges,
  followIdentity,
  rememberSignInMethod,
} from 'rxauth'
import { clearToasts } from '../ui/toasts'
import { go } from './navigation'
import { passwordLimits } from '../ui/password-limits'

/** The platform's address. For `npx rxauth dev` it is the only option needed. */
export const platformUrl = import.meta.env.VITE_PLATFORM_URL

/** The one kit of this page. */
export const auth = createClientApp({
  baseUrl: platformUrl,
  projectId: import.meta.env.VITE_PROJECT_ID,
  publishableClientKey: import.meta.env.VITE_PUBLISHABLE_CLIENT_KEY,
  tokens: accountTokens(cookieTokens()),
  navigate: go,
  urls: { afterSignUp: '/welcome' },
  passwordLimits,
})

// Changes by other people show within a second.
followChanges(auth, changesFrom('/api/changes'))

// The sign-in page marks it.
rememberSignInMethod(auth)

// The notes are in the kit's own cache, which follows the user. The notifications on the screen are not.
followIdentity(auth, { clear: clearToasts })
