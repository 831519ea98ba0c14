import * as v from 'valibot'
import { toBase64Url } from '../core/encoding'
import { isEdge } from '../core/host'
import { unlessAborted, AuthError, invalidResponse } from '../errors/auth-error'
import { coreOf, slot, type Kit } from '../store/kit-parts'
import { call, checkInput } from '../transport/call'
import { endpoint } from '../transport/endpoint'
import { refuseAnonymous, tokenVerifier, type VerifierOptions } from '../verify/token-verifier'
import type { VerifiedToken, VerifyOptions } from '../verify/verified-token'
import { requestVerifier, type VerifyRequestOfServer } from '../verify/verify-request'

/**
 * Returns the claims of a valid token like `VerifyAccessToken`. With `askAnonymous`, `isAnonymous` is never undefined: where
 * the token cannot say it, the platform is asked. A user that the platform does not know is INVALID_ACCESS_TOKEN, and the
 * errors of a platform that cannot be asked are thrown.
 */
export interface VerifyAccessTokenOfServer extends VerifyRequestOfServer<VerifiedToken> {
  (token: string | null, options?: VerifyOptions): Promise<VerifiedToken>
}

const verifiers = {}

/** The verifier for access tokens of a kit's project: a server app has one; another kit makes one at first use. */
export function verifierOf(
  server: Kit<'server'> & { readonly verifyAccessToken?: VerifyAccessTokenOfServer },
): VerifyAccessTokenOfServer {
  return (
    server.verifyAccessToken ??
    slot(server, verifiers, () => {
      const { config, fetch, clock } = coreOf(server).transport
      return askingVerifier(server, { projectId: config.projectId, baseUrl: config.baseUrl, fetch, clock })
    })
  )
}

/** A verifier that can ask the platform with the keys of the kit. */
export function askingVerifier(server: Kit<'server'>, options: VerifierOptions): VerifyAccessTokenOfServer {
  const offline = tokenVerifier(options)
  const users = new AskedUsers(server)
  async function verify(token: string | null, { askAnonymous, ...admits }: VerifyOptions = {}): Promise<VerifiedToken> {
    if (!askAnonymous || typeof token !== 'string') return offline(token, admits)
    const { ask, leave } = users.join(token)
    try {
      const verified = await offline(token, admits)
      if (verified.isAnonymous !== undefined) return verified
      const isAnonymous = await unlessAborted(ask(verified), admits.signal)
      if (isAnonymous) refuseAnonymous(admits)
      return { ...verified, isAnonymous }
    } finally {
      leave()
    }
  }
  return Object.assign(verify, { request: requestVerifier(verify) })
}

const readUser = endpoint('GET /users/{userId}', {
  access: 'server',
  returns: v.object({ id: v.string(), isAnonymous: v.boolean() }),
  fails: ['USER_NOT_FOUND'],
})

/** How many answers are remembered. */
const maxOrdinary = 1_000

/** The callers that share one answer: those that begin before it. */
interface SharedAnswer {
  callers: number
  answer?: Promise<boolean>
}

/** Asks once per token whether its user is anonymous. */
class AskedUsers {
  readonly #kit: Kit<'server'>
  readonly #shared = new Map<string, SharedAnswer>()
  /**
   * When the tokens of users who are not anonymous expire, by their hash, in the order of the answers. No such user becomes
   * anonymous.
   */
  readonly #ordinary = new Map<string, number>()

  constructor(kit: Kit<'server'>) {
    this.#kit = kit
  }

  /** Called before the token is verified, which takes parallel callers different times; `ask` is called after it. */
  join(token: string) {
    const shared: SharedAnswer = (!isEdge() && this.#shared.get(token)) || { callers: 0 }
    this.#shared.set(token, shared)
    shared.callers++
    const end = () => {
      if (this.#shared.get(token) === shared) this.#shared.delete(token)
    }
    return {
      ask: (verified: VerifiedToken) => (shared.answer ??= this.#isAnonymous(token, verified).finally(end)),
      leave: () => {
        if (--shared.callers === 0) end()
      },
    }
  }

  async #isAnonymous(token: string, { userId, expiresAt }: VerifiedToken): Promise<boolean> {
    const key = await hashOf(token)
    if ((this.#ordinary.get(key) ?? 0) > coreOf(this.#kit).clock.now()) return false
    const isAnonymous = await this.#ask(userId)
    if (!isAnonymous) this.#remember(key, expiresAt.getTime())
    return isAnonymous
  }

  async #ask(userId: string): Promise<boolean> {
    const core = coreOf(this.#kit)
    core.assertAlive()
    const { transport, session } = core
    const user = await call(transport, readUser, checkInput(readUser, { userId }), { signal: session.ended })
    if (user.ok && user.value.id === userId) return user.value.isAnonymous
    if (user.ok) throw invalidResponse(`GET /users/${userId} answered about another user`)
    throw new AuthError('INVALID_ACCESS_TOKEN', 'the platform does not know the user of the access token', {
      cause: user.error,
    })
  }

  #remember(key: string, until: number): void {
    this.#ordinary.delete(key)
    this.#ordinary.set(key, until)
    const [oldest] = this.#ordinary.keys()
    if (this.#ordinary.size > maxOrdinary && oldest !== undefined) this.#ordinary.delete(oldest)
  }
}

/** The hash of the signed part: the same signature can be written in several ways. */
async function hashOf(token: string): Promise<string> {
  const signed = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')))
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', signed)))
}
