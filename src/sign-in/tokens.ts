import { jsonText } from '../core/values'
import { isSame } from '../session/token-store'
import { coreOf, type Kit } from '../store/kit-parts'
import type { CallOptions } from '../store/write/effects'
import { KitState, type State } from '../store/read/state'
import type { Tokens } from '../transport/access-token'

/**
 * An access token for the app's own backend, valid for `minMillis` or more (default 20 000, below 60 000). Null while signed
 * out. Refreshed if needed, once for all callers; if that fails now, rejects with NETWORK_ERROR and the like, and the
 * session stays.
 *
 * @example
 * const token = await app.accessToken({ minMillis: 30_000 })
 * if (token !== null) await fetch('/api/notes', { headers: { authorization: `Bearer ${token}` } })
 */
export async function accessToken(
  kit: Kit,
  options: CallOptions & { readonly minMillis?: number } = {},
): Promise<string | null> {
  const tokens = await coreOf(kit).session.current(options.minMillis, options.signal)
  return tokens?.accessToken ?? null
}

/**
 * Headers that identify the user to the app's own backend; empty while signed out.
 *
 * `'bearer'` (default): `authorization` with the access token, valid for ten minutes at most. `'stack'`: `x-stack-auth`, the
 * JSON of both tokens, for a backend that renews the session with `requestTokens`. Anything that reads the refresh token
 * there, such as a log, can act as the user for as long as the session lasts.
 *
 * @example
 * const response = await fetch('/api/notes', { headers: await app.authHeaders() })
 */
export async function authHeaders(
  kit: Kit,
  options: CallOptions & { readonly as?: 'bearer' | 'stack' } = {},
): Promise<Readonly<Record<string, string>>> {
  const tokens = await coreOf(kit).session.current(undefined, options.signal)
  if (!tokens?.accessToken) return {}
  const { accessToken, refreshToken } = tokens
  if (options.as === 'stack') return { 'x-stack-auth': jsonText({ accessToken, refreshToken }) }
  return { authorization: `Bearer ${accessToken}` }
}

/** The type of `tokens$`. Null: signed out; undefined: an asynchronous token store has not answered yet. */
export type Tokens$ = State<Tokens | null | undefined>

/**
 * The tokens in the token store and each later change; null while signed out, undefined until the store has answered.
 *
 * @example
 * app.tokens$.subscribe(tokens => {
 *   if (tokens !== undefined) console.log(tokens ? 'signed in' : 'signed out')
 * })
 */
export function tokens$(kit: Kit): Tokens$ {
  const { committedSession } = coreOf(kit)
  return new KitState<Tokens | null | undefined>(
    () => (committedSession.kind === 'unknown' ? undefined : committedSession.tokens),
    (subscriber, callback) => {
      committedSession.listen(subscriber, callback)
    },
    committedSession,
    (one, other) => one !== undefined && other !== undefined && isSame(one, other),
  )
}
