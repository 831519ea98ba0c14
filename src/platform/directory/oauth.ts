import { authChannelOf } from './users'
import type { Engine } from '../model/engine'
import { normalizeEmail, type UserRow } from '../model/users'
import { isVerifierOf, type OAuthAccountRow, type OAuthFlowRow, type OAuthTokenRow } from '../model/oauth'
import { redeem, type ProviderProfile, type RedeemedGrant } from '../provider/token'
import { known, plain, refuse } from '../model/refusal'
import { signUpUser, requireChallenge, requireSignUps, screenSignUp } from './sign-up'
import { providerConfig, type OAuthProviderConfig, type ProjectConfig } from '../model/projects'
import { requireSecondFactor } from './verification-codes'
import { signIn } from './sessions'

/**
 * The project's configuration of a provider. The refusal lists the enabled providers, since most unknown names are
 * misspelt.
 */
export function enabledProvider(
  config: ProjectConfig,
  id: string,
  purpose?: 'allowSignIn' | 'allowConnectedAccounts',
): OAuthProviderConfig {
  const configured = providerConfig(config, id)
  if (configured && (purpose === undefined || (configured[purpose] ?? true))) return configured
  const enabled = config.oauthProviders.map(provider => provider.id).join(', ') || 'none'
  throw known(
    'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    `The OAuth provider "${id}" is unknown, or not enabled in this project. Enabled: ${enabled}.`,
  )
}

/** The provider account with this id, if a user of the project signs in with it. */
export function accountOf({ tables }: Engine, provider: string, accountId: string): OAuthAccountRow | undefined {
  return tables.oauthAccounts.by('account', [provider, accountId]).find(allowsSignIn)
}

export function linkOf(
  { tables }: Engine,
  userId: string,
  { provider, accountId }: Pick<OAuthAccountRow, 'provider' | 'accountId'>,
) {
  return tables.oauthAccounts.by('account', [provider, accountId]).find(row => row.userId === userId)
}

/** Links the account to the user; a present link keeps what it is for, unless the account says otherwise. */
export function linkAccount(
  engine: Engine,
  { id: userId }: UserRow,
  account: Omit<OAuthAccountRow, 'id' | 'userId'>,
): OAuthAccountRow {
  const own = linkOf(engine, userId, account)
  return engine.tables.oauthAccounts.put({ id: crypto.randomUUID(), ...own, userId, ...account })
}

export function allowsSignIn({ allowSignIn = true }: OAuthAccountRow): boolean {
  return allowSignIn
}

/** Whether the app may act at the provider with the account. */
export function allowsConnectedAccounts({ allowConnectedAccounts = true }: OAuthAccountRow): boolean {
  return allowConnectedAccounts
}

/** Returned tokens are valid for at least five more minutes. */
const marginMillis = 300_000

export function saveTokens({ tables }: Engine, { id: oauthAccountId }: OAuthAccountRow, redeemed: RedeemedGrant): void {
  const { access, refreshToken, scopes } = redeemed
  tables.oauthTokens.put({ id: crypto.randomUUID(), oauthAccountId, refreshToken, scopes, ...access })
}

/** A provider token for the account with at least these scopes, refreshed if necessary; null if there is none. */
export async function tokenWith(
  engine: Engine,
  account: OAuthAccountRow,
  scopes: readonly string[],
  clientId: string,
): Promise<string | null> {
  const { tables, clock } = engine
  const fitting = tokensWith(engine, account, scopes)
  const fresh = fitting.find(({ expiresAt }) => expiresAt >= clock.now() + marginMillis)
  if (fresh) return fresh.accessToken
  for (const { id, refreshToken } of fitting) {
    const renewed = refreshToken === null ? null : await redeem(engine, 'refresh', { id: refreshToken, clientId })
    if (renewed) return tables.oauthTokens.patch(id, renewed.access).accessToken
  }
  return null
}

/** The tokens with at least these scopes, in force or not. */
export function tokensWith({ tables }: Engine, { id }: OAuthAccountRow, scopes: readonly string[]): OAuthTokenRow[] {
  const tokens = tables.oauthTokens.by('oauthAccountId', id)
  return tokens.filter(row => scopes.every(scope => row.scopes.includes(scope)))
}

type FlowPurpose = Pick<OAuthFlowRow, 'provider' | 'linksUserId' | 'upgradesUserId' | 'challenge'>

