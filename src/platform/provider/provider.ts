import type { OpenEngine } from '../model/engine'
import { providerIds } from '../model/projects'
import { bareReply, textType } from '../http/reply'
import type { Reply } from '../http/reply'
import { appleToken, accountOfToken, claimsOf, json, providerKey, token } from './token'
import { authorize } from './authorize'
import { configuredAt, issuerOf } from './clients'

// Written by hand: it runs in process and in browsers; libraries for OpenID providers need a server with sessions.

/**
 * The local OpenID provider, with one issuer per provider under the platform's own address. It replaces github, google,
 * the others and those of projects, so that tests need neither their accounts nor a network.
 */
export async function answerProvider(engine: OpenEngine, path: string, request: Request): Promise<Reply> {
  const [, provider = '', rest = ''] = /^\/oauth-provider\/([^/]+)\/(.+)$/.exec(path) ?? []
  const isKnown = (providerIds as readonly string[]).includes(provider)
  if (!isKnown && !configuredAt(engine.database, provider)) return nothing()
  const issuer = issuerOf(new URL(request.url).origin, provider)
  switch (`${request.method} ${rest}`) {
    case 'GET .well-known/openid-configuration':
      return json(discovery(issuer))
    case 'GET jwks.json':
      return json({ keys: [(await providerKey(engine, provider)).publicKey] })
    case 'GET authorize':
    case 'POST authorize':
      return authorize(engine, provider, request)
    case 'POST token':
      return token(engine, provider, issuer, request)
    case 'POST native-token':
      return provider === 'apple' ? nativeToken(engine, new URLSearchParams(await request.text())) : nothing()
    case 'GET userinfo': {
      const account = accountOfToken(engine, request.headers.get('authorization'))
      if (account?.provider === provider) return json(claimsOf(account))
      return bareReply(401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    }
    default:
      return nothing()
  }
}

function discovery(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: ['openid', 'email', 'profile'],
    claims_supported: ['sub', 'email', 'email_verified', 'name'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  }
}

/** Returns the identity token that iOS gives an app, to a script: `bundle_id`, `email`, and `account_id` or `name`. */
async function nativeToken(engine: OpenEngine, form: URLSearchParams): Promise<Reply> {
  const [bundleId, email, accountId, displayName] = ['bundle_id', 'email', 'account_id', 'name'].map(name =>
    form.get(name),
  )
  if (!bundleId || !email) return json({ error: 'invalid_request' }, 400)
  const user = { email, ...(accountId && { accountId }), ...(displayName && { displayName }) }
  return json({ id_token: await appleToken(engine, { bundleId, user }) })
}

function nothing(): Reply {
  return bareReply(404, { 'content-type': textType }, 'The local provider has nothing here.')
}
