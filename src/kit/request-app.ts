import { flow$ } from '../auth/flow'
import { ownFetch } from '../auth/own-fetch'
import { tokens$ } from '../auth/tokens'
import type { ClientApp } from './client-app'
import { bindings } from './bind'
import type { Bound } from './bind'
import * as client from './client-definitions'
import { auth$ } from '../definitions/client/auth-state'
import * as server from './server-definitions'
import type { Read } from '../store/derive/computation'
import { derive } from '../store/derive/derive'
import { trace$ } from '../store/read/inspect'
import type { Kit } from '../store/kit'

/**
 * An app of one request: client and server definitions, and the user of the request's tokens.
 *
 * Members are bound on first use, since a request uses few of them: access them by name (`app.user$`, `const { user$ } =
 * app`). `{ ...app }` and `Object.keys(app)` contain only those already used.
 *
 * @example
 * const nameOf = async (app: RequestApp) => (await app.user$.get())?.displayName
 * await nameOf(server.withTokens(requestTokens(request)))
 */
export type RequestApp = ClientApp & Kit<'client' | 'server'> & Bound<typeof server>

/** The members of a client app that are no definitions. */
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

/** Creates the apps of one server's requests, which share a prototype that binds each member on first use. */
export function requestApps(level: RequestApp['level']): (kit: Kit<'client' | 'server'>) => RequestApp {
  const prototype = { level }
  for (const [name, binding] of [...bindings(client), ...Object.entries(others), ...bindings(server)])
    Object.defineProperty(prototype, name, boundOnUse(name, binding))
  // The prototype has the members of the type, which defineProperty cannot express.
  return kit => Object.setPrototypeOf(kit, prototype) as RequestApp
}

function boundOnUse(name: string, binding: (app: RequestApp) => unknown): PropertyDescriptor {
  // An own property from then on, like the members of other apps.
  const own = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })
  return {
    enumerable: true,
    configurable: true,
    get(this: RequestApp) {
      const value = binding(this)
      // A frozen app cannot keep it and gets a new handle each time.
      Reflect.defineProperty(this, name, own(value))
      return value
    },
    // A test replaces a member.
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, own(value))
    },
  }
}
