import type { AnyAuthError } from '../errors/auth-error'
import type { Trace } from '../transport/trace'

/** Something with a state that commits change. */
export interface Participant {
  readonly name: string
  /** Computes the new state; false: it is unchanged. */
  take(): boolean
  tell(): void
}

/** A member that is computed from others. */
export interface Dependent extends Participant {
  readonly watchers: { readonly count: number }
  /** For the disposal of the kit. */
  dispose(error: AnyAuthError): void
}

/**
 * Commits of a kit, in two phases: all members compute their new state, then all subscribers are notified. Commits requested
 * during notification wait until it ends, so that all subscribers see the same commits in the same order.
 */
export class Commits {
  /** Members computed from others, after them, in every commit. */
  readonly dependents = new Set<Dependent>()
  /** Numbers the passes over dependents. Nothing changes during a pass, so each dependent is computed once. */
  looks = 0

  readonly #trace: Trace
  readonly #dirty = new Set<Participant>()
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

  /** Whether subscribers are being notified of a commit whose members all have their new state. */
  get stands(): boolean {
    return this.isTelling && !this.#isTaking
  }

  /** Commits everything that `change` touches; a commit requested inside `change` is part of it. */
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

  /** Runs after the notifications of the present commit, or at once if there is none. */
  after(run: () => void): void {
    if (this.#phase === 'idle') run()
    else this.#queue.push(run)
  }

  /** Marks a member to be computed in the present commit. */
  touch(member: Participant): void {
    this.#dirty.add(member)
  }

  /** Subscribers are about to be called, during which requested commits wait. Returns whether a commit is under way. */
  begin(): boolean {
    // Also inside a change: code of the app runs there too (followIdentity), and the change goes on after it.
    const isNested = this.#phase !== 'idle'
    if (!isNested) this.#phase = 'telling'
    return isNested
  }

  /** Ends what the outermost `begin` started. */
  end(): void {
    // Mostly empty: a subscription has to be cheap.
    if (this.#joins.length > 0) for (const join of this.#joins.splice(0)) join()
    this.#phase = 'idle'
    if (this.#queue.length > 0) this.#drain()
  }

  #tell(cause: string): void {
    // Before computing, which may run code of the app too.
    this.#phase = 'telling'
    try {
      const changed = this.#take()
      if (changed.length === 0) return
      this.#trace.emit(() => ({ type: 'commit', cause, stores: changed.map(member => member.name) }))
      for (const member of changed) member.tell()
    } finally {
      this.end()
    }
  }

  /** Runs `run` in the present pass, or in a new one. */
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

  /** The members with a new state. */
  #take(): readonly Participant[] {
    this.#isTaking = true
    try {
      const dependents = [...this.dependents]
      const changed = [...this.#dirty].filter(member => member.take())
      // A pass of its own, also for a commit that a computation requests: that computation's reads are out of date.
      return [...changed, ...this.#lookAnew(() => dependents.filter(member => member.take()))]
    } finally {
      this.#dirty.clear()
      this.#isTaking = false
    }
  }

  /** In a loop, not nested, so that a long chain of commits does not grow the stack. */
  #drain(): void {
    if (this.#draining) return
    this.#draining = true
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next()
    } finally {
      this.#draining = false
    }
  }

  /** Adds a subscriber. During notification this waits: the subscriber has the committed value, and gets the next one. */
  join(add: () => unknown): void {
    if (this.#phase === 'telling') this.#joins.push(add)
    else add()
  }
}