/** The user that a sign-in with a provider account belongs to: its present user, the user that links it, or a new one. */
export async function decide(
  engine: Engine,
  flow: FlowPurpose,
  profile: ProviderProfile,
): Promise<ReturnType<typeof attach>> {
  const { tables } = engine
  const account = accountOf(engine, flow.provider, profile.sub)
  const owner = account && tables.users.get(account.userId)
  if (flow.linksUserId !== null) return link(engine, flow, flow.linksUserId, profile, account)
  if (account && owner) return attach(engine, flow, profile, owner)
  requireSignUps(engine)
  const strategy = engine.settings.oauthAccountMergeStrategy
  const channel = authChannelOf(engine, normalizeEmail(profile.email))
  const holder = channel && tables.users.get(channel.userId)
  if (holder && strategy !== 'allow_duplicates') {
    const isProven = channel.isVerified && profile.email_verified
    const isTurnedOff = linkOf(engine, holder.id, { provider: flow.provider, accountId: profile.sub }) !== undefined
    if (isProven && isTurnedOff)
      throw plain(500, 'The account does not sign its user in. The hosted platform links it again, and fails.')
    if (strategy === 'raise_error' || !isProven)
      throw known(
        'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
        'Another user signs in with the e-mail address of this account.',
        {
          ...{ type: 'email', contactChannelValue: profile.email },
          ...(engine.rules.tellsMore && { wouldWorkIfEmailWasVerified: strategy === 'link_method' }),
        },
      )
    return attach(engine, flow, profile, holder)
  }
  const upgraded = flow.upgradesUserId === null ? undefined : tables.users.get(flow.upgradesUserId)
  const { token, isInvisible } = flow.challenge
  requireChallenge(engine, {
    ...(token !== null && { botChallengeToken: token }),
    ...(isInvisible && { botChallengePhase: 'invisible' }),
  })
  const user = signUpUser(engine, upgraded ?? null, {
    ...(await screenSignUp(engine, {
      email: profile.email,
      authMethod: 'oauth',
      oauthProvider: flow.provider,
    })),
    displayName: profile.name ?? null,
    email: { value: profile.email, isVerified: profile.email_verified, usedForAuth: !holder },
  })
  return { ...attach(engine, flow, profile, user), isNewUser: true }
}

function link(
  engine: Engine,
  flow: FlowPurpose,
  userId: string,
  profile: ProviderProfile,
  account: OAuthAccountRow | undefined,
) {
  const { tables, rules } = engine
  const user = tables.users.get(userId)
  if (!user) throw plain(400, 'The user who wanted to link this account has been deleted.')
  const others = tables.oauthAccounts
    .by('ofProvider', [userId, flow.provider])
    .filter(({ accountId }) => accountId !== profile.sub)
  if (others.length > 0 && !rules.linksSeveralAccounts)
    throw known(
      'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
      'The user has linked another account of this provider already.',
    )
  const own = linkOf(engine, userId, { provider: flow.provider, accountId: profile.sub })
  if (account && !own)
    throw known('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', 'This account belongs to another user already.')
  return attach(engine, flow, profile, user)
}

function attach(engine: Engine, flow: FlowPurpose, { sub, email }: ProviderProfile, user: UserRow) {
  const isSignIn = flow.linksUserId === null
  const account = { provider: flow.provider, accountId: sub, email, ...(isSignIn && { allowSignIn: true }) }
  return { user, account: linkAccount(engine, user, account), isNewUser: false }
}

/** Tokens for a code, in wire names; some fields are sent in both spellings. */
export async function exchangeCode(
  engine: Engine,
  exchange: { readonly code: string; readonly redirectUri: string; readonly codeVerifier: string },
  origin: string,
) {
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
  // A sign-in that needs a second factor uses it too.
  tables.authorizationCodes.delete(issued.id)
  keep()
  const user = tables.users.get(issued.userId) ?? refuse(invalid())
  requireSecondFactor(engine, user)
  const { accessToken, refreshToken } = await signIn(engine, user, origin)
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    // 3599 for every token; a refresh answers 3600.
    expires_in: 3599,
    scope: 'legacy',
    is_new_user: issued.isNewUser,
    newUser: issued.isNewUser,
    after_callback_redirect_url: issued.afterCallbackRedirectUrl,
    afterCallbackRedirectUrl: issued.afterCallbackRedirectUrl,
  }
}
