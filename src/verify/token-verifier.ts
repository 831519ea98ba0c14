import { errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { systemClock, type Clock } from '../core/clock'
import { hostedBaseUrl } from '../core/defaults'
import { isRecord } from '../core/values'
import { parseUrl, withoutEnding } from '../core/urls'
import type { Fetch } from '../core/web-types'
import { abortError, unlessAborted, AuthError, invalidInput, misuse, saidBy } from '../errors/auth-error'
import { claimsIn } from '../transport/access-token'
import { isLoopback, resolveConfig, checkedTolerance, type Config, type ConfigOptions } from '../transport/config'
import { resolveBaseUrl, withEnvironment } from '../transport/environment'
import { setting, settingsOf } from '../errors/setting'
import { apiUrl } from '../transport/transport'
import { keySet, isKeySet, type FindKey, type KeysCache } from './keys-cache'
import { ProjectKeys } from './project-keys'
import { restrictionIn, verifiedToken } from './verified-token'
import type { OfflineVerifyOptions, VerifiedToken, VerifyOptions } from './verified-token'
import { requestVerifier, type VerifyRequest } from './verify-request'

/** The kinds of tokens that a verifier accepts, and its access to the platform's keys. */
export interface VerifierOptions
  extends Pick<ConfigOptions, 'projectId' | 'baseUrl'>, Omit<OfflineVerifyOptions, 'signal'> {
  /** The project's public keys, in the form of `/.well-known/jwks.json`. Default: fetched from the platform and cached. */
  readonly keys?: { readonly keys: readonly object[] }
  /** Where fetched keys are kept for other processes, such as a KV of an edge runtime. Default: nowhere. */
  readonly keysCache?: KeysCache
  /**
   * Further URLs that the platform uses as its own in tokens, besides `baseUrl`: for example the public one of a platform in
   * Docker.
   */
  readonly issuers?: readonly string[]
  readonly fetch?: Fetch
  readonly clock?: Clock
}

/** Returns the claims of a valid token; see `tokenVerifier`. Null, no token, is refused like an invalid one. */
export type VerifyAccessToken = (token: string | null, options?: OfflineVerifyOptions) => Promise<VerifiedToken>

/** How far the clocks of platform and backend may differ. */
export const defaultToleranceMillis = 5000

/**
 * A function that verifies access tokens of a project without a request for each: signature, expiry, project and issuer.
 * Make one per process; it caches the project's public keys. A token stays valid until it expires, ten minutes at most, even
 * after its session has ended.
 *
 * An invalid token throws a code of the family INVALID_ACCESS_TOKEN: UNPARSABLE_ACCESS_TOKEN, ACCESS_TOKEN_EXPIRED,
 * INVALID_PROJECT_FOR_ACCESS_TOKEN. NETWORK_ERROR, TIMED_OUT, REQUEST_FAILED, INVALID_RESPONSE and REDIRECT_REFUSED say
 * nothing about the token: the keys could not be fetched or used.
 *
 * Options from the environment are read on first use, so that a module can create a verifier before the environment is set.
 * A missing project is INVALID_INPUT on that use.
 *
 * @example
 * const verify = tokenVerifier({ projectId: '…' })
 * const { userId } = await verify(requestAccessToken(request))
 * const { user, refusal } = await verify.request(request)
 */
export function tokenVerifier(options: VerifierOptions = {}): VerifyAccessToken & VerifyRequest<VerifiedToken> {
  const issuers = checkedOptions(options)
  const { clock = systemClock } = options
  let resolved: Config | undefined
  const sets = new Map<string, FindKey>()
  const given = options.keys && keySet(checkedKeys(options.keys), unusable)
  const keysFor = (config: Config, query: string): FindKey => {
    const known = given ?? sets.get(query)
    if (known) return known
    const url = apiUrl(config, `/projects/${encodeURIComponent(config.projectId)}/.well-known/jwks.json`)
    const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
    const { find } = new ProjectKeys({ config, url, query, fetch, clock, cache: options.keysCache })
    sets.set(query, find)
    return find
  }

  async function verify(token: string | null, admits: OfflineVerifyOptions): Promise<VerifiedToken> {
    refuseAsking(admits)
    const config = (resolved ??= configOf(options))
    const { clockToleranceMillis = defaultToleranceMillis, maxAgeSeconds } = admits
    checkedTolerance('clockToleranceMillis', clockToleranceMillis)
    assertMaxAge(maxAgeSeconds)
    if (typeof token !== 'string') throw unparsable()
    const claims = claimsIn(token) ?? {}
    const kind = kindOf(config, claims)
    refuse(kind, admits, claims)
    const payload = await signedBy(keysFor(config, queryOf(admits)), token, {
      algorithms: ['ES256'],
      audience: config.projectId + kinds[kind].audienceEnding,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.now()),
      clockTolerance: clockToleranceMillis / 1000,
      ...(maxAgeSeconds !== undefined && { maxTokenAge: maxAgeSeconds }),
    })
    const { iss } = payload
    if (!isIssuer([config.baseUrl, ...issuers], `/api/v1/${kinds[kind].issuerPath}/${config.projectId}`, iss))
      throw new AuthError(
        'INVALID_ACCESS_TOKEN',
        `the access token is issued by "${String(iss)}", not by ${config.baseUrl}; add the URL to issuers if it is the same platform`,
      )
    const result = verifiedToken(config.projectId, payload, kind === 'anonymous')
    // The claims may name a kind that the audience does not.
    if (result.isAnonymous) refuse('anonymous', admits, payload)
    else if (result.isRestricted) refuse('restricted', admits, payload)
    return result
  }

  const verifyToken: VerifyAccessToken = async (token, perCall = {}) => {
    const { signal } = perCall as { readonly signal?: AbortSignal }
    if (signal?.aborted) throw abortError(signal)
    return unlessAborted(verify(token, { ...options, ...perCall }), signal)
  }
  return Object.assign(verifyToken, { request: requestVerifier(verifyToken) })
}

