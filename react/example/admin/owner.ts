import { cookieTokens, createClientApp } from 'rxauth'
import { platformUrl } from '../app/auth'
import { adminBase, go } from '../app/navigation'
import { passwordLimits } from '../app/password-limits'

/** How often what is looked at is asked for again: for what no event tells, such as that a user is active. */
export const refreshOn = { everyMillis: 5_000 }

/**
 * The kit of the admin area. Owners of projects are users of the project `internal`, which every platform has; their
 * sessions are apart from those of the product.
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
