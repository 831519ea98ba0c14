import { fromJson } from '../core/json-form'
import { isRecord } from '../core/values'
import { signOutSession } from '../session/sign-out'
import type { TokenSession } from '../session/token-session'
import type { Kit } from '../store/kit'
import { argsKey } from '../store/source'
import type { InputEvent, InputEventOf } from './checked'
import { callOf, queryOf, writeOf } from './definitions'
import { restored } from './restored'

/** Inputs that are calls of the app. One of them may make another one, which the kit that plays makes by itself. */
const names = ['watch', 'leave', 'read', 'write', 'token', 'signed in', 'sign out', 'call', 'abort'] as const

type CallInput = Extract<InputEvent, { readonly in: (typeof names)[number] }>

export function isCall(event: object): event is CallInput {
  return 'in' in event && (names as readonly unknown[]).includes(event.in)
}

/** The calls of an app, made with a kit that plays. */
export class Calls {
  readonly #kit: Kit
  readonly #session: TokenSession
  /** Access tokens by their names. */
  readonly #tokens: ReadonlyMap<string, string>
  readonly #watching = new Map<string, (() => void)[]>()
  readonly #signals = new Map<number, AbortController>()
  /** Calls that the kit has made by itself, by their texts. */
  readonly #own = new Map<string, number>()
  #making: string | undefined
  /** The places of stores that are about to be watched. */
  readonly #opening: string[] = []

  constructor(kit: Kit, session: TokenSession, tokens: ReadonlyMap<string, string>) {
    this.#kit = kit
    this.#session = session
    this.#tokens = tokens
  }

  /** Whether the kit has made this call by itself. */
  isOwn(event: CallInput): boolean {
    return (this.#own.get(this.#textOf(event)) ?? 0) > 0
  }

  /** The tap has told of an input. Returns whether it is a call of the kit's own. */
  told(event: object): boolean {
    if (!isCall(event)) return false
    const text = this.#textOf(event)
    const isMade = text === this.#making
    if (isMade) this.#making = undefined
    else this.#own.set(text, (this.#own.get(text) ?? 0) + 1)
    return !isMade
  }

  /** Makes the call, unless the kit has made it by itself. */
  make(event: CallInput): void {
    const text = this.#textOf(event)
    if (this.isOwn(event)) {
      this.#own.set(text, (this.#own.get(text) ?? 0) - 1)
      return
    }
    this.#making = text
    try {
      ignored(this.#made(event))
    } catch {
      // As the call of the app did.
    }
    this.#making = undefined
  }

  watch(event: Pick<InputEventOf<'watch'>, 'store' | 'input' | 'asks'>): void {
    const store = queryOf(event.store)?.(this.#kit, inputIn(event.input))
    if (!store) return
    const place = placeOf(event)
    this.#opening.push(place)
    const stop = event.asks ? store.listen(() => undefined) : store.retain()
    // A subscriber leaves at once what has failed.
    if (this.#opened(place)) this.#watching.set(place, [...(this.#watching.get(place) ?? []), stop])
    else stop()
  }

  /** Whether the store was about to be watched, which it is no more. */
  #opened(place: string): boolean {
    const at = this.#opening.lastIndexOf(place)
    return at >= 0 && this.#opening.splice(at, 1).length > 0
  }

  #leave(place: string): void {
    const stop = this.#watching.get(place)?.pop()
    if (stop) stop()
    else this.#opened(place)
  }

  #made(event: CallInput): unknown {
    switch (event.in) {
      case 'watch':
        this.watch(event)
        return undefined
      case 'leave':
        this.#leave(placeOf(event))
        return undefined
      case 'read': {
        const { maxAgeMillis } = event
        const store = queryOf(event.store)?.(this.#kit, inputIn(event.input))
        const options = this.#options(event.call)
        return maxAgeMillis === undefined ? store?.refresh(options) : store?.get({ maxAgeMillis, ...options })
      }
      case 'write': {
        const input = inputIn(event.input)
        const options = this.#options(event.call)
        const given = [...(Object.keys(input).length > 0 ? [input] : []), ...(options.signal ? [options] : [])]
        return writeOf(event.route, input)?.(this.#kit, ...given)
      }
      case 'call': {
        const { signal } = this.#options(event.call)
        const given: unknown[] = event.given.map(each => fromJson(restored(each, this.#tokens)))
        // The options are the last of what a call is given.
        const last = signal ? [{ ...(given.pop() as object), signal }] : []
        return callOf(event.name)?.(this.#kit, ...given, ...last)
      }
      case 'token':
        return this.#session.current(event.minMillis, this.#options(event.call).signal)
      case 'signed in':
        return event.tokens && this.#session.start(restored(event.tokens, this.#tokens))
      case 'sign out':
        return signOutSession(this.#session, () => undefined, event.reason)
      case 'abort':
        this.#signals.get(event.call)?.abort()
        return undefined
    }
  }

  /** The text by which two calls are the same one. A kit tells of the store itself, and of tokens as they are. */
  #textOf(event: object): string {
    const { in: what, of, route, name, tokens, ...rest } = event as Readonly<Record<string, unknown>>
    const place = isRecord(of) ? { store: of['name'], input: of['args'] ?? of['input'] } : rest
    const { store, input } = place as Readonly<Record<string, unknown>>
    const held = restored(tokens ?? null, this.#tokens)
    // A secret of the kit's own is another one here.
    const { totpSecretBase64, ...given } = inputIn(input) as Readonly<Record<string, unknown>>
    return argsKey({ what, store, route, name, held, given })
  }

  /** A call with a signal takes another number of microtasks than one without. */
  #options(call: number | undefined): { readonly signal?: AbortSignal } {
    if (call === undefined) return {}
    const controller = new AbortController()
    this.#signals.set(call, controller)
    return { signal: controller.signal }
  }
}

/** Development mode warns of a result that is not read. */
export function ignored(returned: unknown): void {
  Promise.resolve(returned).then(
    result => isRecord(result) && result['ok'],
    () => undefined,
  )
}

/** The input of a store or a write; an empty one for what is none. */
export function inputIn(input: unknown): object {
  const value = fromJson(input)
  return isRecord(value) ? value : {}
}

function placeOf({ store, input }: { readonly store: string; readonly input: unknown }): string {
  return `${store} ${argsKey(inputIn(input))}`
}
