import type { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Follows which storages a test file uses; the returned function ends them.
 *
 * Jest makes a storage for each test file and leaves it enabled. Node calls every enabled one for each promise that is made,
 * and each promise keeps what they hold: the fiftieth file of a worker took three times as long as it takes alone.
 */
export function followStorages({ prototype }: typeof AsyncLocalStorage): () => void {
  const used = new Set<AsyncLocalStorage<unknown>>()
  const { run } = prototype
  prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: [store: unknown, callback: () => never]) {
    used.add(this)
    return run.apply(this, args)
  }
  return () => {
    for (const storage of used) storage.disable()
    used.clear()
  }
}
