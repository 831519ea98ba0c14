import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import { isRecord, orUndefined, parseJson } from '../core/values'
import { onAbort } from '../core/signals'
import { unlessAborted } from '../errors/auth-error'

/** How long a tab waits for another tab's refresh. */
const waitMillis = 15_000

/** Longer than a tab that is not stuck keeps the lock. */
const periodMillis = 7_500

export type LockOutcome<T> = { readonly got: true; readonly value: T } | { readonly got: false }

const none = { got: false } as const

/** `isAlone`: whether no other tab runs it, which ends when the lock is stolen. */
type Work<T> = (isAlone: () => boolean) => Promise<T>

/**
 * Runs `work` under the lock `name`, so that no other tab runs its own. Without working locks it runs all the same, with
 * `isAlone` false.
 *
 * A tab that holds the lock for 15 s is stuck (an open alert(), a suspended tab), and the lock is stolen from it, unless
 * `isNeeded` returns false. To steal takes the locks of the present period and of the one before, or all waiting tabs would steal
 * from each other and each run its work. A tab that is stuck since it has stolen holds those of its own time, and none later. If
 * they are not acquired in three periods, or `ended` aborts, `work` does not run.
 */
export async function withTabLock<T>(
  host: Host,
  clock: Clock,
  name: string,
  ended: AbortSignal,
  work: Work<T>,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<LockOutcome<T>> {
  const { locks } = host
  if (!locks) return { got: true, value: await work(() => false) }
  const take = <R>(lock: string, millis: number, run: Work<R>, steal = false) =>
    acquire(locks, clock, lock, ended, millis, steal, run)
  const taken = await take(name, waitMillis, work)
  if (taken.got) return taken
  // One that was not stuck yet a moment ago holds them for two periods.
  const until = clock.monotonic() + 3 * periodMillis
  while (clock.monotonic() < until && !ended.aborted) {
    const period = periodOf(clock)
    const steal = async () => {
      if (!(await isNeeded())) return none
      // The wait for the locks may have taken a period.
      return periodOf(clock) === period ? take(name, waitMillis, work, true) : undefined
    }
    const right = <R>(of: number, run: Work<R>) => take(`${name}:steal:${of}`, periodMillis, run)
    const stolen = await right(period - 1, () => right(period, steal))
    if (stolen.got && stolen.value.got && stolen.value.value) return stolen.value.value
  }
  return none
}

/** All tabs have the same wall time. */
function periodOf(clock: Clock): number {
  return Math.floor(clock.now() / periodMillis)
}

async function acquire<T>(
  locks: NonNullable<Host['locks']>,
  clock: Clock,
  name: string,
  ended: AbortSignal,
  millis: number,
  steal: boolean,
  work: Work<T>,
): Promise<LockOutcome<T>> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stop = () => {
    waiting.abort()
  }
  const cancel = clock.setTimeout(stop, millis)
  const forget = onAbort(ended, stop)
  let alone = !steal
  const isAlone = () => alone
  let running: Promise<T> | undefined
  try {
    // A stealing request must not have a signal; a manager that does not know `steal` would let it wait for ever.
    const request = locks.request(name, steal ? { steal } : { signal }, () => {
      if (signal.aborted) return
      cancel()
      // The tab that the lock is stolen from may have started its work.
      running = work(isAlone)
      return running
    })
    await unlessAborted(Promise.resolve(request), signal)
  } catch {
    // Rejections of the work itself are reported below.
    if (!running && signal.aborted) return none
    // The lock was stolen, or the lock manager refuses (an opaque origin, a document that unloads).
    alone = false
    running ??= work(isAlone)
  } finally {
    cancel()
    forget()
  }
  return { got: true, value: await (running as Promise<T>) }
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

type Channel = ReturnType<NonNullable<Host['channel']>>

/**
 * The channel of all tabs with one token store, open only while there are listeners. If the browser refuses one (an opaque
 * origin, a document that unloads), other tabs' writes are seen by polling.
 */
export class Tabs {
  readonly #open: (() => Channel) | undefined
  #channel: Channel | undefined

  constructor(host: Host, name: string | undefined) {
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
      receive(understood(data))
    }
    return () => {
      this.#channel = undefined
      orUndefined(() => {
        channel.close()
      })
    }
  }

  post(message: TabMessage): void {
    orUndefined(() => {
      const channel = this.#channel ?? this.#open?.()
      channel?.postMessage(message)
      if (channel !== this.#channel) channel?.close()
    })
  }
}
