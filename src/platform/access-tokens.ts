import { decodeJwt, errors, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../core/clock'
import { toBase64Url } from '../core/base64url'
import { SingleFlight } from '../core/single-flight'
import type { PlatformJournal, PublicKey, SessionRow, SigningKeyRow } from './tables'

/** Protocol §8.1: ten minutes. */
const lifetimeSeconds = 600

/** The only branch that a local project has. */
export const mainBranch = 'main'

/** What a verified access token says. */
export interface Claims {
  readonly projectId: string
  readonly userId: string
  readonly branchId: string
  /** Null in a token that names no session. */
  readonly sessionId: string | null
}

export type Verified =
  | { readonly status: 'valid'; readonly claims: Claims }
  | { readonly status: 'expired'; readonly expiredAt: Date }
  | { readonly status: 'unparsable' }

/** Signs and verifies access tokens: ES256, one key per project, made when it is first needed. */
export class AccessTokens {
  readonly #journal: PlatformJournal
  readonly #clock: Clock
  readonly #generating = new SingleFlight<SigningKeyRow>()

  constructor(journal: PlatformJournal, clock: Clock) {
    this.#journal = journal
    this.#clock = clock
  }

  /** A token for a session of the project, issued by the platform under `origin`. */
  async sign(projectId: string, session: SessionRow, origin: string): Promise<string> {
    const { publicKey, privateKey } = await this.#keyOf(projectId)
    const issuedAt = Math.floor(this.#clock.now() / 1000)
    return new SignJWT({ branchId: mainBranch, refreshTokenId: session.id, role: 'authenticated' })
      .setProtectedHeader({ alg: 'ES256', kid: publicKey.kid })
      .setSubject(session.userId)
      .setAudience(projectId)
      .setIssuer(`${origin}/api/v1/projects/${projectId}`)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(privateKey)
  }

  /** The issuer is not compared: the same platform is reached under several names (localhost, 127.0.0.1, in process). */
  async verify(token: string): Promise<Verified> {
    try {
      const projectId = decodeJwt(token).aud
      if (typeof projectId !== 'string') return { status: 'unparsable' }
      const key = this.#journal.committed.signingKeys.get(projectId)
      if (!key) return { status: 'unparsable' }
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['ES256'],
        audience: projectId,
        currentDate: new Date(this.#clock.now()),
      })
      const { sub, branchId, refreshTokenId } = payload
      if (typeof sub !== 'string' || typeof branchId !== 'string') return { status: 'unparsable' }
      const sessionId = typeof refreshTokenId === 'string' ? refreshTokenId : null
      return { status: 'valid', claims: { projectId, userId: sub, branchId, sessionId } }
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        return { status: 'expired', expiredAt: new Date((error.payload.exp ?? 0) * 1000) }
      // Whatever it was: this is no token of ours.
      return { status: 'unparsable' }
    }
  }

  /** What others verify the project's tokens with. */
  async publicKeys(projectId: string): Promise<PublicKey[]> {
    return [(await this.#keyOf(projectId)).publicKey]
  }

  async #keyOf(projectId: string): Promise<SigningKeyRow> {
    return (
      this.#journal.committed.signingKeys.get(projectId) ??
      this.#generating.run(projectId, async () => {
        const key = await newKey(projectId)
        // No part of the unit of work that asks: a token that it signs is known even if the unit is taken back.
        return this.#journal.runNow(({ signingKeys }) => signingKeys.put(key))
      })
    )
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
