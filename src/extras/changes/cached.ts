import type { Clock } from '../../core/clock'
import { abortWith } from '../../core/signals'
import { developerError, type AuthError } from '../../errors/auth-error'

/** Not every change has an event, such as one of a permission's definition; a webhook can also be late. */
const maxAgeMillis = 1000

/** A load that takes longer has failed. */
const loadMillis = 8000

/** How many loads run at once, for all keys together. */
const mostLoads = 8

/** How many values are kept. */
const mostKept = 2000

/** After more doubts than this a value says too little. */
const mostDoubts = 200

/** A value of the platform, and the ids of which an event has told since its load began: of these it says nothing. */
export interface Cached<V> {
  readonly value: V
  readonly doubts: ReadonlySet<string>
}

interface CacheEntry<V> {
  cached?: Cached<V>
  loadedAt: number
  isStale: boolean
  loading?: Promise<Cached<V>> | undefined
  doubts: Set<string>
}

/** Lets `mostLoads` loads run at once. */
export class LoadLimit {
  #running = 0
  readonly #waiting: (() => void)[] = []

  async run<T>(load: () => Promise<T>): Promise<T> {
    if (this.#running === mostLoads) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await load()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** Values of the platform by id, each loaded at most once at a time. */
export class Cache<V> {
  readonly #clock: Clock
  readonly #limit: LoadLimit
  readonly #load: (key: string, signal: AbortSignal) => Promise<V>
  readonly #entries = new Map<string, CacheEntry<V>>()

  constructor(clock: Clock, limit: LoadLimit, load: (key: string, signal: AbortSignal) => Promise<V>) {
    this.#clock = clock
    this.#limit = limit
    this.#load = load
  }

  /** Rejects if the load fails. */
  async get(key: string): Promise<Cached<V>> {
    const entry = this.#entries.get(key) ?? { loadedAt: 0, isStale: true, doubts: new Set() }
    // The entry that was used last is the last one.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > mostKept && oldest !== undefined) this.#entries.delete(oldest)
    const { cached, isStale, loadedAt } = entry
    if (cached && !isStale && this.#clock.monotonic() - loadedAt < maxAgeMillis) return cached
    return (entry.loading ??= this.#limit
      .run(() => this.#fill(key, entry))
      .finally(() => {
        entry.loading = undefined
      }))
  }

  /** An event says that `id` may have changed in the value of `key`, or in every value. */
  doubt(key: string | undefined, id: string): void {
    for (const each of key === undefined ? [...this.#entries.keys()] : [key]) {
      const entry = this.#entries.get(each)
      if (!entry) continue
      entry.isStale = true
      entry.doubts.add(id)
      if (entry.doubts.size > mostDoubts) this.forget(each)
    }
  }

  /** An event says that all of the value of `key` may have changed. A load under way serves earlier events alone. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  async #fill(key: string, entry: CacheEntry<V>): Promise<Cached<V>> {
    const controller = new AbortController()
    const stop = () => {
      abortWith(controller, overtaken())
    }
    const cancel = this.#clock.setTimeout(stop, loadMillis, { keepAlive: false })
    try {
      const doubts = (entry.doubts = new Set<string>())
      entry.loadedAt = this.#clock.monotonic()
      const cached = { value: await this.#load(key, controller.signal), doubts }
      if (doubts.size > mostDoubts) throw overtaken()
      entry.isStale = doubts.size > 0
      return (entry.cached = cached)
    } finally {
      cancel()
    }
  }
}

function overtaken(): AuthError<'TIMED_OUT'> {
  return developerError('TIMED_OUT', 'the platform has not said in time who may know of an event', {
    details: { attempts: 1 },
  })
}
