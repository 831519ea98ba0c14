import { randomBase64Url } from '../../core/encoding'
import { fromOutside } from '../../core/tap'
import type { ProviderId } from '../../core/register'
import { abortError, misuse, developerError } from '../../errors/auth-error'
import { returnParameter } from '../../navigation/route'
import { absoluteUrl, presentPage, rememberedReturn } from '../../navigation/targets'
import { urlOf } from '../../navigation/urls'
import { project$ } from '../../entities/projects/client'
import { readAccessToken } from '../../transport/access-token'
import { clientSecretOf } from '../../transport/config'
import { coreOf } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { assertKeepsSessions } from '../../store/session-effects'
import { buildRequest, checkInput } from '../../transport/call'
import { splitRoute } from '../../transport/endpoint'
import { apiUrl } from '../../transport/transport'
import { anonymousOwner } from '../first-factor'
import { challengeFields, type BotChallenge } from '../answers'
import { cookiesOf, fitsCookie, keepPending, flowParameter, assertHashes, challengeOf } from './cookie'
import type { PendingOAuth, PopupUse } from './cookie'
import { authorizeOAuth } from './endpoints'
import { assertTrusted } from '../redirect'

/** The input of an OAuth flow. */
export interface OAuthInput {
  /** `github`, in any case, or the id of a custom provider as its owner has written it; `project$` lists the providers. */
  readonly provider: ProviderId
  /** Scopes in addition to the platform's defaults and the kit's `oauthScopes`. */
  readonly scopes?: readonly string[]
  readonly botChallenge?: BotChallenge
}

export interface FlowKind {
  readonly isLink: boolean
  readonly isPopup: PopupUse
  readonly returnTo?: string | undefined
}

/** A flow with checked input; nothing has been requested or stored yet. */
export interface StartingOAuth extends FlowKind {
  readonly provider: string
  readonly scopes: string
  readonly redirectUri: URL
  readonly state: string
  readonly botChallenge: BotChallenge | undefined
}

/** Checks the input synchronously. Throws INVALID_INPUT. */
export function startOAuth(
  kit: Kit,
  { provider, scopes = [], botChallenge }: OAuthInput,
  kind: FlowKind,
): StartingOAuth {
  const core = coreOf(kit)
  core.assertAlive()
  cookiesOf(kit)
  assertHashes()
  if (typeof provider !== 'string' || provider === '')
    throw misuse('provider', 'is missing: the id of a provider, such as "github"')
  if (kind.returnTo !== undefined) assertTrusted(kit, 'returnTo', kind.returnTo)
  const id = wireProviderId(provider)
  const always = Object.entries(core.oauthScopes).flatMap(([name, more = []]) =>
    wireProviderId(name) === id ? more : [],
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

const knownProvider = /^(google|github|microsoft|spotify|facebook|discord|gitlab|bitbucket|linkedin|apple|x)$/i

/** The id of a provider on the wire: lower case for those that the platform knows, else as its owner has written it. */
export function wireProviderId(id: string): string {
  return knownProvider.test(id) ? id.toLowerCase() : id
}

/** Scopes as one text, without duplicates, in order. */
export function joinScopes(scopes: readonly string[]): string {
  return [...new Set(scopes.join(' ').split(/\s+/))].join(' ').trim()
}

/**
 * Stores the flow in a cookie, and returns the URL for the browser. It contains the project's key and, to link an account,
 * the access token, so it must not be exposed.
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
  const { tap } = transport.clock
  const codeChallenge = await fromOutside(tap, () => challengeOf(verifier))
  // Last, since the token goes into the URL.
  const owner = isLink ? await ownerOf(kit, signal) : null
  const token = owner ? owner.accessToken : (await anonymousOwner(kit, signal)) && session.tokens?.accessToken
  const explicit = start.returnTo ?? (isLink ? presentPage(navigation, urlOf(navigation, 'oauthCallback')) : null)
  const redirectUri = new URL(start.redirectUri)
  // Two return addresses could contradict each other.
  if (explicit !== null) redirectUri.searchParams.delete(returnParameter)
  // A refusal of newer releases returns without the state, and a popup does not have this page's note.
  if (isPopup) redirectUri.searchParams.set(flowParameter, state)
  let pending: PendingOAuth = {
    verifier,
    redirectUri: redirectUri.href,
    returnTo: explicit ?? rememberedReturn(navigation),
    linkUserId: owner?.userId ?? null,
    isPopup,
    provider: isLink ? undefined : provider,
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
  // A flow given up meanwhile leaves no cookie.
  if (signal?.aborted) throw abortError(signal)
  keepPending(kit, state, pending)
  tap.tell?.({ type: 'oauth', provider, isLink })
  return { url: apiUrl(config, buildRequest(method, path, authorizeOAuth, input).path), pending }
}

/** The page to which the platform redirects: the app's, without the parameters that the platform adds. */
function redirectUriOf(kit: Kit): URL {
  const { navigation } = coreOf(kit)
  const absolute = absoluteUrl(navigation, urlOf(navigation, 'oauthCallback'))
  if (absolute === undefined) throw misuse('urls.oauthCallback', 'must be an absolute URL outside a page')
  const url = new URL(absolute)
  // The platform drops it, and compares the rest when it exchanges the code.
  url.hash = ''
  const page = navigation.href()
  if (page !== undefined && new URL(page).hostname !== url.hostname)
    throw misuse(
      'urls.oauthCallback',
      `is on ${url.hostname}, but this page is on ${new URL(page).hostname}, whose cookies are not sent there`,
    )
  const added = ['code', 'state', flowParameter].filter(name => url.searchParams.has(name))
  for (const name of added) url.searchParams.delete(name)
  if (added.length > 0)
    // eslint-disable-next-line no-console -- it works all the same, but the URL is not the configured one
    console.warn(`urls.oauthCallback has ${added.join(' and ')} in its query; removed, since the platform sets them`)
  return url
}

/** The page for the platform's errors. For a popup it is the callback page, which passes the error on. */
function errorUrl(kit: Kit, { isPopup, state }: StartingOAuth, redirectUri: URL): string {
  if (isPopup) {
    const url = new URL(redirectUri)
    url.searchParams.set('state', state)
    return url.href
  }
  const { navigation } = coreOf(kit)
  const page = urlOf(navigation, 'error')
  return absoluteUrl(navigation, page) ?? new URL(page, redirectUri).href
}

/** The platform would show its refusal as plain JSON in place of the app. */
export function assertEnabled(kit: Kit, provider: string): void {
  const { snapshot } = project$(kit)
  const enabled =
    snapshot.status === 'ready' ? snapshot.value.config.enabledOauthProviders.map(({ id }) => id) : [provider]
  if (enabled.includes(provider)) return
  throw developerError(
    'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    `this project has not enabled the provider "${provider}", only: ${enabled.join(', ') || 'none'}`,
    { what: `the provider is not enabled: ${provider}` },
  )
}

/** The user who links an account, with an access token of the longest remaining life that a kit can request. */
async function ownerOf(
  kit: Kit,
  signal: AbortSignal | undefined,
): Promise<{ readonly userId: string; readonly accessToken: string }> {
  const accessToken = (await coreOf(kit).session.current(linkMinMillis, signal))?.accessToken
  const userId = accessToken ? readAccessToken(accessToken)?.userId : undefined
  if (accessToken && userId !== undefined) return { userId, accessToken }
  throw developerError('USER_AUTHENTICATION_REQUIRED', 'no user is signed in to link an account', {
    what: 'no user is signed in',
  })
}

/** Just below the maximum for `minMillis`. */
const linkMinMillis = 59_999
