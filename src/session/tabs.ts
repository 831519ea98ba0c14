import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import { isRecord } from '../core/is-record'

/** How long a tab waits for another one's refresh. */
const waitMillis = 15_000

export type LockOutcome<T> = { readonly got: true; readonly value: T } | { readonly got: false }

/**
 * Runs `work` while no other tab runs its own under `name`. Where locks are missing or broken it runs all the same, and is
 * told that it is not alone; if the lock cannot be had within 15 s, or before `ended`, it does not run.
 */
export async function withTabLock<T>(
  host: Host,
  clock: Clock,
  name: string,
  ended: AbortSignal,
  work: (isAlone: boolean) => Promise<T>,
): Promise<LockOutcome<T>> {
  const { locks } = host
  if (!locks) return { got: true, value: await work(false) }
  const waiting = new AbortController()
  const stop = () => {
    waiting.abort()
  }
  const cancel = clock.setTimeout(stop, waitMillis)
  ended.addEventListener('abort', stop)
  let running: Promise<T> | undefined
  try {
    await locks.request(name, { signal: waiting.signal }, () => {
      cancel()
      running = work(true)
      return running
    })
  } catch {
    // What the work itself rejects with is told below.
    if (!running && waiting.signal.aborted) return { got: false }
    // The lock manager itself refuses (an opaque origin, a document that is going away).
    running ??= work(false)
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
