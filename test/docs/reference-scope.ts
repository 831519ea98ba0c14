import type { ReactNode } from 'react'
import type { ClientApp, Kit } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { Platform } from 'rxauth/platform'
import type { ServerApp } from 'rxauth/server'

// The names that examples of the API reference use without a declaration; its index lists them.
declare global {
  /** `createClientApp({ tokens: cookieTokens() })`: the definitions of rxauth are its methods. */
  const app: ClientApp
  /** The same app, as the first argument of functions. */
  const kit: Kit
  /** `createServerApp({ secretServerKey: '…' })` */
  const server: ServerApp
  /** `createAdminApp({ superSecretAdminKey: '…' })` */
  const admin: AdminApp
  /** `createPlatform()` */
  const platform: Platform
  /** The request that a backend answers. */
  const request: Request
  /** A component of the app. */
  function Page(): ReactNode
}
