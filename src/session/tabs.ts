import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import { isRecord } from '../core/is-record'
import { unlessAborted } from '../errors/abort'

/** How long a tab waits for another one's refresh. */
const waitMillis = 15_000

export type LockOutcome<T> = { readonly got: true; readonly value: T } | { readonly got: false }

/** Told whether no other tab runs it; one from which the lock is stolen is no longer alone. */
type Work<T> = (isAlone: () => boolean) => Promise<T>

/**
 * Runs `work` while no other tab runs its own under `name`. Where locks are missing or broken it runs all the same, and is
 * told that it is not alone.
 *
 * A holder that has not let go within 15 s is stuck (an open alert(), a suspended tab), and the lock is stolen from it, unless
 * `isNeeded` says no. Who steals holds `<name>:steal`, or all tabs that wait would steal from each other, and each run its
 * work. If that cannot be had either, for as many times as `steals`, or `ended` aborts, `work` does not run.
 */
export async function withTabLock<T>(
  host: Host,
  clock: Clock,
  name: string,
  ended: AbortSignal,
  work: Work<T>,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
  steals = 2,
): Promise<LockOutcome<T>> {
  const { locks } = host
  if (!locks) return { got: true, value: await work(() => false) }
  const taken = await take(locks, clock, name, ended, false, work)
  if (taken.got || ended.aborted || steals === 0) return taken
  const steal = async () => ((await isNeeded()) ? take(locks, clock, name, ended, true, work) : taken)
  const stolen = await withTabLock(host, clock, `${name}:steal`, ended, steal, isNeeded, steals - 1)
  return stolen.got ? stolen.value : stolen
}

async function take<T>(
  locks: NonNullable<Host['locks']>,
  clock: Clock,
  name: string,
  ended: AbortSignal,
  steal: boolean,
  work: Work<T>,
): Promise<LockOutcome<T>> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stop = () => {
    waiting.abort()
  }
  const cancel = clock.setTimeout(stop, waitMillis)
  ended.addEventListener('abort', stop)
  let alone = !steal
  const isAlone = () => alone
  let running: Promise<T> | undefined
  try {
    // One that steals may not be given a signal, and a manager that knows no stealing would let it wait for ever.
    const request = locks.request(name, steal ? { steal } : { signal }, () => {
      if (signal.aborted) return
      cancel()
      // Where it steals, the tab from which it does may have begun.
      running = work(isAlone)
      return running
    })
    await unlessAborted(Promise.resolve(request), signal)
  } catch {
    // What the work itself rejects with is told below.
    if (!running && signal.aborted) return { got: false }
    // The lock has been stolen, or the lock manager itself refuses (an opaque origin, a document that is going away).
    alone = false
    running ??= work(isAlone)
  } finally {
    cancel()
    ended.removeEventListener('abort', stop)
  }
  return { got: true, value: await (running as Promise<T>) }
}

/** What tabs tell each other. Never a token. */
export interface TabMessage {
  /** This session was signed out; whoever still holds it lets go. */
  readonly ended?: string
  /**
   * A write of this user made these stores stale: the key of each definition, and its arguments as JSON. Null: the page that
   * wrote does not know whose session it is (a mail's link that was opened in a tab of its own).
   */
  readonly stale?: {
    readonly userId: string | null
    readonly stores: readonly (readonly [definition: string, args: string])[]
  }
}

/** What can be understood of a message: another tab may run another version of the app. */
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

function ifAllowed<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** The arguments of a stale store; null: they are none. */
export function argsIn(text: unknown): Readonly<Record<string, unknown>> | null {
  try {
    const args: unknown = JSON.parse(String(text))
    return isRecord(args) ? args : null
  } catch {
    return null
  }
}

type Channel = ReturnType<NonNullable<Host['channel']>>

/**
 * The channel of everybody who shares a token store; open only while somebody listens. Where the browser refuses one (an
 * opaque origin, a document that is going away) the kit works alone: what other tabs write it sees by polling.
 */
export class Tabs {
  readonly #open: (() => Channel) | undefined
  #channel: Channel | undefined

  constructor(host: Host, name: string | undefined) {
    const { channel } = host
    this.#open = channel && name !== undefined ? () => channel(name) : undefined
  }

  /** Whether there may be others to tell. */
  get areShared(): boolean {
    return this.#open !== undefined
  }

  listen(receive: (message: TabMessage) => void): () => void {
    const channel = ifAllowed(() => this.#open?.())
    if (!channel) return () => undefined
    this.#channel = channel
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      receive(understood(data))
    }
    return () => {
      this.#channel = undefined
      ifAllowed(() => {
        channel.close()
      })
    }
  }

  post(message: TabMessage): void {
    ifAllowed(() => {
      const channel = this.#channel ?? this.#open?.()
      channel?.postMessage(message)
      if (channel !== this.#channel) channel?.close()
    })
  }
}
