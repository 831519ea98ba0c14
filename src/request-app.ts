import { flow$ } from './auth/flow'
import { tokens$ } from './auth/tokens'
import type { ClientApp } from './app'
import { bindings } from './bind'
import type { Bound } from './bind'
import * as client from './client'
import { auth$ } from './resources/auth-state'
import * as server from './server-definitions'
import type { Read } from './store/computation'
import { derive } from './store/derive'
import { trace$ } from './store/inspect'
import type { Kit } from './store/kit'

/**
 * An app of one request: client and server definitions, and the user whose tokens came with the request.
 *
 * Members are bound when they are first used, since a request uses few of them: take them by name (`app.user$`,
 * `const { user$ } = app`). `{ ...app }` and `Object.keys(app)` have those that have been used.
 *
 * @example
 * const nameOf = async (app: RequestApp) => (await app.user$.get())?.displayName
 * await nameOf(server.withTokens(requestTokens(request)))
 */
export type RequestApp = ClientApp & Kit<'client' | 'server'> & Bound<typeof server>

/** What a client app has besides definitions. */
const others: Readonly<Record<string, (kit: Kit) => unknown>> = {
  auth$,
  flow$,
  tokens$,
  trace$,
  derive:
    kit =>
    <T>(compute: (read: Read) => T) =>
      derive(kit, compute),
}

/** What makes the apps of requests of one server: they share a prototype that binds each member when it is first used. */
export function requestApps(level: RequestApp['level']): (kit: Kit<'client' | 'server'>) => RequestApp {
  const prototype = { level }
  for (const [name, binding] of [...bindings(client), ...Object.entries(others), ...bindings(server)])
    Object.defineProperty(prototype, name, boundOnUse(name, binding))
  // The prototype has what the type asks for; defineProperty cannot know.
  return kit => Object.setPrototypeOf(kit, prototype) as RequestApp
}

function boundOnUse(name: string, binding: (app: RequestApp) => unknown): PropertyDescriptor {
  // Its own from then on, like the members of an app that is made once.
  const own = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })
  return {
    enumerable: true,
    configurable: true,
    get(this: RequestApp) {
      const value = binding(this)
      // One that is frozen can keep nothing: it gets another handle each time.
      Reflect.defineProperty(this, name, own(value))
      return value
    },
    // A test puts its own in the place of a member.
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, own(value))
    },
  }
}
