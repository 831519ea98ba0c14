import { fromJson } from '../core/json-form'
import { isRecord } from '../core/values'
import { signOutSession } from '../session/sign-out'
import { coreOf, type Kit } from '../store/kit-parts'
import { argsKey } from '../store/source'
import { callOf, queryOf, writeOf } from './definitions'
import type { InputEventOf } from './events'

/** Inputs that are calls of the app. One of them may make another one, which the kit that plays makes by itself. */
const names = ['watch', 'leave', 'read', 'write', 'token', 'signed in', 'sign out', 'call', 'abort'] as const

type CallInput = InputEventOf<(typeof names)[number]>

export function isCall(event: object): event is CallInput {
  return 'in' in event && (names as readonly unknown[]).includes(event.in)
}

/** The calls of an app, made with a kit that plays. */
export function callsOf(kit: Kit) {
  const { session } = coreOf(kit)
  /** The watchers of each store; one that is about to watch has no `stop` yet. */
  const watching = new Map<string, { stop?: () => void }[]>()
  const signals = new Map<number, AbortController>()
  /** The number of calls that the kit has made by itself, by their texts. */
  const own = new Map<string, number>()
  let making: string | undefined

  const watchersOf = ({ store, input }: Pick<InputEventOf<'leave'>, 'store' | 'input'>) => {
    const place = `${store} ${argsKey(inputIn(input))}`
    const all = watching.get(place) ?? []
    watching.set(place, all)
    return all
  }

  const watch = (event: Pick<InputEventOf<'watch'>, 'store' | 'input' | 'asks'>) => {
    const store = queryOf(event.store)?.(kit, inputIn(event.input))
    if (!store) return
    const all = watchersOf(event)
    const watcher: { stop?: () => void } = {}
    all.push(watcher)
    watcher.stop = event.asks ? store.listen(() => undefined) : store.retain()
    // A subscriber leaves at once what has failed.
    if (!all.includes(watcher)) watcher.stop()
  }

  const leave = (event: InputEventOf<'leave'>) => {
    const all = watchersOf(event)
    const watcher = all.filter(({ stop }) => stop).at(-1) ?? all.at(-1)
    if (!watcher) return
    all.splice(all.indexOf(watcher), 1)
    watcher.stop?.()
  }

  /** A call with a signal takes another number of microtasks than one without. */
  const optionsOf = ({ call }: { readonly call?: number | undefined }): { readonly signal?: AbortSignal } => {
    if (call === undefined) return {}
    const controller = new AbortController()
    signals.set(call, controller)
    return { signal: controller.signal }
  }

  const made = (event: CallInput): unknown => {
    switch (event.in) {
      case 'watch':
        watch(event)
        break
      case 'leave':
        leave(event)
        break
      case 'read': {
        const { maxAgeMillis } = event
        const store = queryOf(event.store)?.(kit, inputIn(event.input))
        const options = optionsOf(event)
        return maxAgeMillis === undefined ? store?.refresh(options) : store?.get({ maxAgeMillis, ...options })
      }
      case 'write': {
        const input = inputIn(event.input)
        const given = [input, optionsOf(event)].filter(each => Object.keys(each).length > 0)
        return writeOf(event.route, input)?.(kit, ...given)
      }
      case 'call': {
        const options = optionsOf(event)
        const given = event.given.map(fromJson)
        // The options are the last of what a call is given.
        const last = options.signal ? [{ ...(given.pop() as object), ...options }] : []
        return callOf(event.name)?.(kit, ...given, ...last)
      }
      case 'token':
        return session.current(event.minMillis, optionsOf(event).signal)
      case 'signed in':
        return event.tokens && session.start(event.tokens)
      case 'sign out':
        return signOutSession(session, () => undefined, event.reason)
      case 'abort':
        signals.get(event.call)?.abort()
    }
    return undefined
  }

  const count = (text: string) => own.get(text) ?? 0
  return {
    watch,
    /** Whether the kit has made this call by itself. */
    isOwn: (event: CallInput) => count(textOf(event)) > 0,
    /** The tap has told of an input. Returns whether it is a call of the kit's own. */
    told(event: object): boolean {
      if (!isCall(event)) return false
      const text = textOf(event)
      const isMade = text === making
      if (isMade) making = undefined
      else own.set(text, count(text) + 1)
      return !isMade
    },
    /** Makes the call, unless the kit has made it by itself. */
    make(event: CallInput): void {
      const text = textOf(event)
      if (count(text) > 0) {
        own.set(text, count(text) - 1)
        return
      }
      making = text
      try {
        ignored(made(event))
      } catch {
        // As the call of the app did.
      }
      making = undefined
    },
  }
}

/** The text by which two calls are the same one. A kit tells of the store itself. */
function textOf(event: object): string {
  const { in: what, of, route, name, tokens: held, ...rest } = event as Readonly<Record<string, unknown>>
  const place = isRecord(of) ? { store: of['name'], input: of['args'] ?? of['input'] } : rest
  const { store, input } = place as Readonly<Record<string, unknown>>
  // A secret of the kit's own is another one here.
  const { totpSecretBase64, ...given } = inputIn(input) as Readonly<Record<string, unknown>>
  return argsKey({ what, store, route, name, held: held ?? null, given })
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
