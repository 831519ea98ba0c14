import { computed, effect, inject, linkedSignal, PendingTasks, untracked } from '@angular/core'
import type { Resource, ResourceStatus } from '@angular/core'
import type { Snapshot } from '../store/snapshot'
import { checkedStore, type Store } from '../store/store'

/** A store as Angular's resource. `reload` loads the store again, and returns false if there is none. */
export type StoreResource<T> = Resource<T | undefined> & { reload(): boolean }

/**
 * A store as a resource, to call in an injection context. A store in use shows its value at once. A function may read signals,
 * such as the inputs of a component, and return undefined for none. A failed refresh keeps the value: `error` is that of a
 * store without one. A render on a server waits for it.
 *
 * @example
 * const membersOf = (teamId: () => string) => toResource(() => app.teamMembers$({ teamId: teamId() }))
 */
export function toResource<T>(source: Store<T> | (() => Store<T> | undefined)): StoreResource<T> {
  const tasks = inject(PendingTasks)
  const given = computed(typeof source === 'function' ? source : () => source)
  const store = computed(() => given() && checkedStore(given()))
  const state = linkedSignal({ source: store, computation: of => untracked(() => stateOf(of?.snapshot)) })
  const status = computed(() => state().status)
  effect(onCleanup => {
    const of = store()
    // A change of the store is shown at once, before this effect ends the subscription to the store before.
    const show = (shown: Snapshot<T>) => untracked(store) === of && state.set(stateOf(shown))
    const watching = untracked(() => of?.snapshot$.subscribe(show))
    onCleanup(() => watching?.unsubscribe())
  })
  effect(onCleanup => {
    if (status() === 'loading') onCleanup(tasks.add())
  })
  const resource = {
    status,
    // A member of resources since Angular 21.2.
    snapshot: state.asReadonly(),
    value: computed(() => {
      const { value, error } = state()
      if (error) throw error
      return value
    }),
    error: computed(() => state().error),
    isLoading: computed(() => status().endsWith('loading')),
    hasValue: () => state().value !== undefined,
    reload: () => untracked(() => !!store()?.refresh().catch(ignored)),
  }
  // Its `hasValue` narrows a type.
  return resource as unknown as StoreResource<T>
}

/** Shown by the store's snapshot. */
const ignored = () => undefined

function stateOf<T>(shown: Snapshot<T> | undefined): { status: ResourceStatus; value?: T | undefined; error?: Error } {
  if (!shown || shown.status === 'pending') return { status: shown ? 'loading' : 'idle', value: undefined }
  if (shown.status === 'failed' && !shown.refreshing) return { status: 'error', error: shown.error }
  return { status: shown.refreshing ? 'reloading' : 'resolved', value: 'value' in shown ? shown.value : undefined }
}
