import type { Signal } from './web-types'

/** A store, by the key of its source and its input. */
interface Named {
  readonly store: string
  readonly input: object
}

/** The tokens of a session, as a token store has them. */
interface HeldTokens {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

/** A call of the app that can be given up. */
interface Abortable {
  readonly signal?: Signal | undefined
}

/** A state of the page. */
export type HostState = 'online' | 'visible' | 'shown'

/** An event from outside the kit, told before the kit acts on it, with its contents as they are. */
export type Input =
  /** Of the request with this number; `error`: there is no whole answer. */
  | { readonly in: 'answer'; readonly id: number; readonly response: Response; readonly text: string }
  | { readonly in: 'answer'; readonly id: number; readonly error: unknown }
  | { readonly in: 'timer'; readonly due: number; readonly millis: number; readonly run: () => void }
  | { readonly in: 'random'; readonly value: number }
  /** Another writer of the token store has stored these tokens, or has emptied it. */
  | { readonly in: 'held'; readonly tokens: HeldTokens | null }
  /** The token store cannot be read. */
  | { readonly in: 'unread' }
  /** The token store holds other tokens than the write expects, and keeps them. */
  | { readonly in: 'kept' }
  | { readonly in: 'message'; readonly message: object }
  /** Told to each subscriber, also when it is as before. */
  | { readonly in: HostState; readonly is: boolean }
  /** `is`: what became of the request for the lock of all tabs. */
  | { readonly in: 'lock'; readonly name: string; readonly is: 'granted' | 'held elsewhere' | 'lost' }
  | ({ readonly in: 'watch'; readonly asks: boolean } & Named)
  | ({ readonly in: 'leave' } & Named)
  /** `maxAgeMillis`: undefined for a refresh. */
  | ({ readonly in: 'read'; readonly maxAgeMillis: number | undefined } & Named & Abortable)
  | ({ readonly in: 'write'; readonly route: string; readonly input: object } & Abortable)
  /** A call for an access token that lives this long. */
  | ({ readonly in: 'token'; readonly minMillis: number } & Abortable)
  /** A sign-in has brought these tokens. */
  | { readonly in: 'signed in'; readonly tokens: HeldTokens }
  | { readonly in: 'sign out' }
  /** A member of an app that is neither a store nor a write of its own. */
  | { readonly in: 'call'; readonly name: string; readonly given: readonly unknown[] }

/** A request when it is sent, or an event of the trace. */
export type Decision =
  | { readonly did: 'send'; readonly id: number; readonly method: string; readonly url: string; readonly body: unknown }
  | { readonly did: 'trace'; readonly event: { readonly type: string } }

/** Tells a listener of all that reaches a kit and of what the kit decides; without one, no event is built. */
export class Tap {
  tell: ((event: Input | Decision) => void) | undefined
  /** The number of requests so far, and of those that are over. */
  sent = 0
  answered = 0
}
