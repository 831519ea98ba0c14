import type { Subscriber } from 'rxjs'
import { isRecord } from '../core/values'
import { Listeners } from '../core/listeners'
import type { AuthErrorOf } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import type { Owner } from '../transport/access-token'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import { KitState, type State } from '../store/read/state'
import { parseNote } from '../store/tabs/tab-notes'
import { signInsOf, type Flow, type FlowNote, type SignInOutcome, type SignIns, type Turn } from './sign-ins'

/** The type of `flow$`. */
export type Flow$ = State<Flow>

/**
 * The sign-in in progress in this tab: emits the present step at once, then each later one. A sent code and a required
 * second factor survive a reload; 'done' lasts until the session ends.
 *
 * While a mailed code is awaited, failures of other methods leave the flow at 'code-sent'; they are reported in their own
 * results.
 *
 * @example
 * app.flow$.subscribe(flow => {
 *   if (flow.status === 'second-factor') void app.redirectTo('mfa')
 * })
 */
export function flow$(kit: Kit<never>): Flow$ {
  return flowOf(kit).flow$
}

const flowKey = {}

export function flowOf(kit: Kit<never>): SignInFlow {
  return slot(kit, flowKey, () => new SignInFlow(coreOf(kit), signInsOf(kit)))
}

/** The lifetime of an attempt code. After it, the sign-in starts again instead of being refused. */
const attemptMillis = 300_000

const idle: Flow = { status: 'idle' }

export class SignInFlow {
  readonly flow$: Flow$

  readonly #core: Core
  readonly #signIns: SignIns
  readonly #shown: Listeners<[]>
  #flow: Flow | undefined
  /** The owner of the session at its last step. */
  #owner: Owner | undefined

  constructor(core: Core, signIns: SignIns) {
    this.#core = core
    this.#signIns = signIns
    this.#shown = new Listeners(core.onUnhandled)
    if (signIns.last) this.#set(signIns.last)
    signIns.outcomes.add(outcome => {
      core.commits.run(`flow: ${outcome.flow.status}`, () => {
        this.#set(outcome)
        core.commits.touch({
          name: 'flow',
          take: () => true,
          tell: () => {
            this.#shown.tell()
          },
        })
      })
    })
    this.flow$ = new KitState(
      () => this.value,
      (subscriber, callback) => {
        this.#follow(subscriber, callback)
      },
    )
  }

  get value(): Flow {
    const flow = (this.#flow ??= flowFrom(this.#kept(), this.#core.clock))
    const { identity } = this.#core.session
    if (flow.status === 'done' && this.#owner !== identity.owner) return (this.#flow = idle)
    if (flow.status !== 'code-sent' || !isSomebodyElse(identity, this.#kept())) return flow
    // The link was opened in another tab; or the user has signed out, whose address the next one must not see.
    this.#signIns.note.write(null)
    return (this.#flow = idle)
  }

  /** The attempt for `continueSignIn`. On a page that is still open, the platform reports its end. */
  get attempt():
    | { readonly code: string; readonly returnTo: string | null; readonly method?: string | undefined }
    | undefined {
    if (this.value.status !== 'second-factor') return undefined
    const kept = this.#kept()
    return kept?.status === 'second-factor' ? kept : undefined
  }

  codeSent(turn: Turn, email: string, nonce: string): void {
    const { kind, userId } = this.#core.session.identity
    const by = kind === 'signed-out' ? null : (userId ?? undefined)
    const note: FlowNote = { status: 'code-sent', email, nonce, by }
    this.#signIns.end(turn, { status: 'code-sent', method: 'magic-link', email }, note)
  }

  /** Wrong digits; the attempt continues. */
  wrongTotp(turn: Turn, error: AuthErrorOf<'INVALID_TOTP_CODE'>): void {
    this.#signIns.end(turn, { status: 'second-factor', error }, this.#kept())
  }

  #set({ flow, owner }: SignInOutcome): void {
    this.#flow = flow
    this.#owner = owner
  }

  #kept(): FlowNote | undefined {
    return noteFrom(parseNote(this.#signIns.note.read()))
  }

  #follow(subscriber: Subscriber<Flow>, callback: () => void): void {
    // The end of the session ends a flow that was done.
    this.#core.committedSession.listen(subscriber, callback)
    subscriber.add(this.#shown.add(callback))
  }
}

/** Without a note it reads no time, which Next.js forbids where it builds a page. */
function flowFrom(note: FlowNote | undefined, clock: Core['clock']): Flow {
  if (note?.status === 'code-sent') return { status: 'code-sent', method: 'magic-link', email: note.email }
  return note && clock.now() - note.at < attemptMillis ? { status: note.status } : idle
}

/** Whether, since the mail was requested, a session of another user has started, or that of its user has ended. */
function isSomebodyElse({ kind, userId }: Identity, note: FlowNote | undefined): boolean {
  if (note?.status !== 'code-sent' || note.by === undefined) return false
  return kind === 'signed-out' ? note.by !== null : kind === 'user' && userId !== null && userId !== note.by
}

/** Any code of the origin can write session storage: only notes of the right shape count. */
function noteFrom(read: unknown): FlowNote | undefined {
  if (!isRecord(read)) return undefined
  const { status, email, nonce, code, at, returnTo, by, method } = read
  if (status === 'code-sent' && typeof email === 'string' && typeof nonce === 'string')
    return { status, email, nonce, by: by === null || typeof by === 'string' ? by : undefined }
  if (status === 'second-factor' && typeof code === 'string' && typeof at === 'number')
    return {
      status,
      code,
      at,
      returnTo: typeof returnTo === 'string' ? returnTo : null,
      method: typeof method === 'string' ? method : undefined,
    }
  return undefined
}
