// The parts of the kit that rxauth/react and rxauth/next use beside the public names. The published hooks import it as `#inside`, a file of
// the same build as that of `rxauth`: on Node all entries are another build than in browsers, and an error of both has to be one
// class.
import { DEV } from './core/dev'
import { inProcess } from './core/host'
import type { Rendered } from './store/page/rendered'

export { isRecord, reuseEqualParts } from './core/values'
export { OUTSIDE_BROWSERS } from './core/outside-browsers'
export { isThenable } from './core/promises'
export { stateOf } from './entities/users/auth'
export { toAuthError } from './errors/auth-error'
export { pathBelow } from './navigation/targets'
export { isPreflight } from './session/requests/request-like'
export { cacheHeaders } from './session/requests/set-cookies'
export { coreOf } from './store/kit-parts'
export type { Missing } from './store/page/rendered'
export { pending } from './store/snapshot'
export { insideOf, type Inside } from './store/store'
export { storeIn } from './store/derive/computation'

/** The result of `hydrate`. */
export type Payload = Pick<Rendered, 'identity' | 'look' | 'see' | 'snapshot' | 'standing'>

const provided = () => inProcess('providers', () => new Set<object>())

/** Notes the context of a provider, of which each copy of the hooks has its own. */
export const noteProvider: (context: object) => void = DEV ? context => void provided().add(context) : () => undefined

/** Ends the error of a hook without a provider, if another copy of the hooks has one. */
export const copyHint: (context: object) => string = DEV
  ? context =>
      [...provided()].some(other => other !== context)
        ? '. There is an <AuthProvider> of another copy of rxauth/react, which this hook cannot see: install one version (`npm ls rxauth`), and let the bundler load it once'
        : ''
  : () => ''

/** Whether this is a server, which never hydrates. React Native has no document either. */
export function isServer(): boolean {
  const { document, navigator }: HostNames = globalThis
  return document === undefined && navigator?.product !== 'ReactNative'
}

interface HostNames {
  readonly document?: unknown
  readonly navigator?: { readonly product?: string }
}
