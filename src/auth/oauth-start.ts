import { randomBase64Url } from '../core/base64url'
import type { ProviderId } from '../core/register'
import { abortError } from '../errors/abort'
import { AuthError, invalidInput } from '../errors/auth-error'
import { absoluteUrl, presentPage, rememberedReturn, returnParameter } from '../navigation/targets'
import { project$ } from '../resources/project'
import { readAccessToken } from '../transport/access-token'
import { clientSecretOf } from '../transport/config'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { assertKeepsSessions } from '../store/session'
import { buildRequest, checkInput } from '../transport/call'
import { splitRoute } from '../transport/endpoint'
import { apiUrl } from '../transport/transport'
import { anonymousOwner } from './anonymous-owner'
import { challengeFields } from './bot-challenge'
import type { BotChallenge } from './bot-challenge'
import { cookiesOf, fitsCookie, keepPending } from './oauth-cookie'
import type { PendingOAuth } from './oauth-cookie'
import { authorizeOAuth } from './oauth-endpoints'
import { flowParameter } from './oauth-flow-note'
import { assertHashes, challengeOf } from './pkce'
import { assertTrusted } from './redirect'

/**
 * What an OAuth flow begins with.
 *
 * @example
 * const input: OAuthInput = { provider: 'github', scopes: ['repo'] }
 * await app.signInWithOAuth(input)
 */
export interface OAuthInput {
  /** `github`, in any case; which ones there are is in `project$`. */
  readonly provider: ProviderId
  /** More than what the platform asks for by itself, and the kit's `oauthScopes`. */
  readonly scopes?: readonly string[]
  readonly botChallenge?: BotChallenge
}

interface Kind {
  readonly isLink: boolean
  readonly isPopup: boolean
  readonly returnTo?: string | undefined
}

/** A flow whose input has been checked; nothing has been asked or kept yet. */
export interface StartingOAuth extends Kind {
  readonly provider: string
  readonly scopes: string
  readonly redirectUri: URL
  readonly state: string
  readonly botChallenge: BotChallenge | undefined
}

/** Checks everything that can be checked at once. Throws INVALID_INPUT. */
export function startOAuth(kit: Kit, { provider, scopes = [], botChallenge }: OAuthInput, kind: Kind): StartingOAuth {
  const core = coreOf(kit)
  core.assertAlive()
  cookiesOf(kit)
  assertHashes()
  if (typeof provider !== 'string' || provider === '')
    throw invalidInput('provider', 'is missing: the id of a provider, such as "github"')
  if (kind.returnTo !== undefined) assertTrusted(kit, 'returnTo', kind.returnTo)
  const id = provider.toLowerCase()
  const always = Object.entries(core.oauthScopes).flatMap(([name, more = []]) =>
    name.toLowerCase() === id ? more : [],
  )
  return {
    ...kind,
    provider: id,
    scopes: joinScopes([...scopes, ...always]),
    redirectUri: redirectUriOf(kit),
    state: randomBase64Url(),
    botChallenge,
  }
}

/** Scopes as one text, each once, in the order in which they are asked for. */
export function joinScopes(scopes: readonly string[]): string {
  return [...new Set(scopes.join(' ').split(/\s+/))].join(' ').trim()
}

/**
 * Remembers the flow in a cookie, and makes the address that a browser has to go to. It carries the project's key and, to
 * link an account, the access token: it is told to nobody else.
 */
