import type { Signal } from './web-types'

/** The tokens of a session, as a token store has them. */
interface HeldTokens {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

/** A call of the app that can be given up. */
interface Abortable {
  readonly signal?: Signal | undefined
}

/** A store, or its cell: the key of its source, and its input. */
export type StoreRef = { readonly name: string } & ({ readonly args: object } | { readonly input: object })

/** An event from outside the kit, told before the kit acts on it, with its contents as they are. */
export type Input =
  /** The answer to the request with this number; `error`: there is no whole answer. */
  | { readonly in: 'answer'; readonly id: number; readonly response: Response; readonly text: string }
  | { readonly in: 'answer'; readonly id: number; readonly error: unknown }
  | { readonly in: 'timer'; readonly due: number; readonly millis: number; readonly run: () => void }
  | { readonly in: 'random'; readonly value: number }
  /** The token store has these tokens, at each read. */
  | { readonly in: 'held'; readonly tokens: HeldTokens | null }
  /** The token store cannot be read. */
  | { readonly in: 'unread' }
  /** Whether the token store holds other tokens than a write expects, and keeps them. */
  | { readonly in: 'kept'; readonly is: boolean }
  | { readonly in: 'message'; readonly message: object }
  /** The lock of all tabs; null: another tab has it; undefined: it is lost. */
  | { readonly in: 'lock'; readonly name: string; readonly lock?: object | null }
  | { readonly in: 'watch'; readonly of: StoreRef; readonly asks: boolean }
  | { readonly in: 'leave'; readonly of: StoreRef }
  /** `maxAgeMillis`: undefined for a refresh. */
  | ({ readonly in: 'read'; readonly of: StoreRef; readonly maxAgeMillis: number | undefined } & Abortable)
  | ({ readonly in: 'write'; readonly route: string; readonly input: object } & Abortable)
  /** A call for an access token that lives this long. */
  | ({ readonly in: 'token'; readonly minMillis: number } & Abortable)
  /** A sign-in has brought these tokens. */
  | { readonly in: 'signed in'; readonly tokens: HeldTokens }
  | { readonly in: 'sign out'; readonly reason: string }
  /** A member of an app that is neither a store nor a write of its own, or a step of it that a device or another page begins. */
  | { readonly in: 'call'; readonly name: string; readonly given: readonly unknown[] }
  /** The outcome of the work outside the kit with this number. */
  | { readonly in: 'came'; readonly id: number; readonly value?: unknown; readonly error?: unknown }

/** A request when it is sent, a message to other tabs, the way to a provider of a sign-in, or an event of the trace. */
export type KitDecision =
  | { readonly id: number; readonly url: string; readonly init: RequestInit }
  | { readonly type: 'post'; readonly message: object }
  | { readonly type: 'oauth'; readonly provider: string; readonly isLink: boolean }
  | { readonly type: 'commit'; readonly cause: string; readonly stores: readonly string[] }
  | { readonly type: string }

/** Tells a listener of all that reaches a kit and of what the kit decides; without one, no event is built. */
export interface Tap {
  tell?: ((event: Input | KitDecision) => void) | undefined
  /** The recordings that `tell` tells. */
  listeners?: Set<(event: Input | KitDecision) => void>
  /** The number of requests and works so far, and of those that are over. */
  sent: number
  answered: number
  /** The number of works outside the kit so far. */
  begun?: number
  /** Gives what came in a recording in place of the work. */
  instead?: ((id: number) => Promise<unknown>) | undefined
}

/**
 * The outcome of work outside the kit that takes its own time, such as that of a device or of the browser's cryptography. `mayWait`: it
 * may wait for ever, so that the kit is at rest meanwhile.
 */
export async function fromOutside<T>(tap: Tap, work: () => Promise<T>, mayWait = false): Promise<T> {
  const id = (tap.begun = (tap.begun ?? 0) + 1)
  if (!mayWait) tap.sent++
  try {
    // A recording has a value of the same kind.
    const value = await ((tap.instead?.(id) as Promise<T> | undefined) ?? work())
    tap.tell?.({ in: 'came', id, value })
    return value
  } catch (error) {
    tap.tell?.({ in: 'came', id, error })
    throw error
  } finally {
    if (!mayWait) tap.answered++
  }
}
