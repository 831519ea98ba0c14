import { endpoint } from '../../transport/endpoint'
import { asReply } from '../answered'
import type { Answered } from '../answered'
import type { Engine } from '../engine'
import { decide } from '../oauth-decision'
import type { OAuthFlowRow } from '../oauth-tables'
import { saveTokens } from '../oauth-tokens'
import { providerConfig } from '../project-config'
import { clientFor } from '../provider/clients'
import { ProviderSignIn } from '../provider/sign-in'
import { known, plain, Refusal } from '../refusal'
import { jsonType, platformReply, refusalReply } from '../reply'
import type { Reply } from '../reply'
import { servePublic } from '../serve'
import type { Call } from '../serve'
import type { ProjectRow } from '../tables'
import { isTrustedUrl } from '../trusted-url'
import { innerCookie } from './oauth-authorize'

/** Protocol §10.3. */
const codeLifetimeMillis = 300_000

const byLink = endpoint('GET /auth/oauth/callback/{provider}', { access: 'client' })
const byForm = endpoint('POST /auth/oauth/callback/{provider}', { access: 'client' })

type Returned = Call<{ readonly provider: string }, unknown>

export const oauthCallbackRoutes = [
  servePublic(byLink, { takesAnything: true }, answer),
  servePublic(byForm, { takesAnything: true }, answer),
]

async function answer({ engine, input, origin, headers, sent }: Returned): Promise<Answered<never>> {
  const state = sent['state'] ?? ''
  const cookies = (headers.get('cookie') ?? '').split(';').map(cookie => cookie.trim())
  if (!cookies.includes(`stack-oauth-inner-${state}=true`))
    throw plain(400, 'The cookie of this sign-in is missing: it was begun in another browser, or has been used.')
  let reply: Reply
  try {
    reply = await finish(engine, takeFlow(engine, state, input.provider), sent, origin)
  } catch (error) {
    reply = refusalReply(error)
  }
  // The cookie works once, like the state.
  return asReply({ ...reply, headers: { ...reply.headers, 'set-cookie': innerCookie(state, '', 0, origin) } })
}

function takeFlow({ tables }: Engine, state: string, provider: string): OAuthFlowRow {
  const flow = tables.oauthFlows.get(state)
  if (flow?.provider !== provider)
    throw plain(400, 'This sign-in is unknown: it was begun elsewhere, or has been used.')
  tables.oauthFlows.delete(state)
  return flow
}

async function finish(
  engine: Engine,
  flow: OAuthFlowRow,
  sent: Readonly<Record<string, string>>,
  origin: string,
): Promise<Reply> {
  const project = engine.tables.projects.get(flow.projectId)
  if (!project) throw plain(400, 'The project of this sign-in has been deleted.')
  try {
    const url = new URL(flow.redirectUri)
    url.searchParams.set('code', await signInBy(engine, project, flow, sent, origin))
    url.searchParams.set('state', flow.state)
    return platformReply(303, jsonType, '{}', { location: url.href })
  } catch (error) {
    const { errorRedirectUrl } = flow
    if (!(error instanceof Refusal) || error.code === null) throw error
    if (errorRedirectUrl === null || !isTrustedUrl(errorRedirectUrl, project)) throw error
    const url = new URL(errorRedirectUrl)
    url.searchParams.set('errorCode', error.code)
    url.searchParams.set('message', error.message)
    url.searchParams.set('details', JSON.stringify(error.details ?? {}))
    return platformReply(307, jsonType, '{}', { location: url.href })
  }
}

/** The code that the app exchanges for tokens. */
async function signInBy(
  engine: Engine,
  project: ProjectRow,
  flow: OAuthFlowRow,
  sent: Readonly<Record<string, string>>,
  origin: string,
): Promise<string> {
  const { tables, clock } = engine
  if (flow.expiresAt <= clock.now())
    throw known('OUTER_OAUTH_TIMEOUT', 'Signing in took longer than ten minutes. Please sign in again.')
  const configured = providerConfig(project.config, flow.provider)
  if (!configured)
    throw known('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', 'This OAuth provider is no longer enabled in this project.')
  if (sent['error'] === 'access_denied')
    throw known('OAUTH_PROVIDER_ACCESS_DENIED', 'The sign-in was refused at the provider.')
  if (sent['code'] === undefined) throw plain(400, 'The provider sent no code.')
  const provider = new ProviderSignIn(engine, origin, flow.provider, clientFor(configured))
  const { tokens, profile } = await provider.redeem(sent['code'], flow.innerVerifier)
  if (!isTrustedUrl(flow.redirectUri, project))
    throw plain(400, "The redirect URI is not on a trusted domain of this project; add it to the project's domains.")
  const { user, account, isNewUser } = decide(engine, project, flow, profile)
  saveTokens(engine, account, tokens)
  return tables.authorizationCodes.put({
    id: randomHex(32),
    projectId: project.id,
    userId: user.id,
    isNewUser,
    redirectUri: flow.redirectUri,
    codeChallenge: flow.codeChallenge,
    codeChallengeMethod: flow.codeChallengeMethod,
    afterCallbackRedirectUrl: flow.afterCallbackRedirectUrl,
    expiresAt: clock.now() + codeLifetimeMillis,
  }).id
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte => byte.toString(16).padStart(2, '0')).join('')
}