/** The kinds of users, and how newer releases mark their tokens. */
const kinds = {
  regular: { audienceEnding: '', issuerPath: 'projects' },
  anonymous: { audienceEnding: ':anon', issuerPath: 'projects-anonymous-users' },
  restricted: { audienceEnding: ':restricted', issuerPath: 'projects-restricted-users' },
} as const
type VerifiedKind = keyof typeof kinds

type RawClaims = Readonly<Record<string, unknown>>

/** The kind that the token claims, unverified: it may only lead to a refusal. */
function kindOf({ projectId }: Config, { aud: audience }: RawClaims): VerifiedKind {
  if (typeof audience !== 'string') throw unparsable()
  const found = (['anonymous', 'restricted', 'regular'] as const).find(
    kind => audience === projectId + kinds[kind].audienceEnding,
  )
  if (found) return found
  throw new AuthError(
    'INVALID_PROJECT_FOR_ACCESS_TOKEN',
    `the access token is for the project "${audience}", not for "${projectId}"; app and backend must name the same project`,
    { details: { expectedProjectId: projectId, actualProjectId: audience } },
  )
}

/** Throws for the token of an anonymous user, unless the options accept those. */
export function refuseAnonymous({ allowAnonymous }: OfflineVerifyOptions): void {
  if (!allowAnonymous)
    throw new AuthError(
      'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED',
      'the access token is of an anonymous user; allowAnonymous accepts those',
    )
}

function refuse(kind: VerifiedKind, admits: OfflineVerifyOptions, claims: RawClaims): void {
  if (kind === 'anonymous') refuseAnonymous(admits)
  if (kind === 'restricted' && !admits.allowRestricted)
    throw new AuthError(
      'RESTRICTED_USER_NOT_ALLOWED',
      'the access token is of a restricted user; allowRestricted accepts those',
      { details: { restrictedReason: restrictionIn(claims) ?? { type: 'unknown' } } },
    )
}

/** The list has the keys of anonymous and restricted users only on request. */
function queryOf({ allowAnonymous, allowRestricted }: OfflineVerifyOptions): string {
  const flags = [...(allowAnonymous ? ['include_anonymous'] : []), ...(allowRestricted ? ['include_restricted'] : [])]
  return flags.length === 0 ? '' : `?${flags.map(flag => `${flag}=true`).join('&')}`
}

