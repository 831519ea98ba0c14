import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { isRecord } from '../core/is-record'
import type { AnyAuthError, AuthErrorOf } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { coreOf, slot } from '../store/core'
import type { Core } from '../store/core'
import type { Kit } from '../store/kit'
import { parseNote, tabNote } from '../store/tab-notes'
import type { TabNote } from '../store/tab-notes'
import type { SignedIn } from './signed-in'

/**
 * The sign-in in progress, by any method.
 *
 * @example
 * const isBusy = (flow: Flow) => flow.status === 'code-sent' || flow.status === 'second-factor'
 */
export type Flow =
  | { readonly status: 'idle' }
  | { readonly status: 'code-sent'; readonly method: 'magic-link'; readonly email: string }
  | { readonly status: 'second-factor'; readonly error?: AuthErrorOf<'INVALID_TOTP_CODE'> }
  | { readonly status: 'done'; readonly signedIn: SignedIn }
  | { readonly status: 'failed'; readonly error: AnyAuthError }

/**
 * Synchronous and without errors, for templates.
 *
 * @example
 * const status = (flow$: FlowStore) => flow$.value.status
 * status(app.flow$)
 */
export interface FlowStore extends Observable<Flow> {
  readonly value: Flow
}

/**
 * The sign-in in progress in this tab: emits the present state at once, then each later one. A sent code and a required
 * second factor survive a reload; 'done' lasts until the session ends.
 *
 * While a mailed code is awaited, failures of other methods leave the flow at 'code-sent'; they are reported in their own
 * results.
 *
 * @example
 * app.flow$.subscribe(flow => {
 *   if (flow.status === 'second-factor') void app.redirectToMfa()
 * })
 */
export function flow$(kit: Kit<never>): FlowStore {
  return flowOf(kit).flow$
}

const flowKey = {}

/** The flow of a kit. */
export function flowOf(kit: Kit<never>): SignInFlow {
  return slot(kit, flowKey, () => new SignInFlow(coreOf(kit), tabNote(kit, flowName)))
}

const flowName = { of: 'flow' }

/** The lifetime of an attempt code. After it, the sign-in starts again instead of being refused. */
const attemptMillis = 300_000

/**
 * State that survives a reload. `nonce` completes six typed characters, `code` a second factor. `by`: the user signed in
 * when the mail was requested; undefined if unknown.
 */
type Note =
  | {
      readonly status: 'code-sent'
      readonly email: string
      readonly nonce: string
      readonly by?: string | null | undefined
    }
  | { readonly status: 'second-factor'; readonly code: string; readonly at: number; readonly returnTo: string | null }

const idle: Flow = { status: 'idle' }

/** The order of sign-ins in this flow. */
export interface Turn {
  readonly order: number
  /** The number done before. */
  readonly done: number
}

export class SignInFlow {
  readonly flow$: FlowStore

  readonly #core: Core
  readonly #note: TabNote
  readonly #subscribers = new Set<() => void>()
  #flow: Flow | undefined
  /** The identity when it was done. */
  #identity: Identity | undefined
  #begun = 0
  #shown = 0
  #done = 0

  constructor(core: Core, note: TabNote) {
    this.#core = core
    this.#note = note
    this.flow$ = new FlowStates(
      () => this.value,
      subscriber => {
        this.#listen(subscriber)
      },
    )
  }

