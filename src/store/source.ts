import { asGiven, isRecord } from '../core/values'
import type { Signal } from '../core/web-types'
import type { Shape } from '../core/wire'
import type { Identity } from '../session/identity'
import type { Kit } from './kit'
import type { Owner } from '../transport/access-token'

export interface LoadOptions {
  readonly signal: Signal
  readonly owner: Owner | undefined
  readonly onBackoff: () => void
}

/** A target of invalidation, with or without a store for it. Compared by reference. */
export interface Topic {
  /** Equal in every tab and on the server: access level and route, or the app's own key. */
  readonly key: string
  /** Keys of topics that make this one stale too. */
  readonly follows?: readonly string[] | undefined
}

/** How a store gets its value. */
export interface Source<I = never, O = unknown> extends Topic {
  /** Declared by the app with a loader and a key of its own. */
  readonly isOwn?: true
  /** Its groups: as a topic, a group has the key `~` and its name. */
  readonly partOf?: string | readonly string[] | undefined
  readonly ownedBy: 'app' | 'session'
  /** The value while signed out; only for sources of the session. */
  readonly signedOut: O | undefined
  /** The form of its values; absent for the app's own. */
  readonly returns?: Shape<unknown> | undefined
  /** The input with defaults, as in the cell's key. */
  normalise(input: I): I
  load(kit: Kit, input: I, options: LoadOptions): Promise<O>
  /** The value with additions from the session of `identity`, computed in each commit. */
  readonly shown?: ((value: O, identity: Identity) => O) | undefined
  /** Called with each answer, in the commit that shows it. */
  readonly heard?: ((kit: Kit, value: O) => void) | undefined
  /** Called when a store that belongs to the app gets its first watcher; returns a function to call when the last is gone. */
  readonly retain?: ((kit: Kit) => () => void) | undefined
}

/** The stores of `target` whose arguments include these. */
export interface Narrowed {
  readonly '~narrowed': true
  readonly source: Topic
  readonly args: Readonly<Record<string, unknown>>
}

/** A change of one cached value. It is pure, so that it can be replayed on a newer value. */
export interface Patch {
  readonly '~patch': true
  readonly source: Source
  readonly args: Readonly<Record<string, unknown>>
  readonly change: (value: unknown) => unknown
}

/** Sorted and without undefined values: equal arguments give the same key. */
export function argsKey(input: object): string {
  // A list of names gives their order too, in a third of the time.
  if (Object.values(input).every(value => typeof value !== 'object')) {
    const names = Object.keys(input)
    return JSON.stringify(input, names.length > 1 ? names.sort() : undefined)
  }
  return JSON.stringify(input, function (this: Readonly<Record<string, unknown>>, key, changed: unknown) {
    const value = asGiven.call(this, key, changed)
    return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
  })
}

/** A target that no store of the write's own level shows; stores of a higher level follow it. */
export function topic(key: string): Narrowed {
  return { '~narrowed': true, source: { key }, args: {} }
}

/** Whether the target makes the cell stale: `isNamed` by its definition, or by its group, or because the cell follows it. */
export function isStaleWith(
  { source, input }: { readonly source: Source; readonly input: object },
  target: Pick<Narrowed, 'source' | 'args'>,
  isNamed = source === target.source,
): boolean {
  const { key } = target.source
  if (source.follows?.includes(key)) return true
  return (isNamed || [source.partOf ?? []].flat().some(group => key === `~${group}`)) && includes(input, target.args)
}

export function includes(input: object, args: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(args).every(
    ([name, value]) =>
      value === undefined || argsKey({ value }) === argsKey({ value: (input as Record<string, unknown>)[name] }),
  )
}
