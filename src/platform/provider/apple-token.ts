import type { OpenEngine } from '../model/engine'
import type { ProviderUser } from '../model/next-users'
import { providerAccount } from './accounts'
import { idToken } from './token'

/** The issuer of identity tokens for apps, which the local provider signs in Apple's place. */
export const appleIssuer = 'https://appleid.apple.com'

/** The user of an identity token, and the app that it is for. */
export interface AppleTokenInput {
  readonly bundleId: string
  readonly user: ProviderUser
}

/** An identity token as iOS gives one to the app with the bundle id. */
export function appleToken(engine: OpenEngine, { bundleId, user }: AppleTokenInput): Promise<string> {
  const account = providerAccount(engine.database, 'apple', user)
  return idToken(engine, 'apple', appleIssuer, { clientId: bundleId, nonce: null }, account)
}