  get value(): Flow {
    const flow = (this.#flow ??= flowFrom(this.#kept(), this.#core.clock.now()))
    const { identity } = this.#core.session
    if (flow.status === 'done' && this.#identity !== identity) return (this.#flow = idle)
    if (flow.status !== 'code-sent' || !isSomebodyElse(identity, this.#kept())) return flow
    // The link was opened in another tab. After a sign-out, the code is no longer awaited.
    this.#note.write(null)
    return (this.#flow = idle)
  }

  /** The nonce of the sent code; undefined if none was sent in this tab. */
  get nonce(): string | undefined {
    const kept = this.#kept()
    return kept?.status === 'code-sent' ? kept.nonce : undefined
  }

  /** The attempt for `continueSignIn`. On a page that is still open, the platform reports its end. */
  get attempt(): { readonly code: string; readonly returnTo: string | null } | undefined {
    if (this.value.status !== 'second-factor') return undefined
    const kept = this.#kept()
    return kept?.status === 'second-factor' ? kept : undefined
  }

  /** Starts a sign-in. Its outcome is dropped if a later one has been shown, unless it is done. */
  begin(): Turn {
    return { order: ++this.#begun, done: this.#done }
  }

  codeSent(turn: Turn, email: string, nonce: string): void {
    const { kind, userId } = this.#core.session.identity
    const by = kind === 'signed-out' ? null : (userId ?? undefined)
    this.#go(turn, { status: 'code-sent', method: 'magic-link', email }, { status: 'code-sent', email, nonce, by })
  }

  /** `returnTo`: the return address of the first factor. */
  secondFactor(turn: Turn, code: string, returnTo: string | null): void {
    this.#go(turn, { status: 'second-factor' }, { status: 'second-factor', code, at: this.#core.clock.now(), returnTo })
  }

  /** Wrong digits; the attempt continues. */
  wrongTotp(turn: Turn, error: AuthErrorOf<'INVALID_TOTP_CODE'>): void {
    this.#go(turn, { status: 'second-factor', error }, this.#kept())
  }

  done(turn: Turn, signedIn: SignedIn): void {
    this.#done++
    this.#identity = this.#core.session.identity
    this.#go({ ...turn, done: this.#done }, { status: 'done', signedIn }, undefined)
  }

  /** `code`: the mailed code that was refused. Refusals of other codes do not end the wait for that of the last mail. */
  failed(turn: Turn, error: AnyAuthError, code?: string): void {
    const { nonce } = this
    if (nonce === undefined || code?.endsWith(nonce)) this.#go(turn, { status: 'failed', error }, undefined)
  }

  #go({ order, done }: Turn, flow: Flow, note: Note | undefined): void {
    if (done !== this.#done || (flow.status !== 'done' && order < this.#shown)) return
    this.#shown = Math.max(order, this.#shown)
    this.#note.write(note ? JSON.stringify(note) : null)
    this.#core.commits.run(`flow: ${flow.status}`, () => {
      this.#flow = flow
      this.#core.commits.touch({
        name: 'flow',
        take: () => true,
        tell: () => {
          for (const tell of this.#subscribers) tell()
        },
      })
    })
  }

  #kept(): Note | undefined {
    return noteFrom(parseNote(this.#note.read()))
  }

  #listen(subscriber: Subscriber<Flow>): void {
    let told: Flow | undefined
    const tell = () => {
      const now = this.value
      if (now === told) return
      told = now
      subscriber.next(now)
    }
    // The end of the session ends a flow that was done.
    this.#core.committedSession.listen(subscriber, tell)
    this.#core.commits.join(() => {
      if (!subscriber.closed) this.#subscribers.add(tell)
    })
    subscriber.add(() => this.#subscribers.delete(tell))
    tell()
  }
}

class FlowStates extends Observable<Flow> implements FlowStore {
  readonly #read: () => Flow

  constructor(read: () => Flow, listen: (subscriber: Subscriber<Flow>) => void) {
    super(listen)
    this.#read = read
  }

  get value(): Flow {
    return this.#read()
  }
}

function flowFrom(note: Note | undefined, now: number): Flow {
  if (note?.status === 'code-sent') return { status: 'code-sent', method: 'magic-link', email: note.email }
  return note && now - note.at < attemptMillis ? { status: note.status } : idle
}

/** Whether a session of another user has started since the mail was requested. */
function isSomebodyElse({ kind, userId }: Identity, note: Note | undefined): boolean {
  if (note?.status !== 'code-sent' || note.by === undefined) return false
  return kind === 'user' && userId !== null && userId !== note.by
}

/** Any code of the origin can write session storage: only notes of the right shape count. */
function noteFrom(read: unknown): Note | undefined {
  if (!isRecord(read)) return undefined
  const { status, email, nonce, code, at, returnTo, by } = read
  if (status === 'code-sent' && typeof email === 'string' && typeof nonce === 'string')
    return { status, email, nonce, by: by === null || typeof by === 'string' ? by : undefined }
  if (status === 'second-factor' && typeof code === 'string' && typeof at === 'number')
    return { status, code, at, returnTo: typeof returnTo === 'string' ? returnTo : null }
  return undefined
}
