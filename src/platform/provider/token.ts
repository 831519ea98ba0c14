import { SignJWT } from 'jose'
import * as v from 'valibot'
import { newKey } from '../model/access-tokens'
import type { OpenEngine } from '../model/engine'
import { isVerifierOf, type ProviderAccountRow, type ProviderGrantRow, type ProviderUser } from '../model/oauth'
import { randomText } from '../model/random-text'
import type { SigningKeyRow } from '../model/api-keys'
import { configOf } from '../model/project-config'
import { providerConfig, type OAuthProviderConfig } from '../model/projects'
import type { Database, Tables } from '../model/tables'
import { primaryChannelOf } from '../model/restriction'
import { normalizeEmail } from '../model/users'

const accessLifetimeSeconds = 3600

/** Scopes as a list without duplicates, in order. */
export function splitScopes(text: string): readonly string[] {
  return [...new Set(text.split(/\s+/).filter(scope => scope !== ''))]
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
  const expiresAt = engine.clock.now() + accessLifetimeSeconds * 1000
  const access = { accessToken: issue(engine, grant, 'access', expiresAt), expiresAt }
  const refreshToken = kind === 'code' ? issue(engine, grant, 'refresh', Number.MAX_SAFE_INTEGER) : null
  return { account, access, refreshToken, scopes: grant.scopes }
}

export type RedeemedGrant = NonNullable<Awaited<ReturnType<typeof redeem>>>

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

/** The key that signs in Apple's place; created at its first use. */
export async function appleKey({ database }: OpenEngine): Promise<SigningKeyRow> {
  return database.providerKeys.get('apple') ?? database.providerKeys.put(await newKey('apple'))
}

function issue(
  { database }: OpenEngine,
  grant: ProviderGrantRow,
  kind: ProviderGrantRow['kind'],
  expiresAt: number,
): string {
  return database.providerGrants.put({ ...grant, id: randomText(), kind, codeChallenge: null, expiresAt }).id
}

/** The issuer of identity tokens for apps, which the local provider signs in Apple's place. */
export const appleIssuer = 'https://appleid.apple.com'

export async function appleToken(
  engine: OpenEngine,
  { bundleId, user }: { readonly bundleId: string; readonly user: ProviderUser },
): Promise<string> {
  const { sub, ...claims } = claimsOf(providerAccount(engine.database, 'apple', user))
  const { publicKey, privateKey } = await appleKey(engine)
  const issuedAt = Math.floor(engine.clock.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: publicKey.kid })
    .setSubject(sub)
    .setAudience(bundleId)
    .setIssuer(appleIssuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessLifetimeSeconds)
    .sign(privateKey)
}

/** The platform's own client at the local provider, for projects with shared keys. */
const sharedClientId = 'rxauth-shared'

export function clientIdOf({ type, clientId = '' }: OAuthProviderConfig): string {
  return type === 'shared' ? sharedClientId : clientId
}

/** Whether a project has configured the provider with this client, or the client is the platform's own. */
export function isClientOf(database: Database, provider: string, clientId: string): boolean {
  return clientId === sharedClientId || configuredIn(database, provider).some(each => clientIdOf(each) === clientId)
}

/** The provider's configuration in the first project that has one. */
export function configuredAt(database: Database, provider: string): OAuthProviderConfig | undefined {
  return configuredIn(database, provider)[0]
}

function configuredIn({ projects }: Database, provider: string): OAuthProviderConfig[] {
  return projects.rows().flatMap(project => providerConfig(configOf(project), provider) ?? [])
}

/** The callback address of the provider, the same for every client: this platform. */
export function callbackUrl(origin: string, provider: string): string {
  return `${origin}/api/v1/auth/oauth/callback/${provider}`
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
