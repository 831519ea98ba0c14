import { jsonText } from '../core/values'
import { Listeners } from '../core/listeners'
import type { AnyAuthError, AuthErrorOf } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import type { Owner } from '../transport/access-token'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import { tabNote, type TabNote } from '../store/tabs/tab-notes'
import type { SignedIn } from './answers'

/** The sign-in in progress, by any method. */
export type Flow =
  | { readonly status: 'idle' }
  | { readonly status: 'code-sent'; readonly method: 'magic-link'; readonly email: string }
  | { readonly status: 'second-factor'; readonly error?: AuthErrorOf<'INVALID_TOTP_CODE'> }
  | { readonly status: 'done'; readonly signedIn: SignedIn }
  | { readonly status: 'failed'; readonly error: AnyAuthError }

/**
 * State that survives a reload. `nonce` completes six typed characters, `code` a second factor. `by`: the user signed in
 * when the mail was requested; undefined if unknown. `method`: that of the first factor.
 */
export type FlowNote =
  | {
      readonly status: 'code-sent'
      readonly email: string
      readonly nonce: string
      readonly by?: string | null | undefined
    }
  | {
      readonly status: 'second-factor'
      readonly code: string
      readonly at: number
      readonly returnTo: string | null
      readonly method?: string | undefined
    }

/** The position of a sign-in in its kit: a later one wins. */
export interface Turn {
  readonly order: number
  /** The number of sign-ins that were done before this one began. */
  readonly done: number
  /** The method of the first factor; undefined if it is not to be remembered. */
  readonly method: string | undefined
}

/** The state that a sign-in has reached, and whose session it was then. */
export interface SignInOutcome {
  readonly flow: Flow
  readonly owner: Owner
}

const signInsKey = {}

export function signInsOf(kit: Kit<never>): SignIns {
  return slot(kit, signInsKey, () => new SignIns(coreOf(kit), tabNote(kit, { of: 'flow' })))
}

/**
 * The sign-ins of a kit, without the flow that shows them: an app that never reads `flow$` does not contain it, and yet a
 * second factor is remembered for the next page.
 */
export class SignIns {
  /** The text of a `FlowNote`. */
  readonly note: TabNote
  last: SignInOutcome | undefined
  /** Told the method of each sign-in that is done, before its outcome. */
  readonly methods: Listeners<[method: string]>
  readonly outcomes: Listeners<[outcome: SignInOutcome]>

  readonly #session: { readonly identity: Identity }
  #begun = 0
  #shown = 0
  #done = 0

  constructor({ session, onUnhandled }: Pick<Core, 'session' | 'onUnhandled'>, note: TabNote) {
    this.#session = session
    this.note = note
    this.methods = new Listeners(onUnhandled)
    this.outcomes = new Listeners(onUnhandled)
  }

  /** The nonce of the code that was sent last; undefined if none was sent in this tab. */
  get nonce(): string | undefined {
    return /"nonce":"([^"]+)"/.exec(this.note.read() ?? '')?.[1]
  }

  begin(method?: string): Turn {
    return { order: ++this.#begun, done: this.#done, method }
  }

  /**
   * Drops an outcome if a later sign-in's is known, unless this one is done. `code`: the mailed code that was refused; other
   * refusals do not end the wait for the code of the last mail.
   */
  end({ order, done, method }: Turn, flow: Flow, note?: FlowNote, code?: string): void {
    const { nonce } = this
    if (flow.status === 'done') {
      this.#done++
      if (method !== undefined) this.methods.tell(method)
    } else if (done !== this.#done || order < this.#shown) return
    else if (flow.status === 'failed' && nonce !== undefined && !code?.endsWith(nonce)) return
    // A sign-in that is done may end after a later one, and drops all that have begun before it.
    this.#shown = order
    this.note.write(note ? jsonText(note) : null)
    this.last = { flow, owner: this.#session.identity.owner }
    this.outcomes.tell(this.last)
  }
}
