import type { Signal } from '../core/web-types'
import { Observable } from 'rxjs'
import { unlessAborted, isAuthError, misuse } from '../errors/auth-error'
import { mayAnswer, sessionChanged } from '../session/identity'
import type { Owner } from '../transport/access-token'
import type { Core } from './kit-parts'
import type { View } from './view'
import type { Snapshot } from './snapshot'

/** Options of every read. */
export interface ReadOptions {
  readonly signal?: Signal
}

/**
 * An entity as an observable with a present value.
 *
 * Subscribing emits the value as soon as it is known, then each different value. It errors only if the first load fails
 * before there is a value. Screens bind `snapshot$`, which never errors. A store is an inert handle: it can be kept for
 * ever, and costs something only while it has subscribers or callers. While it is in use, and for five seconds more, a call
 * with the same arguments returns the same object. `for await` reads it where an app was created; with a kit from
 * `createKit`, use `valuesOf(store)`.
 *
 * @example
 * const count = async (teams$: Store<Team[]>) => (await teams$.get({ maxAgeMillis: 60_000 })).length
 * await count(app.teams$)
 */
export interface Store<T> extends Observable<T>, AsyncIterable<T> {
  /** The present state, without a request. */
  readonly snapshot: Snapshot<T>
  readonly snapshot$: Observable<Snapshot<T>>
  /** A value no older than `maxAgeMillis` (default 5000), not stale, of the present identity; otherwise loads. */
  get(options?: ReadOptions & { readonly maxAgeMillis?: number }): Promise<T>
  /** Always loads; the value is no older than this call. */
  refresh(options?: ReadOptions): Promise<T>
  /** A plain callback, for `useSyncExternalStore` and the like; returns unsubscribe. */
  listen(callback: () => void): () => void
}

/** The store. Throws INVALID_INPUT for anything else: an observable, or a function that gives one when it is called. */
export function checkedStore<S>(store: S): S {
  if ('snapshot$' in Object(store)) return store
  throw misuse(
    'store',
    'is no store; pass one, as app.user$ or app.teamMembers$({ teamId }), and subscribe to other observables',
  )
}

const insideKey = '~inside'

/** A store of a kit, for React. */
export type Inside<T> = Store<T> & Pick<KitStore<T>, 'core' | 'hasThrown' | 'isOwned' | 'isSame' | 'retain' | 'view'>

/** A store as its kit knows it; undefined for one of another origin. By a key, as it may be of another copy of the package. */
export function insideOf<T>(store: Store<T>): Inside<T> | undefined {
  return (store as { readonly [insideKey]?: Inside<T> })[insideKey]
}

/** The common part of all stores of a kit, and their internal interface. */
export abstract class KitStore<T> extends Observable<T> implements Store<T> {
  readonly core: Core
  /** Not private, and with the store itself in its scope: Vue's `reactive` reads it through a proxy. */
  readonly toSnapshots$: () => Observable<Snapshot<T>>
  /** Set on the prototype by `makeIterable`. */
  declare readonly [Symbol.asyncIterator]: () => AsyncIterator<T>

  constructor(core: Core) {
    super(subscriber => {
      const view = this.retained(true)
      const isFirst = core.commits.begin()
      try {
        view.emitValues(subscriber, isFirst)
        // No later event would settle this subscription.
        if (view.snapshot.status === 'failed' && this.hasThrown) subscriber.error(view.snapshot.error)
      } finally {
        if (isFirst) core.commits.end()
      }
    })
    this.core = core
    let snapshots$: Observable<Snapshot<T>> | undefined
    this.toSnapshots$ = () =>
      (snapshots$ ??= new Observable(subscriber => {
        const view = this.retained(true)
        const isFirst = core.commits.begin()
        try {
          view.emitSnapshots(subscriber)
        } finally {
          if (isFirst) core.commits.end()
        }
      }))
  }

  get snapshot$(): Observable<Snapshot<T>> {
    return this.toSnapshots$()
  }

  /** The key of its source, without the arguments. */
  abstract readonly name: string
  /** Its name for people. */
  get title(): string {
    return this.name
  }
  abstract readonly snapshot: Snapshot<T>
  abstract get(options?: ReadOptions & { readonly maxAgeMillis?: number }): Promise<T>
  abstract refresh(options?: ReadOptions): Promise<T>

  listen(callback: () => void): () => void {
    return this.retained(true).listen(callback)
  }

  /** Watches until the returned function is called, without requesting a load. */
  retain(): () => void {
    return this.retained(false).listen(() => undefined)
  }

  /** Whether its value depends on the session. */
  abstract readonly isOwned: boolean
  /** Whether a write has started a load of it that has not settled. */
  abstract readonly isAwaited: boolean
  /** Whether code of the app has failed, as it would after any load. */
  abstract readonly hasThrown: boolean
  /** Whether it is a handle of the same store. */
  abstract isSame(other: object): boolean

  /** Derived stores only: adds its members to `into`, and theirs. */
  collect?(into: Set<KitStore<unknown>>): void
  /** Derived stores only: loads members without a good value, except those in `asked`. */
  ask?(asked: Set<KitStore<unknown>>): void

  /** The arguments that it was called with; undefined if it is derived. */
  get args(): object | undefined {
    return undefined
  }

  /** The form for logs and consoles, which never has the value. */
  toJSON(): object {
    const { title: name, args, snapshot } = this
    const { status } = snapshot
    const at = status === 'ready' ? snapshot.fetchedAt : status === 'failed' && snapshot.failedAt
    return { name, ...(args && { args }), status, ...(at && { ageMillis: this.core.clock.now() - +at }) }
  }

  override toString(): string {
    return JSON.stringify(this)
  }

  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON()
  }

  /** Vue's mark of what it does not wrap: a proxy cannot read private members. */
  get __v_skip(): boolean {
    return true
  }

  /** The view of a store that is watched, and for a second after `get()`; absent if the snapshot is computed on access. */
  get view(): { readonly snapshot: Snapshot<T> } | undefined {
    return undefined
  }

  get [insideKey](): this {
    return this
  }

  /** The owner of a new read; undefined if no session owns it, or if the token store cannot be read. */
  protected async owner(signal: AbortSignal | undefined): Promise<Owner | undefined> {
    const { core } = this
    core.assertAlive()
    if (!this.isOwned) return undefined
    const { committedSession, session } = core
    try {
      await (committedSession.held && unlessAborted(committedSession.held, signal))
      const { owner } = await unlessAborted(session.capture(true), signal)
      core.assertAlive()
      return owner
    } catch (error) {
      if (signal?.aborted || isAuthError(error, 'SESSION_CHANGED', 'DISPOSED')) throw error
      // The load reports the error, so that the snapshot shows it too.
      return undefined
    }
  }

  /**
   * Whether the value may be returned for `owner`: not while nothing of the session is shown. Throws SESSION_CHANGED if the
   * session is no longer that of `owner`.
   */
  protected mayShow(owner: Owner | undefined): boolean {
    const { session, committedSession } = this.core
    if (owner && !mayAnswer(owner, session.identity)) throw sessionChanged()
    return !owner || !committedSession.held
  }

  /** Counts a watcher and returns the view, which the caller must join; `asks`: a load starts if the value is not good. */
  protected abstract retained(asks: boolean): View<unknown, T>
}
