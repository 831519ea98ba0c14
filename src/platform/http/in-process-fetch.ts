import { throwIfAborted } from '../../core/signals'

/** A `fetch` that passes every request to one handler. Rejects with the signal's reason on abort, like the real one. */
export function inProcessFetch(handle: (request: Request) => Promise<Response>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    throwIfAborted(signal)
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      handle(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}
