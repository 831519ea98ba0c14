import type { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Follows which storages a test file uses; the returned function ends them.
 *
 * Node calls every enabled one for each promise that is made, and each promise keeps what they hold: with one left by each file, the
 * fiftieth file of a worker took three times as long as it takes alone.
 */
export function followStorages({ prototype }: typeof AsyncLocalStorage): () => void {
  const used = new Set<AsyncLocalStorage<unknown>>()
  const { run } = prototype
  prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: [store: unknown, callback: () => never]) {
    const [store, callback] = args
    if (isOfJest(store)) return runInOrder(this, store, callback) as never
    used.add(this)
    return run.apply(this, args)
  }
  return () => {
    for (const storage of used) storage.disable()
    used.clear()
  }
}

/** Jest says in it which test runs, and which hook. */
const isOfJest = (store: unknown) => typeof store === 'object' && store !== null && 'test' in store

/**
 * Runs a test or a hook with a storage that has no effect on promises: Node would call functions of its own for each of them, a
 * twentieth of the time of most test files. Tests run one after the other, so a late error fails the test that runs then.
 */
function runInOrder(storage: AsyncLocalStorage<unknown>, store: unknown, run: () => Promise<void>): Promise<void> {
  const outer = storage.getStore()
  storage.getStore = () => store
  // An `async` function would be in the stack of each failure.
  return run().finally(() => (storage.getStore = () => outer))
}
