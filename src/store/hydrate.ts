import { isBrowser } from '../core/host'
import { isRecord } from '../core/is-record'
import { coreOf, slot } from './core'
import type { Kit } from './kit'
import type { Dehydrated } from './payload'
import { Rendered } from './rendered'
import type { Hydration } from './rendered'
import { Seeds } from './seeds'

/**
 * In a browser, gives the stores of an app the values that a server has rendered: without a request for those that are still
 * fresh, and with one for others. Once per payload, so it may be called again. `<AuthProvider state={…}>` does this by itself.
 *
 * Values of a user are used only while the browser's session is known to be that user's. What is malformed is ignored. On a
 * server the app keeps nothing, since it may serve other requests: only the returned object knows the values.
 *
 * @example
 * const state = JSON.parse(document.querySelector('#state')?.textContent ?? 'null')
 * hydrate(app, state)
 */
export function hydrate(app: Kit, state: Dehydrated): Hydration {
  const core = coreOf(app)
  if (!isBrowser() || !isRecord(state)) return new Rendered(core, state)
  const { payloads, seeds } = slot(app, seedsKey, () => {
    const opened = new Seeds(core)
    core.cells.seeded = place => opened.open(place)
    return { payloads: new WeakMap<object, Rendered>(), seeds: opened }
  })
  let payload = payloads.get(state)
  if (!payload) {
    payloads.set(state, (payload = new Rendered(core, state)))
    seeds.add(payload)
    // Its values are used once it is known whose session this is.
    core.committedSession.look()
  }
  return payload
}

const seedsKey = {}
