import type { Engine } from '../model/engine'
import { isVerifierOf } from '../model/pkce'
import { known, plain } from '../model/refusal'
import { requireSecondFactor } from './second-factor'
import { signIn } from './sessions'

/** What an app sends to exchange its authorization code. */
export interface Exchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** Tokens for a code, in wire names; some fields are sent in both spellings. */
export async function exchangeCode(engine: Engine, exchange: Exchange, origin: string) {
  const { tables, clock, keep, rules } = engine
  const invalid = () =>
    known('INVALID_AUTHORIZATION_CODE', 'This authorization code is unknown, used up or expired. Sign in again.')
  const issued = tables.authorizationCodes.get(exchange.code)
  if (!issued || issued.expiresAt <= clock.now()) throw invalid()
  if (!(await isVerifierOf(exchange.codeVerifier, issued.codeChallenge, issued.codeChallengeMethod))) throw invalid()
  if (exchange.redirectUri !== issued.redirectUri) {
    const message = 'The redirect URI is another one than when the sign-in began.'
    throw rules.returnsOAuthRefusals ? plain(400, message) : known('REDIRECT_URL_NOT_WHITELISTED', message)
  }
  // Another request may have used the code during the check above. A sign-in that needs a second factor uses it too.
  if (!tables.authorizationCodes.delete(issued.id)) throw invalid()
  keep()
  const user = tables.users.get(issued.userId)
  if (!user) throw invalid()
  requireSecondFactor(engine, user)
  const { accessToken, refreshToken } = await signIn(engine, user, origin)
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    // The same for every token; a refresh answers 3600.
    expires_in: 3599,
    scope: 'legacy',
    is_new_user: issued.isNewUser,
    newUser: issued.isNewUser,
    after_callback_redirect_url: issued.afterCallbackRedirectUrl,
    afterCallbackRedirectUrl: issued.afterCallbackRedirectUrl,
  }
}
