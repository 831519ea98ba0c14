import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks'
import { followStorages } from './storages'

describe('the storages that a test file has used', () => {
  /** Their own class, since Jest's are followed already. */
  const followed = () => {
    class Storage<T> extends AsyncLocalStorage<T> {}
    return { Storage, end: followStorages(Storage) }
  }

  it('work, and hold nothing of what goes on once the file has ended', async () => {
    const { Storage, end } = followed()
    const storage = new Storage<string>()
    const seen: (string | undefined)[] = []
    await storage.run('kept', async () => {
      await Promise.resolve()
      seen.push(storage.getStore())
      end()
      await Promise.resolve()
      seen.push(storage.getStore())
    })
    expect(seen).toEqual(['kept', undefined])
  })

  it('can be used again', async () => {
    const { Storage, end } = followed()
    const storage = new Storage<string>()
    storage.run('first', () => undefined)
    end()
    const again = storage.run('second', async () => {
      await Promise.resolve()
      return storage.getStore()
    })
    expect(await again).toBe('second')
    end()
  })

  it('are none for a test itself, whose promises Node therefore does not follow', async () => {
    await Promise.resolve()
    expect(executionAsyncId()).toBe(0)
  })

  it('are followed by the environment of this test', () => {
    const { run } = AsyncLocalStorage.prototype
    expect(String(run)).toContain('used.add')
  })
})