async function signedBy(find: FindKey, token: string, options: Parameters<typeof jwtVerify>[2]): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, find, options)
    if (typeof payload.sub === 'string' && payload.sub !== '') return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      const { iat = 0, exp = 0 } = error.payload
      const expiredAt = new Date(1000 * (error.claim === 'iat' ? iat + Number(options?.maxTokenAge) : exp))
      throw new AuthError('ACCESS_TOKEN_EXPIRED', `the access token expired at ${expiredAt.toISOString()}`, {
        details: { expiredAt },
      })
    }
    if (!(error instanceof errors.JOSEError)) throw error
    if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) throw unparsable()
    // jose names the failed check, without parts of the token.
    throw new AuthError('INVALID_ACCESS_TOKEN', `the access token is not the platform's: ${error.message}`, {
      cause: error,
    })
  }
  throw unparsable()
}

function unparsable(): AuthError {
  return new AuthError('UNPARSABLE_ACCESS_TOKEN', 'this is not an access token of the platform')
}

/** The hosted platform answers under both of its brands, and a token names the one that it was requested under. */
function isHosted(base: string): boolean {
  return base === hostedBaseUrl || base === 'https://api.hexclave.com'
}

function isIssuer(issuers: readonly string[], path: string, issuer: unknown): boolean {
  if (typeof issuer !== 'string' || !issuer.endsWith(path)) return false
  const base = issuer.slice(0, -path.length)
  if (issuers.includes(base) || (isHosted(base) && issuers.some(isHosted))) return true
  const url = parseUrl(base)
  // A local platform has several names and ports, and none in process.
  return url !== null && url.pathname === '/' && isLoopback(base) && issuers.some(isLoopback)
}

/**
 * Checks the given options at creation; the rest of the configuration may not exist yet. Returns the further URLs of the platform:
 * a token names the one that it was requested under.
 */
function checkedOptions(options: VerifierOptions): readonly string[] {
  refuseAsking(options)
  const { projectId, baseUrl, issuers, clockToleranceMillis = 0, maxAgeSeconds } = options
  if (projectId) setting('projectId', projectId)
  if (baseUrl) resolveBaseUrl(baseUrl)
  checkedTolerance('clockToleranceMillis', clockToleranceMillis)
  assertMaxAge(maxAgeSeconds)
  const both = isRecord(baseUrl) ? settingsOf('baseUrl', [baseUrl.browser, baseUrl.server]) : []
  const further = settingsOf('issuers', issuers)
  for (const issuer of further)
    if (!parseUrl(issuer)) throw invalidInput('issuers', `contains "${issuer}", which is not a URL`)
  return [...both, ...further].map(address => withoutEnding(address, '/'))
}

/** Without the other options, which may be those of a server app. */
function configOf({ projectId = '', baseUrl = '' }: VerifierOptions): Config {
  return resolveConfig(withEnvironment({ projectId, baseUrl, publishableClientKey: null }), {}, 'tokenVerifier')
}

function assertMaxAge(seconds = Infinity): void {
  if (!(typeof seconds === 'number' && seconds > 10))
    throw misuse('maxAgeSeconds', `must be more than 10 seconds; it is ${String(seconds)}`)
}

function refuseAsking({ askAnonymous }: VerifyOptions): void {
  if (askAnonymous)
    throw invalidInput('askAnonymous', 'needs the secret server key: use verifyAccessToken of createServerApp()')
}

function unusable(key: string, cause: unknown): AuthError {
  return invalidInput('keys', `contains ${key}, which cannot be used: ${saidBy(cause)}`)
}

function checkedKeys(keys: NonNullable<VerifierOptions['keys']>): JSONWebKeySet {
  // A single JWK, or the text of a set, fails here if the types did not catch it.
  if (!isKeySet(keys)) throw invalidInput('keys', 'must be a JSON Web Key Set: { keys: [ … ] }')
  return keys
}
