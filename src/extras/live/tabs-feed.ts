import { Subscription } from 'rxjs'
import { millisSince, momentOf } from '../../core/clock'
import { isRecord, orUndefined } from '../../core/values'
import type { Channel } from '../../core/web-types'
import type { Core } from '../../store/kit-parts'

/** An event of the backend, or the place of the last one. */
export interface FeedEvent {
  readonly id?: string
  readonly data?: string
}

/** Between tabs; it never contains a token. */
interface FeedMessage extends FeedEvent {
  /** A tab has opened, by this number. */
  readonly hello?: number
  /** The tab that this is for. */
  readonly to?: number
}

/** A tab that has just opened may have loaded its data so long ago. */
const firstMillis = 30_000

/** A tab that has been hidden for so long leaves the connection to another one. */
const hiddenMillis = 30_000

/** How often the tab that is connected says so. */
const lookMillis = 15_000

/** Longer than the timers of a hidden tab may be late. */
const sleptMillis = 120_000

/** After so many looks without a word the connected tab counts as frozen. */
const quietLooks = 3

/** More events than this are told as `missed`. */
const mostHeld = 100
const missed = '{"type":"missed"}'

/**
 * One connection for all tabs of a browser with the same `name`: a tab that holds the lock of this name connects, and passes on what
 * it is told. Without a name, locks or channels the tab has a connection of its own. A hidden tab takes its events when it is shown.
 */
export class TabsFeed {
  readonly #core: Core
  readonly #name: string | undefined
  readonly #connect: (tell: (event: FeedEvent) => void) => () => void
  readonly #take: (event: FeedEvent) => void
  readonly #all = new Subscription()
  readonly #number: number
  #channel: Channel | undefined
  /** Ends the connection of this tab. */
  #disconnect: (() => void) | undefined
  #release: (() => void) | undefined
  #waiting: AbortController | undefined
  #cancelLook: (() => void) | undefined
  #cancelHidden: (() => void) | undefined
  #recent: { readonly data: string; readonly at: number }[] = []
  #held = new Set<string>()
  #quiet = 0
  #isVisible = true
  #isThere = false

