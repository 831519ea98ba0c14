import type { TappedClock } from '../core/clock'
import type { Host } from '../core/host'
import type { Tap } from '../core/tap'
import { isRecord, orUndefined, parseJson } from '../core/values'
import { onAbort } from '../core/signals'
import { unlessAborted } from '../errors/auth-error'

/** How long a tab waits for another tab's refresh. */
const waitMillis = 15_000

/** Longer than a tab that is not stuck keeps the lock. */
const periodMillis = 7_500

/** By how much the end of the wait may be late in a tab that runs. */
const lateMillis = 1_000

/** How often a tab waits for the lock: once more for another tab that has stolen it meanwhile, or if it was frozen itself. */
const maxWaits = 2

export type LockOutcome<T> = { readonly got: true; readonly value: T } | { readonly got: false }

const none = { got: false } as const

/** `isAlone`: whether no other tab runs it, which ends when the lock is stolen. `hasWaited`: another tab had the lock before. */
export type LockedWork<T> = (isAlone: () => boolean, hasWaited?: boolean) => Promise<T>

/**
 * Runs `work` under the lock `name`, so that no other tab runs its own. Without working locks it runs all the same, with
 * `isAlone` false.
 *
 * A lock that is free is taken without waiting for it, so that the work knows whether another tab had the lock until then. A
 * manager that does not answer this within a second is only asked for the lock itself.
 *
 * A tab that holds the lock for 15 s is stuck (an open alert(), a suspended tab), and the lock is stolen from it, unless
 * `isNeeded` returns false. Stealing needs the locks of the present period and of the one before. If one of them is held, another
 * tab has just stolen the lock, and this one waits for it once more. A tab that is stuck since it has stolen holds the locks of
 * its own time, and none of a later one. If the lock is not acquired, or `ended` aborts, `work` does not run.
 */
export async function withTabLock<T>(
  host: Host,
  clock: TappedClock,
  name: string,
  ended: AbortSignal,
  work: LockedWork<T>,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<LockOutcome<T>> {
  const { locks } = host
  if (!locks) return { got: true, value: await work(() => false) }
  const take = <R>(lock: string, options: LockOptions, run: LockedWork<R>, millis = waitMillis) =>
    acquire(locks, clock, lock, ended, millis, options, run)
  const free = await take(name, { ifAvailable: true }, work, lateMillis)
  if (free.got) return free
  for (let waits = 0; waits < maxWaits; waits++) {
    const beganAt = clock.monotonic()
    const taken = await take(name, {}, work)
    if (taken.got) return taken
    // Frozen meanwhile, this tab cannot know that the present holder is stuck.
    if (waits === 0 && clock.monotonic() - beganAt > waitMillis + lateMillis) continue
    // All tabs have the same wall time.
    const period = Math.floor(clock.now() / periodMillis)
    const right = <R>(of: number, run: LockedWork<R>) =>
      take(`${name}:steal:${of}`, { ifAvailable: true }, run, periodMillis)
    const steal = async () => ((await isNeeded()) ? take(name, { steal: true }, work) : none)
    const stolen = await right(period - 1, () => right(period, steal))
    if (stolen.got && stolen.value.got) return stolen.value.value
  }
  return none
}

async function acquire<T>(
  locks: NonNullable<Host['locks']>,
  clock: TappedClock,
  name: string,
  ended: AbortSignal,
  millis: number,
  options: LockOptions,
  work: LockedWork<T>,
): Promise<LockOutcome<T>> {
  if (ended.aborted) return none
  const waiting = new AbortController()
  const { signal } = waiting
  const stop = () => {
    waiting.abort()
  }
  const cancel = clock.setTimeout(stop, millis)
  const forget = onAbort(ended, stop)
  let alone = !options.steal
  const isAlone = () => alone
  let running: Promise<T> | undefined
  const isQueued = !options.steal && !options.ifAvailable
  try {
    // Only a queued request may have a signal. A manager that does not know the other options would let them wait for ever.
    const request = locks.request(name, isQueued ? { signal } : options, lock => {
      clock.tap?.tell?.({ in: 'lock', name, lock })
      if (!lock || signal.aborted) return
      cancel()
      // The tab that the lock is stolen from may have started its work.
      running = work(isAlone, isQueued)
      // A failure of the work says nothing of the lock.
      return running.catch(() => undefined)
    })
    await unlessAborted(Promise.resolve(request), signal)
  } catch {
    if (!running && signal.aborted) return none
    // The lock was stolen, or the lock manager refuses (an opaque origin, a document that unloads).
    alone = false
    clock.tap?.tell?.({ in: 'lock', name })
    running ??= work(isAlone)
  } finally {
    cancel()
    forget()
  }
  return running ? { got: true, value: await running } : none
}

/** A message between tabs. Never contains a token. */
export interface TabMessage {
  /** This session was signed out; a tab that still holds it drops it. */
  readonly ended?: string
  /**
   * A write of this user made these stores stale: each definition's key, and its arguments as JSON. Null: the page that
   * wrote does not know the user (a mail's link opened in its own tab).
   */
  readonly stale?: {
    readonly userId: string | null
    readonly stores: readonly (readonly [definition: string, args: string])[]
  }
}

/** The valid parts of a message: another tab may run another version of the app. */
function understood(message: unknown): TabMessage {
  const { ended, stale }: Readonly<Record<string, unknown>> = isRecord(message) ? message : {}
  return { ...(typeof ended === 'string' && ended !== '' && { ended }), ...(isStale(stale) && { stale }) }
}

function isStale(stale: unknown): stale is NonNullable<TabMessage['stale']> {
  if (!isRecord(stale) || !Array.isArray(stale['stores'])) return false
  return stale['stores'].every(
    store => Array.isArray(store) && store.length === 2 && typeof store[0] === 'string' && argsIn(store[1]) !== null,
  )
}

/** The arguments of a stale store; null if invalid. */
export function argsIn(text: unknown): Readonly<Record<string, unknown>> | null {
  const args = typeof text === 'string' ? parseJson(text) : null
  return isRecord(args) ? args : null
}

type HostChannel = ReturnType<NonNullable<Host['channel']>>

/**
 * The channel of all tabs with one token store, open only while there are listeners. If the browser refuses one (an opaque
 * origin, a document that unloads), other tabs' writes are seen by polling.
 */
export class Tabs {
  readonly #open: (() => HostChannel) | undefined
  readonly #tap: Tap
  #channel: HostChannel | undefined

  constructor(host: Host, name: string | undefined, tap: Tap) {
    this.#tap = tap
    const { channel } = host
    this.#open = channel && name !== undefined ? () => channel(name) : undefined
  }

  /** Whether other tabs may listen. */
  get areShared(): boolean {
    return this.#open !== undefined
  }

  listen(receive: (message: TabMessage) => void): () => void {
    const channel = orUndefined(() => this.#open?.())
    if (!channel) return () => undefined
    this.#channel = channel
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = understood(data)
      this.#tap.tell?.({ in: 'message', message })
      receive(message)
    }
    return () => {
      this.#channel = undefined
      orUndefined(() => {
        channel.close()
      })
    }
  }

  post(message: TabMessage): void {
    this.#tap.tell?.({ type: 'post', message })
    orUndefined(() => {
      const channel = this.#channel ?? this.#open?.()
      channel?.postMessage(message)
      if (channel !== this.#channel) channel?.close()
    })
  }
}
