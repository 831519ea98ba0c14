import { parseUrl } from '../core/urls'
import { unlessAborted } from '../errors/auth-error'
import { mayAnswer, sessionChanged } from '../session/identity'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { sentTokensOf } from './sent-tokens'

/** The access token of one request to the app's own backend. Every caller releases it. */
interface Bearer {
  /** Refreshed first if needed; undefined while signed out. Rejects while the session cannot be found out. */
  token(): Promise<string | undefined>
  /** After a 401: the token for the one repetition; undefined: there is none, and the 401 is the answer. */
  another(): Promise<string | undefined>
  /** Aborts when the session of `token` ends, or the kit. */
  readonly ended: AbortSignal
  release(): void
}

/** `isRead`: the request changes nothing, so that a server may send it for another site's page. */
export function bearerOf(kit: Kit, isRead: boolean, signal?: AbortSignal): Bearer {
  const { session } = coreOf(kit)
  let { ended } = session
  let token: string | null | undefined
  let release: (() => void) | undefined
  let isReleased = false
  /** As `fetch` rejects. */
  const unlessAborts = <T>(promise: Promise<T>) =>
    unlessAborted(promise, signal).catch((error: unknown) => Promise.reject(signal?.aborted ? signal.reason : error))
  const currentToken = async () => (await unlessAborts(session.current()))?.accessToken
  return {
    get ended() {
      return ended
    },
    async token() {
      if (!isRead) session.store.own['~assertOwn']?.()
      const { owner } = await unlessAborts(session.capture(true))
      token = await currentToken()
      if (!mayAnswer(owner, session.identity)) throw sessionChanged()
      if (!token) return undefined
      // Until the answer comes, so that the end of the session is noticed.
      if (!isReleased) release = session.retain()
      ended = sentTokensOf(kit).endOf(owner)
      return token
    },
    async another() {
      if (!token || !sentTokensOf(kit).refuse(token)) return undefined
      return (await currentToken()) ?? undefined
    },
    release() {
      isReleased = true
      release?.()
    },
  }
}

/** The address that a text names, resolved as `fetch` does. */
export function addressOf(text: string): URL | null {
  return parseUrl(text, globalThis.document?.baseURI ?? globalThis.location?.href)
}
