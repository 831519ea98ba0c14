import { grace, led, oauthWorld, standard, type OAuthWorld } from '../oauth-world'
import { challengeOf } from '../../../src/platform/model/oauth'

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
    nonce: 'n',
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  const redeem = (code: string | null, change: object = {}, headers = {}) => {
    const parameters = {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri,
      code_verifier: verifier,
      client_id: standard.clientId,
      client_secret: standard.clientSecret,
      ...change,
    }
    return world.visit(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(parameters) })
  }
  return { ...world, issuer, authorizeAt: `${issuer}/authorize?${query.toString()}`, redeem }
}

export async function codeFor({ platform, visit }: OAuthWorld, url: string): Promise<string | null> {
  platform.oauth.nextUser(grace)
  return led(await visit(url), 'code')
}
