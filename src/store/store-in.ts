import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { CellStore, storeOf } from './cell-store'
import type { Read } from './derive/computation'
import type { Core } from './kit-parts'
import { KitStore } from './store'

/** The store in this kit; undefined for one of another kit, and for what is no store. */
export function storeIn(core: Core, store: unknown): KitStore<unknown> | undefined {
  if (!(store instanceof KitStore)) return undefined
  return store.core === core ? store : OUTSIDE_BROWSERS ? sibling(store, core) : undefined
}

/** The store of a kit in another kit of the same app of an edge runtime. */
function sibling(store: KitStore<unknown>, core: Core): KitStore<unknown> | undefined {
  if (!core.recipe || core.recipe !== store.core.recipe) return undefined
  if (store instanceof CellStore) return storeOf(core, store.place.source, store.place.input, store.project)
  // Its class is made of this one, and cannot be imported here: a derived store uses this function.
  const derived = store as KitStore<unknown> & { readonly compute: (read: Read) => unknown }
  return Reflect.construct(derived.constructor, [core, derived.compute]) as KitStore<unknown>
}
