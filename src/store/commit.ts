import type { AnyAuthError } from '../errors/auth-error'
import type { Trace } from '../transport/transport'

/** A cell, a derived store or the session, whose state changes in commits. */
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
 * Commits of a kit, in two phases: all members compute their new state, then all watchers are told. Commits requested
 * meanwhile wait until both have ended, so that all watchers see the same commits in the same order.
 */
export class Commits {
  /** Members computed from others, after them, in every commit. */
  readonly dependents = new Set<Dependent>()
  /** Numbers the passes over dependents. Nothing changes during a pass, so each dependent is computed once. */
  passes = 0

  /** Listeners and subscribers that have come while others were told. */
  readonly joining: { join(): unknown }[] = []

  readonly #trace: Trace
  readonly #dirty = new Set<Participant>()
  readonly #queue: (() => void)[] = []
  #isDraining = false
  #phase: 'idle' | 'changing' | 'taking' | 'telling' = 'idle'
  #isLooking = false

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** Whether others are being told, or are about to be. */
  get isPublishing(): boolean {
    return this.#phase === 'telling' || this.#phase === 'taking'
  }

  /** Whether watchers are being told of a commit whose members all have their new state. */
  get isTelling(): boolean {
    return this.#phase === 'telling'
  }

  /** Commits everything that `change` touches; a commit requested inside `change` is part of it. */
  run(cause: string, change: () => void): void {
    if (this.#phase === 'changing') change()
    else if (this.#phase !== 'idle')
      this.#queue.push(() => {
        this.run(cause, change)
      })
    else {
      this.#phase = 'changing'
      try {
        change()
      } finally {
        this.#finish(cause)
      }
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

  /** Called before code of the app runs: commits that it requests wait. False: one is open, so they wait already. */
  begin(): boolean {
    // Also inside a change: code of the app runs there too (followIdentity), and the change goes on after it.
    const isFirst = this.#phase === 'idle'
    if (isFirst) this.#phase = 'telling'
    return isFirst
  }

  /** Adds the subscribers and listeners that came during a notification. */
  join(): void {
    for (const one of this.joining.splice(0)) one.join()
  }

  /** Runs `run` in the present pass, or in a new one. */
  look<T>(run: () => T): T {
    return this.#isLooking ? run() : this.#lookAnew(run)
  }

  #lookAnew<T>(run: () => T): T {
    const wasLooking = this.#isLooking
    this.#isLooking = true
    this.passes++
    try {
      return run()
    } finally {
      this.#isLooking = wasLooking
    }
  }

  #finish(cause: string): void {
    // Before computing, which may run code of the app too.
    this.#phase = 'taking'
    try {
      const dependents = [...this.dependents]
      const taken = [...this.#dirty].filter(member => member.take())
      // A pass of its own, also for a commit that a computation requests: that computation's reads are out of date.
      const changed = [...taken, ...this.#lookAnew(() => dependents.filter(member => member.take()))]
      this.#dirty.clear()
      this.#phase = 'telling'
      if (changed.length > 0)
        this.#trace.emit(() => ({ type: 'commit', cause, stores: changed.map(member => member.name) }))
      for (const member of changed) member.tell()
    } finally {
      this.#dirty.clear()
      this.end()
    }
  }

  /** Ends what the outermost `begin` started. In a loop, not nested, so that a long chain of commits does not grow the stack. */
  end(): void {
    // Mostly empty: a subscription has to be cheap.
    if (this.joining.length > 0) this.join()
    this.#phase = 'idle'
    if (this.#isDraining) return
    this.#isDraining = true
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next()
    } finally {
      this.#isDraining = false
    }
  }
}
