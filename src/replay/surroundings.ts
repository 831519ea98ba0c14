import { BehaviorSubject, Subject } from 'rxjs'
import type { Host } from '../core/host'
import { onAbort } from '../core/signals'
import type { Channel, Locks } from '../core/web-types'
import { holdsSame, type TokenStore } from '../session/token-store'
import type { Tokens } from '../transport/access-token'
import type { InputEvent, InputEventOf, StartEvent } from './events'

type Start = StartEvent['start']

interface PlayedTimer extends Pick<InputEventOf<'timer'>, 'due' | 'millis'> {
  readonly run: () => void
}

/** A turn of a browser takes time and one of the player none, so that timers differ by this much. */
const unsureMillis = 100

/** The clock of a recording: it moves by the events, and a timer runs when the recording says so. */
export function scriptedClock({ wall, monotonic }: Start, random: () => number) {
  const timers = new Set<PlayedTimer>()
  const clock = {
    millis: monotonic,
    aheadMillis: wall - monotonic,
    now: (): number => clock.aheadMillis + clock.millis,
    monotonic: (): number => clock.millis,
    random,
    setTimeout(run: () => void, millis: number) {
      const timer = { due: clock.millis + millis, millis, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    /** Runs the timer that is most like this one, if there is one: those of the app's own are not here. */
    run({ due, millis }: InputEventOf<'timer'>) {
      let nearest: PlayedTimer | undefined
      let least = unsureMillis
      for (const timer of timers) {
        const difference = Math.max(Math.abs(timer.due - due), Math.abs(timer.millis - millis))
        if (difference >= least) continue
        nearest = timer
        least = difference
      }
      if (!nearest) return
      timers.delete(nearest)
      nearest.run()
    },
  }
  return clock
}

export type AccessEvent = InputEventOf<'held' | 'unread' | 'kept'>

/** The accesses to the token store that an input leads to, by the number of own calls of the kit before, and of accesses since. */
export type Accesses = ReadonlyMap<string, AccessEvent>

export function isAccess(event: InputEvent): event is AccessEvent {
  return event.in === 'held' || event.in === 'unread' || event.in === 'kept'
}

/** The token store of a recording, which others write too. */
export function scriptedTokens(isShared: boolean) {
  const changes$ = new Subject<void>()
  let script: Accesses = new Map()
  let [accesses, ownCalls] = [0, 0]
  /** The access that the kit meets next. */
  let coming: AccessEvent | undefined
  /** Brings the token store to the state of the next access. */
  const prepare = () => {
    const event = script.get(`${ownCalls} ${accesses + 1}`)
    if (!event) return
    coming = event
    if (event.in === 'held') held.tokens = event.tokens
    else held.refuses = event.in
  }
  const isRefused = (access: 'unread' | 'kept') => {
    const is = held.refuses === access
    if (is) held.refuses = undefined
    return is
  }
  const store: TokenStore = {
    read: () => {
      if (isRefused('unread')) throw new Error('the token store cannot be read')
      return held.tokens
    },
    replace: (expected, next) => {
      if (isRefused('kept') || !holdsSame(held.tokens, expected)) return false
      held.tokens = next
      return true
    },
    changes$,
    ...(isShared && { sharedAs: 'replay' }),
  }
  const held = {
    store,
    tokens: null as Tokens | null,
    /** The next read fails, or the next write finds other tokens than it expects. */
    refuses: undefined as 'unread' | 'kept' | undefined,
    /** The access that the kit has met last. */
    seen: undefined as AccessEvent | undefined,
    /** Sets the accesses that the input before them leads to. */
    expect(of: Accesses = new Map()) {
      script = of
      ownCalls = accesses = 0
      prepare()
    },
    /** The kit has made a call by itself. */
    called() {
      ownCalls++
      accesses = 0
      prepare()
    },
    /** The kit has told of an access. */
    accessed() {
      accesses++
      held.seen = coming ?? held.seen
      coming = undefined
      prepare()
    },
    /** Tells the kit that another one has written. */
    changed: () => {
      changes$.next()
    },
  }
  return held
}

/** A lock that the kit has asked for. */
interface Asking extends LockOptions {
  readonly name: string
  isHeld: boolean
  grant(lock: object | null): void
  lose(): void
}

/** The page of a recording, and its other tabs. */
export function scriptedHost({ isShared, hasLocks, online, visible, shown }: Start) {
  const states = {
    online: new BehaviorSubject(online),
    visible: new BehaviorSubject(visible),
    shown: new BehaviorSubject(shown),
  }
  const channels = new Set<{ onmessage: ((event: { data: object }) => void) | null }>()
  const requests = new Set<Asking>()
  /** The last one: a sign-in at a provider looks whether it is kept. */
  let lastCookie = ''
  const channel = () => {
    const opened = { onmessage: null, postMessage: () => undefined, close: () => void channels.delete(opened) }
    channels.add(opened)
    // The kit uses no other member.
    return opened as unknown as Channel
  }
  const request = (name: string, options: LockOptions, run: (lock: object | null) => unknown) =>
    new Promise((resolve, reject) => {
      const end = () => {
        leave()
        requests.delete(asking)
      }
      const lose = () => {
        end()
        reject(new DOMException('aborted', 'AbortError'))
      }
      const grant = (lock: object | null) => {
        asking.isHeld = true
        // A held lock may be stolen.
        Promise.resolve(run(lock)).then(resolve, reject).finally(end)
      }
      const asking: Asking = { ...options, name, isHeld: false, grant, lose }
      const leave = onAbort(options.signal, lose)
      requests.add(asking)
    })
  const host: Host = {
    online$: states.online,
    visible$: states.visible,
    shown$: states.shown,
    ...(isShared && { channel }),
    cookies: { get: () => lastCookie, set: cookie => void (lastCookie = cookie.split(';', 1)[0] ?? '') },
    openWindow: () => ({ location: { replace: () => undefined }, close: () => undefined }),
    // The kit uses only the overload of `request` with options.
    ...(hasLocks && { locks: { request } as unknown as Locks }),
  }
  /** The request for a lock that an event is of; undefined: the kit has not asked. */
  const asking = ({ name, is }: InputEventOf<'lock'>) => {
    // A request that needs the lock at once is told that another tab has it, and one that steals it is granted first.
    const all = [...requests].filter(one => one.name.endsWith(name) && (is !== 'held elsewhere' || one.ifAvailable))
    const waiting = all.filter(({ isHeld }) => !isHeld)
    return (is === 'lost' && all.find(({ isHeld }) => isHeld)) || (waiting.find(({ steal }) => steal) ?? waiting[0])
  }
  return {
    host,
    states,
    /** Whether the kit has asked for the lock that an event is of. */
    isAsked: (event: InputEventOf<'lock'>) => asking(event) !== undefined,
    tell(message: object) {
      for (const { onmessage } of channels) onmessage?.({ data: message })
    },
    lock(event: InputEventOf<'lock'>) {
      if (event.is === 'lost') asking(event)?.lose()
      else asking(event)?.grant(event.is === 'granted' ? {} : null)
    },
  }
}