export async function beginOAuth(
  kit: Kit,
  start: StartingOAuth,
  signal: AbortSignal | undefined,
): Promise<{ readonly url: string; readonly pending: PendingOAuth }> {
  const { navigation, session, transport } = coreOf(kit)
  const { provider, scopes, isLink, isPopup, state } = start
  await assertKeepsSessions(kit)
  assertEnabled(kit, provider)
  const verifier = randomBase64Url()
  const codeChallenge = await challengeOf(verifier)
  // Last, since it is in the address.
  const owner = isLink ? await ownerOf(kit, signal) : null
  const token = owner ? owner.accessToken : (await anonymousOwner(kit, signal)) && session.tokens?.accessToken
  const explicit = start.returnTo ?? (isLink ? presentPage(navigation, navigation.urls.oauthCallback) : null)
  const redirectUri = new URL(start.redirectUri)
  // Two places to come back to would contradict each other.
  if (explicit !== null) redirectUri.searchParams.delete(returnParameter)
  // A refusal of a newer platform comes back without the state, and a window of its own has no note of this page.
  if (isPopup) redirectUri.searchParams.set(flowParameter, state)
  let pending: PendingOAuth = {
    verifier,
    redirectUri: redirectUri.href,
    returnTo: explicit ?? rememberedReturn(navigation),
    linkUserId: owner?.userId ?? null,
    isPopup,
  }
  if (!fitsCookie(pending)) {
    redirectUri.searchParams.delete(returnParameter)
    pending = { ...pending, redirectUri: redirectUri.href, returnTo: null }
  }
  const [method, path] = splitRoute(authorizeOAuth.route)
  const { config } = transport
  const input = checkInput(authorizeOAuth, {
    provider,
    clientId: config.projectId,
    clientSecret: clientSecretOf(config),
    redirectUri: pending.redirectUri,
    scope: 'legacy',
    state,
    grantType: 'authorization_code',
    codeChallenge,
    codeChallengeMethod: 'S256',
    responseType: 'code',
    type: isLink ? 'link' : 'authenticate',
    errorRedirectUrl: errorUrl(kit, start, redirectUri),
    ...(token && { token }),
    ...(scopes && { providerScope: scopes }),
    ...challengeFields(start.botChallenge),
  })
  // Whoever has given up meanwhile leaves nothing behind.
  if (signal?.aborted) throw abortError(signal)
  keepPending(kit, state, pending)
  return { url: apiUrl(config, buildRequest(method, path, authorizeOAuth, input).path), pending }
}

/** The page that the platform sends people back to: the app's, without what the platform adds to it. */
function redirectUriOf(kit: Kit): URL {
  const { navigation } = coreOf(kit)
  const absolute = absoluteUrl(navigation, navigation.urls.oauthCallback)
  if (absolute === undefined)
    throw invalidInput('urls.oauthCallback', 'has to be an absolute address where the page has none of its own')
  const url = new URL(absolute)
  const page = navigation.href()
  if (page !== undefined && new URL(page).hostname !== url.hostname)
    throw invalidInput(
      'urls.oauthCallback',
      `is on ${url.hostname}, but this page on ${new URL(page).hostname}, whose cookies are not seen there`,
    )
  const added = ['code', 'state', flowParameter].filter(name => url.searchParams.has(name))
  for (const name of added) url.searchParams.delete(name)
  if (added.length > 0)
    // eslint-disable-next-line no-console -- nothing fails, and whoever wrote the address would wonder
    console.warn(`urls.oauthCallback has ${added.join(' and ')} in its query; removed, since the platform sets them`)
  return url
}

/** Where the platform tells what went wrong. A popup has to tell the page that waits for it, as it does otherwise. */
function errorUrl(kit: Kit, { isPopup, state }: StartingOAuth, redirectUri: URL): string {
  if (isPopup) {
    const url = new URL(redirectUri)
    url.searchParams.set('state', state)
    return url.href
  }
  const { navigation } = coreOf(kit)
  return absoluteUrl(navigation, navigation.urls.error) ?? new URL(navigation.urls.error, redirectUri).href
}

/** The platform would show its refusal as plain JSON, in the place of the app. */
function assertEnabled(kit: Kit, provider: string): void {
  const { snapshot } = project$(kit)
  const enabled =
    snapshot.status === 'ready' ? snapshot.value.config.enabledOauthProviders.map(({ id }) => id) : [provider]
  if (enabled.includes(provider)) return
  throw new AuthError(
    'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    `this project has not enabled the provider "${provider}", only: ${enabled.join(', ') || 'none'}`,
  )
}

/** Who links an account, with an access token that is good for as long as a kit can ask for. */
async function ownerOf(
  kit: Kit,
  signal: AbortSignal | undefined,
): Promise<{ readonly userId: string; readonly accessToken: string }> {
  const accessToken = (await coreOf(kit).session.current(linkMinMillis, signal))?.accessToken
  const userId = accessToken ? readAccessToken(accessToken)?.userId : undefined
  if (accessToken && userId !== undefined) return { userId, accessToken }
  throw new AuthError('USER_AUTHENTICATION_REQUIRED', 'nobody is signed in whom an account could be linked to')
}

/** Just below the most that a session can be asked for. */
const linkMinMillis = 59_999
