import { computed, effect, inject, PendingTasks, signal, untracked } from '@angular/core'
import type { Resource, ResourceStatus } from '@angular/core'
import type { Snapshot } from '../store/snapshot'
import type { Store } from '../store/store'

/**
 * A store as Angular's resource.
 *
 * @example
 * const reloadOf = (resource: StoreResource<unknown>) => resource.reload
 */
export interface StoreResource<T> extends Resource<T | undefined> {
  /** Loads the store again; false if there is none. */
  reload(): boolean
}

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
  const store = computed(typeof source === 'function' ? source : () => source)
  const last = signal<{ readonly of: Store<T>; readonly shown: Snapshot<T> } | undefined>(undefined)
  const snapshot = computed(() => {
    const [of, seen] = [store(), last()]
    return stateOf(seen?.of === of ? seen?.shown : untracked(() => of?.snapshot))
  })
  const status = computed(() => snapshot().status)
  const value = computed(() => valueOf(snapshot()))
  effect(onCleanup => {
    const of = store()
    const watching = untracked(() => of?.snapshot$.subscribe(shown => last.set({ of, shown })))
    onCleanup(() => watching?.unsubscribe())
  })
  effect(onCleanup => {
    if (status() === 'loading') onCleanup(tasks.add())
  })
  const resource = {
    value,
    status,
    // A member of resources since Angular 21.2.
    snapshot,
    error: computed(() => snapshot().error),
    isLoading: computed(() => status().endsWith('loading')),
    hasValue: () => status() !== 'error' && value() !== undefined,
    reload: () =>
      !!untracked(store)
        ?.refresh()
        .catch(() => undefined),
  }
  // Its `hasValue` narrows a type.
  return resource as unknown as StoreResource<T>
}

interface State<T> {
  readonly status: ResourceStatus
  readonly value?: T | undefined
  readonly error?: Error
}

function stateOf<T>(shown: Snapshot<T> | undefined): State<T> {
  if (!shown || shown.status === 'pending') return { status: shown ? 'loading' : 'idle', value: undefined }
  const isLoading = shown.refreshing || ('isHeld' in shown && shown.isHeld)
  if (shown.status === 'failed' && !isLoading) return { status: 'error', error: shown.error }
  return { status: isLoading ? 'reloading' : 'resolved', value: 'value' in shown ? shown.value : undefined }
}

function valueOf<T>({ value, error }: State<T>): T | undefined {
  if (error) throw error
  return value
}
