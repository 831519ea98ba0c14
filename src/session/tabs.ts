import type { Clock } from '../core/clock'
import type { Host } from '../core/host'

/** How long a tab waits for another one's refresh. */
const waitMillis = 15_000

export type LockOutcome<T> = { readonly got: true; readonly value: T } | { readonly got: false }

/**
 * Runs `work` while no other tab runs its own under `name`. Where locks are missing or broken it just runs; if the lock
 * cannot be had within 15 s, it does not run.
 */
export async function withTabLock<T>(
  host: Host,
  clock: Clock,
  name: string,
  work: () => Promise<T>,
): Promise<LockOutcome<T>> {
  const { locks } = host
  if (!locks) return { got: true, value: await work() }
  const waiting = new AbortController()
  const cancel = clock.setTimeout(() => {
    waiting.abort()
  }, waitMillis)
  let running: Promise<T> | undefined
  try {
    await locks.request(name, { signal: waiting.signal }, async () => {
      cancel()
      running = work()
      await running
    })
  } catch (error) {
    if (running) throw error
    if (waiting.signal.aborted) return { got: false }
    // The lock manager itself refuses (an opaque origin, a document that is going away).
    running = work()
  } finally {
    cancel()
  }
  return { got: true, value: await (running as Promise<T>) }
}

/** What tabs tell each other. Never a token. */
export interface TabMessage {
  /** This session was signed out; whoever still holds it lets go. */
  readonly ended?: string
  /** A write of this user made these stores stale: definition key and argument key. */
  readonly stale?: {
    readonly userId: string | null
    readonly stores: readonly (readonly [definition: string, args: string])[]
  }
}

/** The channel of everybody who shares a token store; open only while somebody listens. */
export class Tabs {
  readonly #open: (() => ReturnType<NonNullable<Host['channel']>>) | undefined
  #channel: ReturnType<NonNullable<Host['channel']>> | undefined

  constructor(host: Host, name: string | undefined) {
    const { channel } = host
    this.#open = channel && name !== undefined ? () => channel(name) : undefined
  }

  listen(receive: (message: TabMessage) => void): () => void {
    const channel = this.#open?.()
    if (!channel) return () => undefined
    this.#channel = channel
    channel.onmessage = (event: MessageEvent<TabMessage>) => {
      receive(event.data)
    }
    return () => {
      this.#channel = undefined
      channel.close()
    }
  }

  post(message: TabMessage): void {
    if (this.#channel) {
      this.#channel.postMessage(message)
      return
    }
    const channel = this.#open?.()
    channel?.postMessage(message)
    channel?.close()
  }
}
