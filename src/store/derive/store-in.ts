import { OUTSIDE_BROWSERS } from '../../core/outside-browsers'
import { CellStore, storeOf } from '../cell-store'
import type { Core } from '../kit-parts'
import { KitStore } from '../store'

/**
 * The store in this kit; undefined for one of another kit, and for what is no store. On an edge runtime, a store of an app has its
 * counterpart in every kit of the app.
 */
export function storeIn(core: Core, store: unknown): KitStore<unknown> | undefined {
  if (!(store instanceof KitStore)) return undefined
  if (store.core === core) return store
  if (OUTSIDE_BROWSERS && core.recipe && core.recipe === store.core.recipe) {
    if (store instanceof CellStore) return storeOf(core, store.place.source, store.place.input, store.project)
    // Its class is made of this one, and cannot be imported here: a derived store uses this function.
    const derived = store as KitStore<unknown> & { readonly compute: unknown }
    return Reflect.construct(derived.constructor, [core, derived.compute]) as KitStore<unknown>
  }
  return undefined
}
