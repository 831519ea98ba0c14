import { BehaviorSubject, Subject } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import type { HostState } from '../core/tap'
import { restored } from './restored'
import { onAbort } from '../core/signals'
import type { Channel, Locks } from '../core/web-types'
import { holdsSame } from '../session/token-store'
import type { Tokens } from '../transport/access-token'
import type { InputEvent, InputEventOf, StartEvent } from './checked'

interface PlayedTimer {
  readonly due: number
  readonly millis: number
  readonly run: () => void
}

/** A turn of a browser takes time and one of the player none, so that timers differ by this much. */
const unsureMillis = 100

/** The clock of a recording: it moves by the events, and a timer runs when the recording says so. */
export class ScriptedClock implements Clock {
  millis = 0
  readonly #timers = new Set<PlayedTimer>()
  readonly random: () => number
  #wallStart: number

  constructor(wallStart: number, random: () => number) {
    this.#wallStart = wallStart
    this.random = random
  }

  now = () => this.#wallStart + this.millis
  monotonic = () => this.millis
  setTimeout = (run: () => void, millis: number) => {
    const timer = { due: this.millis + millis, millis, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  shiftWall(millis: number): void {
    this.#wallStart += millis
  }

  /** Runs the timer that is most like this one, if there is one: those of the app's own are not here. */
  run({ due, millis }: Pick<PlayedTimer, 'due' | 'millis'>): void {
    let nearest: PlayedTimer | undefined
    let least = unsureMillis
    for (const timer of this.#timers) {
      const difference = Math.max(Math.abs(timer.due - due), Math.abs(timer.millis - millis))
      if (difference >= least) continue
      nearest = timer
      least = difference
    }
    if (!nearest) return
    this.#timers.delete(nearest)
    nearest.run()
  }
}

export type AccessEvent = InputEventOf<'held' | 'unread' | 'kept'>

/** An access to the token store, after this many calls that the kit has made by itself. */
export interface ScriptedAccess {
  readonly calls: number
  readonly event: AccessEvent
  /** The kit had decided nothing before, since the input. */
  readonly isFirst: boolean
}

export function isAccess(event: InputEvent): event is AccessEvent {
  return event.in === 'held' || event.in === 'unread' || event.in === 'kept'
}

/** The token store of a recording, which others write too. */
export class ScriptedTokens {
  held: Tokens | null = null
  /** Whether the next read fails. */
  isUnreadable = false
  /** Whether the next write finds other tokens than it expects. */
  isChanged = false
  /** The access that the kit has met last, and the one that it meets next. */
  seen: AccessEvent | undefined
  #script: ScriptedAccess[] = []
  #coming: AccessEvent | undefined
  #accesses = 0
  #ownCalls = 0
  readonly #texts: ReadonlyMap<string, string>
  readonly #changes$ = new Subject<void>()
  readonly store

  constructor(isShared: boolean, texts: ReadonlyMap<string, string>) {
    this.#texts = texts
    this.store = {
      read: () => {
        const fails = this.isUnreadable
        this.isUnreadable = false
        if (fails) throw new Error('the token store cannot be read')
        return this.held
      },
      replace: (expected: Tokens | null, next: Tokens | null) => {
        const isChanged = this.isChanged
        this.isChanged = false
        if (isChanged || !holdsSame(this.held, expected)) return false
        this.held = next
        return true
      },
      changes$: this.#changes$,
      ...(isShared && { sharedAs: 'replay' }),
    }
  }

  /** The accesses that the input before them leads to. */
  expect(accesses: readonly ScriptedAccess[]): void {
    this.#script = [...accesses]
    this.#ownCalls = -1
    this.called()
  }

  /** The kit has made a call by itself. */
  called(): void {
    this.#ownCalls++
    this.#accesses = -1
    this.#count()
  }

  /** The kit has told of an access. */
  accessed(): void {
    if (this.#coming) this.seen = this.#coming
    this.#coming = undefined
    this.#count()
  }

  /** Brings the token store to the state of the next access. */
  #count(): void {
    this.#accesses++
    const [next] = this.#script
    if (!next || next.calls !== this.#ownCalls || next.event.access !== this.#accesses + 1) return
    this.#script.shift()
    const { event } = next
    this.#coming = event
    if (event.in === 'held') this.held = restored(event.tokens, this.#texts)
    else if (event.in === 'unread') this.isUnreadable = true
    else this.isChanged = true
  }

  /** Tells the kit that another one has written. */
  changed(): void {
    this.#changes$.next()
  }
}

/** A lock that the kit has asked for. */
interface Asking {
  readonly name: string
  /** Such a request does not wait for a lock that is held elsewhere. */
  readonly ifAvailable: boolean | undefined
  /** Such a request is granted before all that wait. */
  readonly steal: boolean | undefined
  isHeld: boolean
  grant(lock: object | null): void
  lose(): void
}

/** The page of a recording, and its other tabs. */
export class ScriptedHost {
  readonly #states: Readonly<Record<HostState, BehaviorSubject<boolean>>>
  readonly host: Host
  readonly #channels = new Set<{ onmessage: ((event: { data: object }) => void) | null }>()
  readonly #asking = new Set<Asking>()
  /** The last one: a sign-in at a provider looks whether it is kept. */
  #cookie = ''

  constructor({ isShared, hasLocks, ...is }: StartEvent['start']) {
    const online$ = new BehaviorSubject(is.online)
    const visible$ = new BehaviorSubject(is.visible)
    const shown$ = new BehaviorSubject(is.shown)
    this.#states = { online: online$, visible: visible$, shown: shown$ }
    const channel = () => {
      const opened = {
        onmessage: null,
        postMessage: () => undefined,
        close: () => void this.#channels.delete(opened),
      }
      this.#channels.add(opened)
      // The kit uses no other member.
      return opened as unknown as Channel
    }
    this.host = {
      online$,
      visible$,
      shown$,
      ...(isShared && { channel }),
      cookies: { get: () => this.#cookie, set: cookie => void (this.#cookie = cookie.split(';', 1)[0] ?? '') },
      openWindow: () => ({ location: { replace: () => undefined }, close: () => undefined }),
      // The kit uses only the overload of `request` with options.
      ...(hasLocks && { locks: { request: this.#request } as unknown as Locks }),
    }
  }

  get states(): object {
    return Object.fromEntries(Object.entries(this.#states).map(([name, { value }]) => [name, value]))
  }

  change(state: HostState, is: boolean): void {
    this.#states[state].next(is)
  }

  tell(message: object): void {
    for (const { onmessage } of this.#channels) onmessage?.({ data: message })
  }

  /** The request for a lock that an event is of; undefined: the kit has not asked. */
  asking({ name, is }: InputEventOf<'lock'>): Asking | undefined {
    const all = [...this.#asking].filter(one => one.name.endsWith(name) && (is !== 'held elsewhere' || one.ifAvailable))
    const waiting = all.filter(({ isHeld }) => !isHeld)
    return (is === 'lost' && all.find(({ isHeld }) => isHeld)) || (waiting.find(({ steal }) => steal) ?? waiting[0])
  }

  lock(event: InputEventOf<'lock'>): void {
    const asking = this.asking(event)
    if (event.is === 'lost') asking?.lose()
    else asking?.grant(event.is === 'granted' ? {} : null)
  }

  readonly #request = (
    name: string,
    { signal, ifAvailable, steal }: LockOptions,
    run: (lock: object | null) => unknown,
  ) =>
    new Promise((resolve, reject) => {
      const end = () => {
        leave()
        this.#asking.delete(asking)
      }
      const fail = () => {
        end()
        reject(new DOMException('aborted', 'AbortError'))
      }
      const asking: Asking = {
        name,
        ifAvailable,
        steal,
        isHeld: false,
        grant: lock => {
          asking.isHeld = true
          // A held lock may be stolen.
          Promise.resolve(run(lock)).then(resolve, reject).finally(end)
        },
        lose: fail,
      }
      const leave = onAbort(signal, fail)
      this.#asking.add(asking)
    })
}
