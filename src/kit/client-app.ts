import type { Observable } from 'rxjs'
import { ownFetch } from '../backend/own-fetch'
import { watchPasskeys } from '../sign-in/passkey/passkey'
import { revokeOver } from '../sign-in/sign-out'
import { flow$, type Flow$ } from '../sign-in/flow'
import { tokens$, type Tokens$ } from '../sign-in/tokens'
import { bindings, withMembers, type Bound, type AppMember } from './bind'
import * as client from './client-members'
import type { Fetch } from '../core/web-types'
import { isRecord } from '../core/values'
import { makeKit } from './create-kit'
import { keptApp } from './kept-app'
import { assertKnownOptions, type ClientOptions } from './options'
import { auth$, type Auth$ } from '../entities/users/auth'
import { derive } from '../store/derive/derive'
import type { Read } from '../store/derive/computation'
import { trace$ } from '../store/read/inspect'
import type { Kit } from '../store/kit'
import type { Store } from '../store/store'
import { makeIterable } from '../store/read/values-of'
import { withEnvironment } from '../transport/environment'
import type { TraceEvent } from '../transport/transport'

/** A client kit with all client definitions bound to it. */
export interface ClientApp extends Kit<'client'>, Bound<typeof client> {
  readonly level: 'client' | 'server' | 'admin'
  readonly auth$: Auth$
  readonly flow$: Flow$
  readonly tokens$: Tokens$
  readonly trace$: Observable<TraceEvent>
  /** `fetch` for your own backend, with the access token: see `ownFetch`. */
  readonly fetch: Fetch
  /** A store computed from stores; never mixes two commits or two identities. */
  derive<T>(compute: (read: Read) => T): Store<T>
}

/**
 * A kit with all client definitions bound: `app.user$`, `app.signOut()`. For the smallest bundles, use `createKit` and free
 * functions.
 *
 * @example
 * const app = createClientApp({ projectId: '…', publishableClientKey: '…', tokens: cookieTokens() })
 * app.user$.subscribe(user => console.log(user?.displayName))
 */
export function createClientApp(options: ClientOptions): ClientApp {
  assertKnownOptions(options)
  makeIterable()
  return keptApp(isRecord(options) ? withEnvironment(options) : options, given => {
    const kit = makeKit<'client'>(given, {}, 'createClientApp')
    watchPasskeys(kit)
    revokeOver(kit)
    return Object.assign(withMembers(kit, clientMembers()), { level: 'client' }) as ClientApp
  })
}

const others: Readonly<Record<string, (kit: Kit) => unknown>> = {
  auth$,
  flow$,
  tokens$,
  trace$,
  fetch: ownFetch,
  derive:
    kit =>
    <T>(compute: (read: Read) => T) =>
      derive(kit, compute),
}

/** The members of a client app: the definitions and others. */
export function clientMembers(): readonly AppMember[] {
  return [...bindings(client), ...Object.entries(others)]
}
