import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { AnyAuthError, AuthErrorOf } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { coreOf, slot } from '../store/kit'
import type { Core, Kit } from '../store/kit'
import { parseNote, tabNote } from '../store/tab-notes'
import type { TabNote } from '../store/tab-notes'
import { isRecord } from '../transport/attempt'
import type { SignedIn } from './signed-in'

/** The sign-in under way, whatever its method. */
export type Flow =
  | { readonly step: 'idle' }
  | { readonly step: 'code-sent'; readonly method: 'magic-link'; readonly email: string }
  | { readonly step: 'second-factor'; readonly error?: AuthErrorOf<'INVALID_TOTP_CODE'> }
  | { readonly step: 'done'; readonly signedIn: SignedIn }
  | { readonly step: 'failed'; readonly error: AnyAuthError }

/** Synchronous, never errors: what a template binds. */
export interface FlowStore extends Observable<Flow> {
  readonly value: Flow
}

/**
 * The sign-in under way in this tab: emits the present step at once, then every other one. A code that was sent and a second
 * factor that is asked for survive a reload; 'done' lasts until the session ends.
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

/** Protocol §13: an attempt code lives so long. Whoever comes back later begins again instead of being refused. */
const attemptMillis = 300_000

/** What a reload must not lose. `nonce` completes six typed characters, `code` a second factor. */
type Note =
  | { readonly step: 'code-sent'; readonly email: string; readonly nonce: string }
  | { readonly step: 'second-factor'; readonly code: string; readonly at: number; readonly returnTo: string | null }

const idle: Flow = { step: 'idle' }

export class SignInFlow {
  readonly flow$: FlowStore

  readonly #core: Core
  readonly #note: TabNote
  readonly #subscribers = new Set<() => void>()
  #flow: Flow | undefined
  /** Who was signed in when it was done. */
  #identity: Identity | undefined

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
    const flow = (this.#flow ??= flowFrom(this.#kept()))
    if (flow.step !== 'done' || this.#identity === this.#core.session.identity) return flow
    return (this.#flow = idle)
  }

  /** The nonce of the code that was sent; undefined if none was, or in another tab. */
  get nonce(): string | undefined {
    const kept = this.#kept()
    return kept?.step === 'code-sent' ? kept.nonce : undefined
  }

  /** What `continueSignIn` continues. */
  get attempt(): { readonly code: string; readonly returnTo: string | null } | undefined {
    const kept = this.#kept()
    return kept?.step === 'second-factor' ? kept : undefined
  }

  codeSent(email: string, nonce: string): void {
    this.#go({ step: 'code-sent', method: 'magic-link', email }, { step: 'code-sent', email, nonce })
  }

  /** `returnTo`: where the first factor was asked to come back to. */
  secondFactor(code: string, returnTo: string | null): void {
    this.#go({ step: 'second-factor' }, { step: 'second-factor', code, at: this.#core.clock.now(), returnTo })
  }

  /** The digits were wrong; the attempt goes on. */
  wrongTotp(error: AuthErrorOf<'INVALID_TOTP_CODE'>): void {
    this.#go({ step: 'second-factor', error }, this.#kept())
  }

  done(signedIn: SignedIn): void {
    this.#identity = this.#core.session.identity
    this.#go({ step: 'done', signedIn }, undefined)
  }

  failed(error: AnyAuthError): void {
    this.#go({ step: 'failed', error }, undefined)
  }

  #go(flow: Flow, note: Note | undefined): void {
    this.#note.write(note ? JSON.stringify(note) : null)
    this.#core.commits.run(`flow: ${flow.step}`, () => {
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
    return noteFrom(parseNote(this.#note.read()), this.#core.clock.now())
  }

  #listen(subscriber: Subscriber<Flow>): void {
    let told: Flow | undefined
    const tell = () => {
      const now = this.value
      if (now === told) return
      told = now
      subscriber.next(now)
    }
    // Its end is the end of a flow that was done.
    this.#core.sessionState.listen(subscriber, tell)
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

function flowFrom(note: Note | undefined): Flow {
  if (!note) return idle
  return note.step === 'code-sent'
    ? { step: 'code-sent', method: 'magic-link', email: note.email }
    : { step: note.step }
}

/** Session storage is anybody's: only what has the right shape counts. */
function noteFrom(read: unknown, now: number): Note | undefined {
  if (!isRecord(read)) return undefined
  const { step, email, nonce, code, at, returnTo } = read
  if (step === 'code-sent' && typeof email === 'string' && typeof nonce === 'string') return { step, email, nonce }
  if (step === 'second-factor' && typeof code === 'string' && typeof at === 'number' && now - at < attemptMillis)
    return { step, code, at, returnTo: typeof returnTo === 'string' ? returnTo : null }
  return undefined
}
