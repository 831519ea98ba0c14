import { SignJWT } from 'jose'
import * as v from 'valibot'
import { newKey } from '../model/access-tokens'
import type { OpenEngine } from '../model/engine'
import { isVerifierOf, type ProviderAccountRow, type ProviderGrantRow, type ProviderUser } from '../model/oauth'
import { randomText } from '../model/random-text'
import { bareReply, type Reply } from '../http/reply'
import type { SigningKeyRow } from '../model/api-keys'
import { configOf } from '../model/project-config'
import { providerConfig, type OAuthProviderConfig } from '../model/projects'
import type { Database, Tables } from '../model/tables'
import { primaryChannelOf } from '../model/restriction'
import { normalizeEmail } from '../model/users'

const accessLifetimeSeconds = 3600

/** The provider's token endpoint: code and refresh grants; clients authenticate by basic header or in the body. */
export async function token(engine: OpenEngine, provider: string, issuer: string, request: Request): Promise<Reply> {
  const form = new URLSearchParams(await request.text())
  const sent = (name: string) => form.get(name) ?? ''
  const inBody = [sent('client_id'), sent('client_secret')] as const
  const [clientId, clientSecret] = basic(request.headers.get('authorization')) ?? inBody
  if (!clientsOf(engine.database, provider, clientId).some(client => client.clientSecret === clientSecret))
    return json({ error: 'invalid_client' }, 401)
  const kind = sent('grant_type') === 'refresh_token' ? 'refresh' : 'code'
  if (kind === 'code' && sent('grant_type') !== 'authorization_code')
    return json({ error: 'unsupported_grant_type' }, 400)
  const redeemed = await redeem(engine, kind, {
    ...{ clientId, redirectUri: sent('redirect_uri'), verifier: sent('code_verifier') },
    id: sent(kind === 'refresh' ? 'refresh_token' : 'code'),
  })
  if (!redeemed) return json({ error: 'invalid_grant' }, 400)
  const { tokens, grant, account } = redeemed
  const id = kind === 'code' && { id_token: await idToken(engine, provider, issuer, grant, account) }
  return json({ ...tokens, ...id })
}

/** The tokens of a grant and their account; null if the grant is unknown, used up, expired or of another client. */
export async function redeem(
  engine: OpenEngine,
  kind: 'code' | 'refresh',
  asked: Readonly<Record<'id' | 'clientId', string> & Partial<Record<'redirectUri' | 'verifier', string>>>,
) {
  const { id, clientId, redirectUri, verifier = '' } = asked
  const { providerGrants, providerAccounts } = engine.database
  const grant = providerGrants.get(id)
  const account = grant && providerAccounts.get(grant.accountRowId)
  if (!account || grant.kind !== kind || grant.clientId !== clientId || grant.expiresAt <= engine.clock.now())
    return null
  if (kind === 'code') {
    // A code works once, even if the rest of this request fails.
    providerGrants.delete(grant.id)
    const isVerified = await isVerifierOf(verifier, grant.codeChallenge ?? '', 'S256')
    if (grant.redirectUri !== redirectUri || !isVerified) return null
  }
  const tokens = {
    access_token: issue(engine, grant, 'access', accessLifetimeSeconds * 1000),
    token_type: 'Bearer',
    expires_in: accessLifetimeSeconds,
    scope: grant.scopes.join(' '),
    ...(kind === 'code' && { refresh_token: issue(engine, grant, 'refresh', Number.MAX_SAFE_INTEGER) }),
  }
  return { grant, account, tokens }
}

export type ProviderTokens = NonNullable<Awaited<ReturnType<typeof redeem>>>['tokens']

/** The claims of an account at a provider. Some accounts have no name. */
export const ProviderProfile = v.object({
  sub: v.string(),
  email: v.string(),
  email_verified: v.boolean(),
  name: v.optional(v.string()),
})
export type ProviderProfile = v.InferOutput<typeof ProviderProfile>

/** The account of a provider's access token, as its user info endpoint returns it; null if the token is not valid. */
export function accountOfToken(
  { database, clock }: OpenEngine,
  authorization: string | null,
): ProviderAccountRow | null {
  const [, bearer = ''] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
  const grant = database.providerGrants.get(bearer)
  if (grant?.kind !== 'access' || grant.expiresAt <= clock.now()) return null
  return database.providerAccounts.get(grant.accountRowId) ?? null
}

export function claimsOf({ accountId, email, isVerified, displayName }: ProviderAccountRow): ProviderProfile {
  return { sub: accountId, email, email_verified: isVerified, ...(displayName !== null && { name: displayName }) }
}

/** The signing key of the provider's id tokens; created at its first use. */
export async function providerKey({ database }: OpenEngine, provider: string): Promise<SigningKeyRow> {
  return database.providerKeys.get(provider) ?? database.providerKeys.put(await newKey(provider))
}

function issue(
  { database, clock }: OpenEngine,
  grant: ProviderGrantRow,
  kind: ProviderGrantRow['kind'],
  lifetimeMillis: number,
): string {
  const expiresAt = Math.min(clock.now() + lifetimeMillis, Number.MAX_SAFE_INTEGER)
  return database.providerGrants.put({ ...grant, id: randomText(), kind, codeChallenge: null, expiresAt }).id
}

