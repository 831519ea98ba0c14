import { endpoint } from '../../transport/endpoint'
import { inProject, type Engine, type OpenEngine } from '../model/engine'
import { toHex } from '../directory/passwords'
import { decide, saveTokens, enabledProvider } from '../directory/oauth'
import type { OAuthFlowRow } from '../model/oauth'
import { callbackUrl, clientIdOf, claimsOf, redeem } from '../provider/token'
import { known, plain, RefusedRequest } from '../model/refusal'
import { jsonType, platformReply, refusalReply, type Reply } from '../http/reply'
import { asReply, servePublic, type Answered, type Call } from '../http/serve'
import { isTrustedUrl } from '../directory/trusted-url'
import { innerCookieName } from './oauth'

/** The time from the provider's callback to the exchange of the code. */
const codeLifetimeMillis = 300_000

type Returned = Call<{ readonly provider: string }, unknown, OpenEngine>

const path = '/auth/oauth/callback/{provider}'

export const routes = [
  servePublic(endpoint(`GET ${path}`, { access: 'client' }), { takesAnything: true }, answer),
  servePublic(endpoint(`POST ${path}`, { access: 'client' }), { takesAnything: true }, answer),
]

async function answer(call: Returned): Promise<Answered<never>> {
  const { engine, headers, sent } = call
  const state = sent['state'] ?? ''
  const name = innerCookieName(state)
  const cookies = (headers.get('cookie') ?? '').split(';').map(cookie => cookie.trim())
  let reply: Reply
  try {
    const { oauthFlows } = engine.database
    const flow = oauthFlows.get(state)
    if (!flow?.isWithoutCookie && !cookies.includes(`${name}=true`))
      throw plain(400, 'The cookie of this sign-in is missing: it was begun in another browser, or has been used.')
    if (!flow) throw unknownFlow()
    oauthFlows.delete(state)
    engine.keep()
    reply = await finish(call, flow)
  } catch (error) {
    engine.undo()
    reply = refusalReply(error)
  }
  // Every answer deletes the cookie, since the flow is deleted before any check. A state with other characters cannot be
  // part of a cookie's name.
  if (!/^[\w-]+$/.test(state)) return asReply(reply)
  const gone = `${name}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT`
  return asReply({ ...reply, headers: { ...reply.headers, 'set-cookie': gone } })
}

function unknownFlow(): RefusedRequest {
  return plain(400, 'This sign-in is unknown: it was begun elsewhere, or has been used.')
}

async function finish(call: Returned, flow: OAuthFlowRow): Promise<Reply> {
  const engine = inProject(call.engine, flow.projectId)
  if (!engine.database.projects.get(flow.projectId)) throw plain(400, 'The project of this sign-in has been deleted.')
  try {
    const url = new URL(flow.redirectUri)
    const code = await signInBy(engine, flow, call)
    url.searchParams.set('code', code)
    url.searchParams.set('state', flow.state)
    return platformReply(303, jsonType, '{}', { location: url.href })
  } catch (error) {
    engine.undo()
    const { rules } = engine
    const { redirectUri, errorRedirectUrl } = flow
    if (!(error instanceof RefusedRequest) || error.code === null) throw error
    const candidates = rules.returnsOAuthRefusals ? [redirectUri, errorRedirectUrl] : [errorRedirectUrl]
    const target = candidates.find(each => each !== null && isTrustedUrl(engine, each))
    if (target == null) throw error
    const url = new URL(target)
    if (rules.returnsOAuthRefusals) {
      url.searchParams.set('error', 'server_error')
      url.searchParams.set('error_description', error.message)
    }
    url.searchParams.set('errorCode', error.code)
    url.searchParams.set('message', error.message)
    url.searchParams.set('details', JSON.stringify(error.details ?? {}))
    return platformReply(307, null, null, { location: url.href })
  }
}

/** Creates the code that the app exchanges for tokens. */
async function signInBy(
  engine: Engine,
  flow: OAuthFlowRow,
  { input: { provider }, sent, origin }: Returned,
): Promise<string> {
  const { tables, clock, keep } = engine
  if (flow.expiresAt <= clock.now())
    throw known('OUTER_OAUTH_TIMEOUT', 'Signing in took longer than ten minutes. Please sign in again.')
  const configured = enabledProvider(engine.settings, provider)
  if (provider !== flow.provider) throw unknownFlow()
  if (sent['error'] === 'access_denied')
    throw known('OAUTH_PROVIDER_ACCESS_DENIED', 'The sign-in was refused at the provider.')
  if (sent['code'] === undefined) throw plain(400, 'The provider sent no code.')
  const redeemed = await redeem(engine, 'code', {
    id: sent['code'],
    clientId: clientIdOf(configured),
    redirectUri: callbackUrl(origin, provider),
    verifier: flow.innerVerifier,
  })
  if (!redeemed) throw plain(400, 'The provider refused its own code: it is unknown, used up or expired.')
  // The provider has issued its tokens: these writes stay even if the sign-in is refused below.
  keep()
  if (!isTrustedUrl(engine, flow.redirectUri)) {
    const message = "The redirect URI is not on a trusted domain of this project; add it to the project's domains."
    throw engine.rules.returnsOAuthRefusals ? known('REDIRECT_URL_NOT_WHITELISTED', message) : plain(400, message)
  }
  const codeChallengeMethod = grantable(flow)
  const { user, account, isNewUser } = await decide(engine, flow, claimsOf(redeemed.account))
  saveTokens(engine, account, redeemed)
  return tables.authorizationCodes.put({
    id: toHex(crypto.getRandomValues(new Uint8Array(32))),
    userId: user.id,
    isNewUser,
    redirectUri: flow.redirectUri,
    codeChallenge: flow.codeChallenge,
    codeChallengeMethod,
    afterCallbackRedirectUrl: flow.afterCallbackRedirectUrl,
    expiresAt: clock.now() + codeLifetimeMillis,
  }).id
}

/** Checks the fields that authorize accepts as any text. Returns the challenge method. */
function grantable({ scope, responseType, codeChallengeMethod }: OAuthFlowRow): 'S256' | 'plain' {
  if (responseType !== 'code') throw plain(400, 'The only response_type here is "code".')
  if (scope !== 'legacy') throw known('INVALID_SCOPE', 'The only scope here is "legacy".')
  if (codeChallengeMethod === 'S256' || codeChallengeMethod === 'plain') return codeChallengeMethod
  throw plain(400, 'The code_challenge_method must be "S256" or "plain".')
}
