import type { Observable } from 'rxjs'
import type { Snapshot } from '../snapshot'
import { KitState, type State } from './state'
import { KitStore, type Store } from '../store'

/**
 * The values of a store, of a state or of another observable for `for await`: the present value, then each different one. A
 * loop that is slower than the changes gets the latest value and misses those between; a value of a user who has signed out
 * meanwhile is not delivered.
 *
 * It subscribes at the first step and unsubscribes when the loop ends: by `break`, `return` or an error. It throws what
 * `subscribe` reports as an error, and ends when the kit is disposed of; one that still waits for a first value then throws
 * DISPOSED. The stores of an app are iterable without it; those of a kit from `createKit` need it.
 *
 * @example
 * for await (const user of valuesOf(user$(kit))) console.log(user?.displayName)
 */
export function valuesOf<T>(source$: Observable<T>): AsyncIterableIterator<T> {
  let isOver = false
  let wake = () => {}
  const end = () => {
    isOver = true
    wake()
  }
  async function* read() {
    let unread: readonly [T] | undefined
    let failure: readonly [unknown] | undefined
    const subscription = source$.subscribe({
      next(value) {
        unread = [value]
        wake()
      },
      error(error: unknown) {
        failure = [error]
        end()
      },
      complete: end,
    })
    try {
      for (;;) {
        const value = unread
        unread = undefined
        // Not ready: it belongs to a session that has ended, or the kit has.
        if (value && ((source$ as { readonly snapshot?: Snapshot<T> }).snapshot?.status ?? 'ready') === 'ready')
          yield value[0]
        else if (failure) throw failure[0]
        else if (isOver) return
        else await new Promise<void>(resolve => (wake = resolve))
      }
    } finally {
      subscription.unsubscribe()
    }
  }
  const values = read()
  const finish = values.return.bind(values)
  const fail = values.throw.bind(values)
  return Object.assign(values, {
    // A generator that waits would otherwise end only after the next value.
    return() {
      end()
      return finish(undefined)
    },
    // A stream that is made from it calls this one, if it is destroyed with an error.
    throw(error: unknown) {
      end()
      return fail(error)
    },
  })
}

/** Makes all stores and states iterable. Called for each app, so that a page without one does not contain the iteration. */
export function makeIterable(): void {
  for (const { prototype } of [KitStore, KitState]) Object.assign(prototype, { [Symbol.asyncIterator]: iterate })
}

/** One function for all calls: another one would make engines compile again what uses the prototype. */
function iterate<T>(this: Store<T> | State<T>): AsyncIterableIterator<T> {
  return valuesOf(this)
}
