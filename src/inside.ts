// What rxauth/react and rxauth/next use of the kit beside the public names. The published hooks import it as `#inside`, a file of
// the same build as that of `rxauth`: on Node all entries are another build than in browsers, and an error of both has to be one
// class.
import type { Rendered } from './store/page/rendered'

export { isRecord, reuseEqualParts } from './core/values'
export { isThenable } from './core/promises'
export { stateOf } from './entities/users/auth'
export { toAuthError } from './errors/auth-error'
export { pathBelow } from './navigation/targets'
export { isPreflight } from './session/requests/request-like'
export { cacheHeaders } from './session/requests/set-cookies'
export { coreOf } from './store/kit-parts'
export type { Missing } from './store/page/rendered'
export { pending } from './store/snapshot'
export { insideOf } from './store/store'
export type { Inside } from './store/store'

/** What `hydrate` returns. */
export type Payload = Pick<Rendered, 'identity' | 'look' | 'see' | 'snapshot' | 'standing'>

/** Whether this is a server, which never hydrates. React Native has no document either. */
export function isServer(): boolean {
  const { document, navigator }: HostNames = globalThis
  return document === undefined && navigator?.product !== 'ReactNative'
}

interface HostNames {
  readonly document?: unknown
  readonly navigator?: { readonly product?: string }
}