  constructor(
    core: Core,
    name: string | undefined,
    connect: (tell: (event: FeedEvent) => void) => () => void,
    take: (event: FeedEvent) => void,
  ) {
    const { host } = core
    this.#core = core
    this.#name = host.locks && host.channel ? name : undefined
    this.#connect = connect
    this.#take = take
    this.#number = core.clock.random()
    let hasLeft = false
    this.#all.add(
      host.visible$?.subscribe(isVisible => {
        this.#show(isVisible)
      }),
    )
    const shown = host.shown$?.subscribe(isShown => {
      if (!isShown) this.#leave()
      else this.#join()
      // The other tabs do not know what this page has missed while it was not shown.
      if (isShown && hasLeft) this.#hear({ data: missed })
      hasLeft = !isShown
    })
    this.#all.add(shown)
    if (!shown) this.#join()
  }

  end(): void {
    this.#all.unsubscribe()
    this.#leave()
    this.#cancelHidden?.()
  }

  #join(): void {
    if (this.#isThere) return
    this.#isThere = true
    this.#channel = orUndefined(() => (this.#name === undefined ? undefined : this.#core.host.channel?.(this.#name)))
    if (this.#channel)
      this.#channel.onmessage = ({ data }: { readonly data: unknown }) => {
        this.#receive(data)
      }
    this.#post({ hello: this.#number })
    this.#look()
    this.#run()
  }

  #leave(): void {
    this.#isThere = false
    this.#cancelLook?.()
    this.#stop()
    const channel = this.#channel
    this.#channel = undefined
    orUndefined(() => channel?.close())
  }

  #show(isVisible: boolean): void {
    this.#isVisible = isVisible
    this.#cancelHidden?.()
    this.#cancelHidden = undefined
    if (isVisible) {
      const held = [...this.#held]
      this.#held.clear()
      for (const data of held) this.#take({ data })
      this.#run()
    } else if (this.#isThere) {
      const hide = () => {
        this.#cancelHidden = undefined
        this.#stop()
      }
      this.#cancelHidden = this.#core.clock.setTimeout(hide, hiddenMillis, { keepAlive: false })
    }
  }

  /** Connects, or waits for the lock. */
  #run(steal = false): void {
    const isRunning = this.#waiting !== undefined || this.#disconnect !== undefined
    if (!this.#isThere || isRunning || (!this.#isVisible && !this.#cancelHidden)) return
    const { locks } = this.#core.host
    if (!locks || this.#name === undefined || !this.#channel) {
      this.#lead()
      return
    }
    const waiting = new AbortController()
    const { signal } = waiting
    this.#waiting = waiting
    const hold = () =>
      signal.aborted
        ? undefined
        : new Promise<void>(resolve => {
            this.#release = resolve
            this.#lead()
          })
    // A stealing request must not have a signal.
    const held = orUndefined(() => locks.request(this.#name ?? '', steal ? { steal } : { signal }, hold))
    Promise.resolve(held ?? Promise.reject(new Error('no lock'))).catch(() => {
      if (signal.aborted) return
      const isStolen = this.#release !== undefined
      this.#stop()
      if (isStolen) {
        // This tab was frozen.
        this.#hear({ data: missed })
        this.#run()
      } else this.#lead()
    })
  }

  #stop(): void {
    const [waiting, release, disconnect] = [this.#waiting, this.#release, this.#disconnect]
    this.#waiting = this.#release = this.#disconnect = undefined
    waiting?.abort()
    disconnect?.()
    release?.()
  }

  #lead(): void {
    this.#recent = []
    this.#disconnect = this.#connect(event => {
      this.#hear(event)
      this.#post(event)
      if (event.data !== undefined) this.#remember(event.data)
    })
    this.#post({})
  }

  #remember(data: string): void {
    const at = this.#core.clock.monotonic()
    this.#recent = [...this.#recent.filter(each => at - each.at < firstMillis), { data, at }]
    if (this.#recent.length > mostHeld) this.#recent = [{ data: missed, at }]
  }

  #look(): void {
    const { clock } = this.#core
    const lookedAt = momentOf(clock)
    const look = () => {
      this.#look()
      // A tab that was suspended may not have heard what the others told.
      if (!this.#disconnect && millisSince(lookedAt, clock) > sleptMillis) this.#hear({ data: missed })
      if (this.#disconnect) this.#post({})
      else if (this.#waiting && ++this.#quiet >= quietLooks) {
        this.#quiet = 0
        this.#stop()
        this.#run(true)
      }
    }
    this.#cancelLook = clock.setTimeout(look, lookMillis, { keepAlive: false })
  }

  #receive(message: unknown): void {
    if (!isRecord(message)) return
    const { hello, to, id, data } = message
    if (hello !== undefined) {
      if (this.#disconnect) this.#welcome(hello)
      return
    }
    this.#quiet = 0
    if (to !== undefined && to !== this.#number) return
    if (typeof data === 'string') this.#hear({ data })
    if (typeof id === 'string') this.#hear({ id })
  }

  /** Tells a new tab what it may have missed while it loaded. */
  #welcome(to: unknown): void {
    const now = this.#core.clock.monotonic()
    if (typeof to !== 'number') return
    for (const { data, at } of this.#recent) if (now - at < firstMillis) this.#post({ to, data })
  }

  #hear(event: FeedEvent): void {
    if (this.#isVisible || event.data === undefined) this.#take(event)
    else if (this.#held.size < mostHeld) this.#held.add(event.data)
    else this.#held = new Set([missed])
  }

  #post(message: FeedMessage): void {
    orUndefined(() => this.#channel?.postMessage(message))
  }
}
