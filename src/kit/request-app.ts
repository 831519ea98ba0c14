import { clientMembers } from './client-app'
import type { ClientApp } from './client-app'
import { bindings } from './bind'
import type { Bound } from './bind'
import * as server from '../entities/server'
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

/** Creates the apps of one server's requests, which share a prototype that binds each member on first use. */
export function requestApps(level: RequestApp['level']): (kit: Kit<'client' | 'server'>) => RequestApp {
  const prototype = { level }
  for (const [name, binding] of [...clientMembers(), ...bindings(server)])
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
