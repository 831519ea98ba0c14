import { grace, led, oauthWorld, standard, type OAuthWorld } from '../oauth-world'
import { challengeOf, type ProviderAccountRow, type ProviderGrantRow } from '../../../src/platform/model/oauth'

export const verifier = 'b'.repeat(43)

/** A client of the provider itself, without the platform's authorize endpoint. */
export async function asClient(changes: Readonly<Record<string, string>> = {}) {
  const world = oauthWorld()
  const issuer = `${world.origin}/oauth-provider/github`
  const redirect_uri = `${world.origin}/api/v1/auth/oauth/callback/github`
  const query = new URLSearchParams({
    client_id: standard.clientId,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email profile repo',
    state: 's',
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  /** The account and the scopes for which a code stands. */
  const granted = (code: string | null) => {
    const { providerGrants, providerAccounts } = issuedBy(world)
    const { accountRowId, scopes } = providerGrants.find(({ id }) => id === code)!
    const { accountId, email, isVerified, displayName } = providerAccounts.find(({ id }) => id === accountRowId)!
    return {
      sub: accountId,
      email,
      email_verified: isVerified,
      name: displayName ?? undefined,
      scope: scopes.join(' '),
    }
  }
  return { ...world, issuer, authorizeAt: `${issuer}/authorize?${query.toString()}`, granted }
}

/** What the local provider has issued. */
export function issuedBy({ platform }: Pick<OAuthWorld, 'platform'>) {
  const { shared } = platform.snapshot() as {
    readonly shared: {
      readonly providerGrants: readonly ProviderGrantRow[]
      readonly providerAccounts: readonly ProviderAccountRow[]
    }
  }
  return shared
}

export async function codeFor({ platform, visit }: OAuthWorld, url: string): Promise<string | null> {
  platform.oauth.nextUser(grace)
  return led(await visit(url), 'code')
}
