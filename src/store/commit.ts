import type { AnyAuthError } from '../errors/auth-error'
import type { Trace } from '../transport/trace'

/** Something whose state is part of a commit. */
export interface Member {
  readonly name: string
  /** Works out the new state; false: nothing has changed after all. */
  take(): boolean
  tell(): void
}

/** A member that is computed from others. */
export interface Dependent extends Member {
  readonly watchers: { readonly count: number }
  /** The end of the kit. */
  dispose(error: AnyAuthError): void
}

/**
 * Changes of a kit, two-phase: all members take their new state, then everybody is told. What is asked for while telling
 * waits until all are told, so that every subscriber sees the same commits in the same order.
 */
export class Commits {
  /** What is computed from other members; worked out after them in every commit. */
  readonly dependents = new Set<Dependent>()
  /** Numbers the looks at dependents: during one nothing changes, so each dependent is worked out once. */
  looks = 0

  readonly #trace: Trace
  readonly #dirty = new Set<Member>()
  readonly #queue: (() => void)[] = []
  readonly #joins: (() => unknown)[] = []
  #draining = false
  #phase: 'idle' | 'changing' | 'telling' = 'idle'
  #isTaking = false
  #isLooking = false

  constructor(trace: Trace) {
    this.#trace = trace
  }

  get isTelling(): boolean {
    return this.#phase === 'telling'
  }

  /** Whether subscribers are being told of a commit in which all members have their new state. */
  get stands(): boolean {
    return this.isTelling && !this.#isTaking
  }

  /** Makes one commit of everything that `change` touches; a commit asked for inside `change` is part of it. */
  run(cause: string, change: () => void): void {
    if (this.#phase === 'changing') {
      change()
      return
    }
    if (this.#phase === 'telling') {
      this.#queue.push(() => {
        this.run(cause, change)
      })
      return
    }
    this.#phase = 'changing'
    try {
      change()
    } finally {
      this.#tell(cause)
    }
  }

  /** Runs when the commit under way has been told, or at once if there is none. */
  after(run: () => void): void {
    if (this.#phase === 'idle') run()
    else this.#queue.push(run)
  }

  /** This member's state has to be worked out anew in the commit under way. */
  touch(member: Member): void {
    this.#dirty.add(member)
  }

  /** Subscribers are being called from now on: commits that they ask for wait. True if that was so already. */
  begin(): boolean {
    const isNested = this.#phase === 'telling'
    this.#phase = 'telling'
    return isNested
  }

  /** They have been called. Only for the outermost `begin`. */
  end(): void {
    // Most often nobody has joined: a subscription is to cost little.
    if (this.#joins.length > 0) for (const join of this.#joins.splice(0)) join()
    this.#phase = 'idle'
    if (this.#queue.length > 0) this.#drain()
  }

  #tell(cause: string): void {
    // From here on, since what works out a state may be code of the app as well.
    this.begin()
    try {
      const changed = this.#take()
      if (changed.length === 0) return
      this.#trace.emit(() => ({ type: 'commit', cause, stores: changed.map(member => member.name) }))
      for (const member of changed) member.tell()
    } finally {
      this.end()
    }
  }

  /** Runs `run` in the look under way, or in a new one. */
  look<T>(run: () => T): T {
    return this.#isLooking ? run() : this.#lookAnew(run)
  }

  #lookAnew<T>(run: () => T): T {
    const wasLooking = this.#isLooking
    this.#isLooking = true
    this.looks++
    try {
      return run()
    } finally {
      this.#isLooking = wasLooking
    }
  }

  /** The members that have a new state. */
  #take(): readonly Member[] {
    this.#isTaking = true
    try {
      const dependents = [...this.dependents]
      const changed = [...this.#dirty].filter(member => member.take())
      // A look of its own, also for a commit that a computation asks for: what that has seen so far is out of date.
      return [...changed, ...this.#lookAnew(() => dependents.filter(member => member.take()))]
    } finally {
      this.#dirty.clear()
      this.#isTaking = false
    }
  }

  /** One after the other rather than one inside the other, however long the chain. */
  #drain(): void {
    if (this.#draining) return
    this.#draining = true
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next()
    } finally {
      this.#draining = false
    }
  }

  /** Adds somebody to those who are told. Who joins while telling knows the committed value, and is told of the next one. */
  join(add: () => unknown): void {
    if (this.#phase === 'telling') this.#joins.push(add)
    else add()
  }
}
