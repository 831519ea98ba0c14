import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * The rules of Cloudflare's workerd, on Node. Imported before the sources, which read some globals once: no signal and no timer is made
 * where a module is loaded, and a signal is read and aborted by the request alone that has made it. No rule is for the test itself.
 */

/** What runs: a module that is being loaded, a request, or undefined: the test. */
const running = new AsyncLocalStorage<'module' | symbol>()

Object.assign(globalThis, { EdgeRuntime: 'edge' })

/** Runs this as code of a module that is being loaded. */
export const atTop = <T>(run: () => T): T => running.run('module', run)

/** Runs this as a request of its own. */
export const inRequest = <T>(run: () => T): T => running.run(Symbol('request'), run)

function assertMayMake(): void {
  if (running.getStore() === 'module') throw new Error('Disallowed operation called within global scope.')
}

const asserting = (maker: unknown) => () => {
  const reader = running.getStore()
  if (maker && reader && reader !== maker) throw new Error('Cannot perform I/O on behalf of a different request.')
}

class OwnController extends AbortController {
  readonly #assertOwn: () => void

  constructor() {
    assertMayMake()
    super()
    const assertOwn = (this.#assertOwn = asserting(running.getStore()))
    const { signal } = this
    const read = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')!
    Object.defineProperty(signal, 'aborted', {
      get() {
        assertOwn()
        return read.get!.call(signal) as boolean
      },
    })
  }

  override abort(reason?: unknown): void {
    this.#assertOwn()
    super.abort(reason)
  }
}

// eslint-disable-next-line no-restricted-properties -- replaced for every source
const { setTimeout, setInterval } = globalThis
const checked =
  <A extends unknown[], R>(make: (...given: A) => R) =>
  (...given: A): R => {
    assertMayMake()
    return make(...given)
  }
Object.assign(globalThis, {
  AbortController: OwnController,
  setTimeout: checked(setTimeout),
  setInterval: checked(setInterval),
})
