import { decodeJwt, errors, exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { isRecord } from '../../core/values'
import type { Clock } from '../../core/clock'
import { toBase64Url } from '../../core/encoding'
import { SingleFlight } from '../../core/promises'
import type { PublicKey, SigningKeyRow } from './api-keys'
import type { PlatformJournal } from './tables'

/** Why a user is restricted, as on the wire. */
export interface WireRestriction {
  readonly type: 'anonymous' | 'email_not_verified' | 'restricted_by_administrator'
}

/** Ten minutes. */
const lifetimeSeconds = 600

/** The only branch that a local project has. */
export const mainBranch = 'main'

/** The kind of user that a token is for. A verifier of ordinary users' tokens must refuse the other kinds. */
export type TokenKind = 'regular' | 'anonymous' | 'restricted'

const forms = {
  regular: { audienceEnding: '', issuerPath: 'projects' },
  anonymous: { audienceEnding: ':anon', issuerPath: 'projects-anonymous-users' },
  restricted: { audienceEnding: ':restricted', issuerPath: 'projects-restricted-users' },
} as const satisfies Readonly<Record<TokenKind, object>>

export interface TokenContent {
  readonly projectId: string
  readonly userId: string
  readonly kind: TokenKind
  /** In wire names, which differ between releases. */
  readonly claims: Readonly<Record<string, unknown>>
}

export interface Claims {
  readonly projectId: string
  readonly userId: string
  readonly branchId: string
  /** Null in a token that names no session. */
  readonly sessionId: string | null
  /** Null in the token of an ordinary user. */
  readonly restriction: WireRestriction | null
}

export type TokenCheck =
  | { readonly status: 'valid'; readonly claims: Claims }
  | { readonly status: 'expired'; readonly expiredAt: Date; readonly claims: Claims | null }
  | { readonly status: 'unparsable' }

interface CheckedToken {
  /** The committed row of the key that verified it. If the row is replaced, the token is verified again. */
  readonly key: SigningKeyRow
  readonly claims: Claims
  /** In seconds since 1970. */
  readonly expiresAt: number
}

/** How many verified tokens are remembered, so that a signature is not verified with each request. */
const knownTokens = 1_000

/** Signs and verifies access tokens: ES256, one key per project and kind, made when it is first needed. */
export class AccessTokens {
  /** In the order in which they were verified. */
  readonly #known = new Map<string, CheckedToken>()
  readonly #journal: PlatformJournal
  readonly #clock: Clock
  readonly #generating = new SingleFlight<SigningKeyRow>()

  constructor(journal: PlatformJournal, clock: Clock) {
    this.#journal = journal
    this.#clock = clock
  }

  /** A token of the project, issued by the platform under `origin`. */
  async sign({ projectId, userId, kind, claims }: TokenContent, origin: string): Promise<string> {
    const audience = audienceOf(projectId, kind)
    const { publicKey, privateKey } = await this.#keyOf(audience)
    const issuedAt = Math.floor(this.#clock.now() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: publicKey.kid })
      .setSubject(userId)
      .setAudience(audience)
      .setIssuer(`${origin}/api/v1/${forms[kind].issuerPath}/${projectId}`)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(privateKey)
  }

  /** The issuer is not compared: the same platform is reached under several names (localhost, 127.0.0.1, in process). */
  async verify(token: string): Promise<TokenCheck> {
    const known = this.#known.get(token)
    if (known && this.#isInForce(known)) return { status: 'valid', claims: known.claims }
    this.#known.delete(token)
    try {
      const audience = decodeJwt(token).aud
      if (typeof audience !== 'string') return { status: 'unparsable' }
      const key = this.#journal.committed.signingKeys.get(audience)
      if (!key) return { status: 'unparsable' }
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['ES256'],
        audience,
        currentDate: new Date(this.#clock.now()),
      })
      const claims = claimsIn(payload)
      if (!claims) return { status: 'unparsable' }
      this.#remember(token, { key, claims, expiresAt: payload.exp ?? 0 })
      return { status: 'valid', claims }
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        const { payload } = error
        return { status: 'expired', expiredAt: new Date((payload.exp ?? 0) * 1000), claims: claimsIn(payload) }
      }
      // Any failure here means that the platform did not issue the token.
      return { status: 'unparsable' }
    }
  }

  /** The two checks that a full verification makes too: the key is current, the token has not expired. */
  #isInForce({ key, expiresAt }: CheckedToken): boolean {
    return this.#journal.committed.signingKeys.get(key.id) === key && expiresAt > Math.floor(this.#clock.now() / 1000)
  }

  #remember(token: string, known: CheckedToken): void {
    this.#known.set(token, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > knownTokens && oldest !== undefined) this.#known.delete(oldest)
  }

  /** The public keys that verify the project's tokens of these kinds; with those that would sign next, as on the newer release. */
  async publicKeys(projectId: string, kinds: readonly TokenKind[], withNext: boolean): Promise<PublicKey[]> {
    const audiences = kinds.map(kind => audienceOf(projectId, kind))
    const ids = withNext ? audiences.flatMap(audience => [audience, `${audience}#next`]) : audiences
    const keys = await Promise.all(ids.map(id => this.#keyOf(id)))
    return keys.map(({ publicKey }) => publicKey)
  }

  async #keyOf(audience: string): Promise<SigningKeyRow> {
    return (
      this.#journal.committed.signingKeys.get(audience) ??
      this.#generating.run(audience, async () => {
        const key = await newKey(audience)
        // Outside the caller's unit of work: the token stays verifiable even if that unit is undone.
        return this.#journal.runNow(({ signingKeys }) => signingKeys.put(key))
      })
    )
  }
}

function audienceOf(projectId: string, kind: TokenKind): string {
  return projectId + forms[kind].audienceEnding
}

/** Reads both spellings of the claims. The newer one has the project beside the audience. */
function claimsIn(payload: JWTPayload): Claims | null {
  const { sub: userId, aud: audience } = payload
  const branchId = payload['branch_id'] ?? payload['branchId']
  const projectId = payload['project_id'] ?? audience
  const sessionId = payload['refresh_token_id'] ?? payload['refreshTokenId']
  const reason = payload['restricted_reason']
  if (typeof userId !== 'string' || typeof branchId !== 'string' || typeof projectId !== 'string') return null
  return {
    projectId,
    userId,
    branchId,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    // The platform signed the token, so the reason has this shape.
    restriction: isRecord(reason) ? (reason as unknown as WireRestriction) : null,
  }
}

/** A new key pair under this id. */
export async function newKey(id: string): Promise<SigningKeyRow> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { x, y, d } = await exportJWK(privateKey)
  if (x === undefined || y === undefined || d === undefined) throw new Error('a new P-256 key lacks a coordinate')
  const kid = toBase64Url(crypto.getRandomValues(new Uint8Array(9)))
  const publicKey = { kty: 'EC', crv: 'P-256', alg: 'ES256', kid, x, y } as const
  return { id, publicKey, privateKey: { ...publicKey, d } }
}
