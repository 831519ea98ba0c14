import { cookieTokens, createClientApp } from 'rxauth'
import { platformUrl } from '../app/auth'
import { adminBase, go } from '../app/navigation'
import { passwordLimits } from '../ui/password-limits'

/** How often visible data is loaded again, for changes without an event, such as a user's activity. */
export const refreshOn = { everyMillis: 5_000 }

/**
 * The kit of the admin area. Project owners are users of the project `internal`, which every platform has; their sessions
 * are separate from those of the product.
 */
export const owner = createClientApp({
  baseUrl: platformUrl,
  projectId: 'internal',
  publishableClientKey: import.meta.env.VITE_INTERNAL_PUBLISHABLE_CLIENT_KEY,
  tokens: cookieTokens(),
  navigate: go,
  urls: { handler: `${adminBase}/handler`, home: adminBase, afterSignUp: `${adminBase}/welcome` },
  passwordLimits,
  refreshOn,
})