/** A signed statement of who the account is, for one client. */
export async function idToken(
  engine: OpenEngine,
  provider: string,
  issuer: string,
  { clientId, nonce }: Pick<ProviderGrantRow, 'clientId' | 'nonce'>,
  account: ProviderAccountRow,
): Promise<string> {
  const { publicKey, privateKey } = await providerKey(engine, provider)
  const { sub, ...claims } = claimsOf(account)
  const issuedAt = Math.floor(engine.clock.now() / 1000)
  return new SignJWT({ ...claims, ...(nonce !== null && { nonce }) })
    .setProtectedHeader({ alg: 'ES256', kid: publicKey.kid })
    .setSubject(sub)
    .setAudience(clientId)
    .setIssuer(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessLifetimeSeconds)
    .sign(privateKey)
}

/** Id and secret, each form-encoded before they are joined: RFC 6749, section 2.3.1. */
function basic(authorization: string | null): readonly [string, string] | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  try {
    const [id = '', secret = ''] = atob(encoded)
      .split(':', 2)
      .map(part => decodeURIComponent(part.replaceAll('+', ' ')))
    return [id, secret]
  } catch {
    return null
  }
}

export function json(body: object, status = 200): Reply {
  return bareReply(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }, JSON.stringify(body))
}

/** The issuer of identity tokens for apps, which the local provider signs in Apple's place. */
export const appleIssuer = 'https://appleid.apple.com'

export function appleToken(
  engine: OpenEngine,
  { bundleId, user }: { readonly bundleId: string; readonly user: ProviderUser },
): Promise<string> {
  const account = providerAccount(engine.database, 'apple', user)
  return idToken(engine, 'apple', appleIssuer, { clientId: bundleId, nonce: null }, account)
}

/** The platform's own client at the local provider, for projects with shared keys. */
const sharedClient = { clientId: 'rxauth-shared', clientSecret: 'rxauth-shared-secret' } as const

interface ProviderClient {
  readonly clientId: string
  readonly clientSecret: string
}

export function clientFor({ type, clientId, clientSecret }: OAuthProviderConfig): ProviderClient {
  if (type === 'shared') return sharedClient
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' }
}

/** The clients registered at the provider under this id: every project that has configured it. */
export function clientsOf(database: Database, provider: string, clientId: string): readonly ProviderClient[] {
  const registered = database.projects.rows().flatMap(project => {
    const configured = providerConfig(configOf(project), provider)
    return configured ? [clientFor(configured)] : []
  })
  return [sharedClient, ...registered].filter(client => client.clientId === clientId)
}

/** The provider's configuration in the first project that has one. */
export function configuredAt({ projects }: Database, provider: string): OAuthProviderConfig | undefined {
  return projects.rows().flatMap(project => providerConfig(configOf(project), provider) ?? [])[0]
}

/** The callback address of the provider, the same for every client: this platform. */
export function callbackUrl(origin: string, provider: string): string {
  return `${origin}/api/v1/auth/oauth/callback/${provider}`
}

export function issuerOf(origin: string, provider: string): string {
  return `${origin}/oauth-provider/${provider}`
}

export type OfferedAccount = Pick<ProviderAccountRow, 'accountId' | 'email' | 'displayName' | 'isVerified'>

/** The account of a sign-in at the provider, created at its first use and updated later. */
export function providerAccount(
  { providerAccounts }: Database,
  provider: string,
  { email, accountId = normalizeEmail(email), displayName, verified = true }: ProviderUser,
): ProviderAccountRow {
  const id = JSON.stringify([provider, accountId])
  return providerAccounts.put({
    id,
    provider,
    accountId,
    email,
    isVerified: verified,
    displayName: displayName ?? providerAccounts.get(id)?.displayName ?? null,
  })
}

/**
 * The accounts that the provider's page offers: its existing ones, then the first users of the requesting project, whose
 * accounts are created when chosen. `state` identifies the sign-in, and with it the project.
 */
export function offeredAccounts(
  database: Database,
  { provider, state }: { readonly provider: string; readonly state: string },
): readonly OfferedAccount[] {
  const accounts = database.providerAccounts.by('provider', provider)
  const known = new Set(accounts.flatMap(({ accountId, email }) => [accountId, normalizeEmail(email)]))
  const projectId = database.oauthFlows.get(state)?.projectId
  const users = projectId === undefined ? [] : seededUsers(database.of(projectId))
  const offered = users.map(user => ({ ...user, accountId: normalizeEmail(user.email), isVerified: true }))
  return [...accounts, ...offered.filter(({ accountId }) => !known.has(accountId))]
}

const offered = 10

/** The project's first users with an e-mail address, for the sign-in pages of the local platform. */
export function seededUsers(tables: Tables): { readonly email: string; readonly displayName: string | null }[] {
  return tables.users.page('signedUpAt', { limit: offered }).rows.flatMap(({ id, displayName }) => {
    const channel = primaryChannelOf(tables, id)
    return channel ? [{ email: channel.value, displayName }] : []
  })
}
