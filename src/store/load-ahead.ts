import type { Signal } from '../core/web-types'
import { storeOf } from './cell-store'
import { coreOf, type Kit } from './kit-parts'
import { narrowed, type Target } from './definition'

/** The limit of the wait, in milliseconds. */
const maxMillis = 2_000

/**
 * Loads each watched store of `target` with other arguments, so that a screen that is about to read those does not go blank;
 * their values stay for the 5 s of an unused store. Resolves once all have settled, after 2 s at the latest. Undefined: no
 * such store is watched.
 */
export function loadAhead(kit: Kit, target: Target, args: object, signal?: Signal): Promise<void> | undefined {
  const core = coreOf(kit)
  const watched = core.cells.staleWith(narrowed(target)).filter(cell => cell.isWatched)
  if (watched.length === 0) return undefined
  const stores = watched.map(({ source, input }) => storeOf(core, source, { ...input, ...args }, undefined))
  return new Promise(resolve => {
    const cancel = core.clock.setTimeout(resolve, maxMillis)
    const done = () => {
      cancel()
      resolve()
    }
    // A load that fails is reported by the store itself, once a screen reads it.
    void Promise.allSettled(stores.map(store => store.get(signal && { signal }))).then(done)
  })
}
