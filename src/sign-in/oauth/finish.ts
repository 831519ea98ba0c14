import { failed, succeeded, type Result } from '../../core/result'
import { developerError } from '../../errors/auth-error'
import { isTrustedTarget } from '../../navigation/targets'
import { readAccessToken, type Tokens } from '../../transport/access-token'
import { clientSecretOf } from '../../transport/config'
import { revokeTokens } from '../../session/sign-out'
import { coreOf, tellCall } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { startSession } from '../../store/session-effects'
import { firstFactor } from '../first-factor'
import { sessionStart } from '../session-start'
import { signInsOf } from '../sign-ins'
import type { PendingOAuth } from './cookie'
import { exchangeOAuthCode } from './endpoints'
import { isRefusal, refusalOf, type ErrorInAddress, type OAuthFailure } from './refusal'
import type { SignedIn } from '../answers'

/** The result of a flow. */
export type Arrived =
  | { readonly code: string; readonly error?: undefined }
  | { readonly code?: undefined; readonly error: ErrorInAddress }

/** Ends a flow of this browser: with a session for its code, or with an error. */
export async function finishOAuth(
  kit: Kit,
  pending: PendingOAuth,
  { code, error }: Arrived,
): Promise<Result<SignedIn, OAuthFailure>> {
  const { linkUserId, provider } = pending
  tellCall(kit, 'finishOAuth', { linkUserId, provider, code, error })
  if (error) {
    const refusal = refusalOf(error, true)
    if (!isRefusal(refusal)) throw refusal
    const signIns = signInsOf(kit)
    signIns.end(signIns.begin(), { status: 'failed', error: refusal })
    return failed(refusal)
  }
  return firstFactor(kit, {
    method: pending.provider && `oauth:${pending.provider}`,
    returnTo: pending.returnTo,
    run: () =>
      pending.linkUserId === null ? exchange(kit, signIn, pending, code) : link(kit, pending, pending.linkUserId, code),
  })
}

type SignInCall = typeof signIn

const signIn = sessionStart(exchangeOAuthCode)

async function exchange(kit: Kit, by: SignInCall, { verifier, redirectUri }: PendingOAuth, code: string) {
  const { navigation, transport } = coreOf(kit)
  const { config } = transport
  const result = await by(kit, {
    grantType: 'authorization_code',
    code,
    redirectUri,
    codeVerifier: verifier,
    clientId: config.projectId,
    clientSecret: clientSecretOf(config),
  })
  if (!result.ok) return result
  const { accessToken, isNewUser, afterCallbackRedirectUrl: target } = result.value
  // Any sender can choose this address: the platform returns it unchecked.
  const returnTo = target && isTrustedTarget(navigation, target) ? target : null
  // The session has started, so the token has a user.
  return succeeded({ userId: readAccessToken(accessToken)?.userId ?? '', isNewUser, returnTo })
}

/** The account is linked already; what remains is to switch to the session that the platform has created for it. */
async function link(kit: Kit, pending: PendingOAuth, userId: string, code: string) {
  const { session } = coreOf(kit)
  await session.current()
  // Checked before the exchange, which would create a session that is not wanted.
  assertStill(kit, userId)
  const replace = sessionStart(exchangeOAuthCode, { start: (_, tokens) => replaceSession(kit, userId, tokens) })
  const result = await exchange(kit, replace, pending, code)
  // The user gave the second factor at sign-in; the present session continues.
  return result.ok ? result : succeeded({ userId, isNewUser: false })
}

async function replaceSession(kit: Kit, userId: string, next: Tokens): Promise<void> {
  const { session } = coreOf(kit)
  const { accessToken, refreshToken } = next
  let superseded: Tokens | null = { accessToken, refreshToken }
  try {
    await session.sync()
    assertStill(kit, userId)
    if (readAccessToken(accessToken ?? '')?.userId !== userId)
      throw developerError('SESSION_CHANGED', 'the account belongs to another user; the present session stays as it is')
    const { tokens } = session
    await startSession(kit, next)
    superseded = tokens
  } finally {
    // Not awaited: if it fails, the session expires by itself.
    if (superseded) void revokeTokens(session, superseded).catch(() => undefined)
  }
}

function assertStill(kit: Kit, userId: string): void {
  if (coreOf(kit).session.identity.userId !== userId)
    throw developerError(
      'SESSION_CHANGED',
      'the user who began to link the account is no longer signed in; the present session stays as it is',
    )
}
