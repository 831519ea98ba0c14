import type { Place } from './cells'

/**
 * Values of stores, as `dehydrate` writes them for the page that a server renders: JSON with the user to whom they belong.
 *
 * @example
 * const isSignedIn = (state: Dehydrated) => state.identity !== null
 * isSignedIn(await dehydrate(app, [app.user$]))
 */
export interface Dehydrated {
  /** The id of the user. Null: signed out. Empty: not known, since the platform could not be reached. */
  readonly identity: string | null
  /** By the definition and the arguments of each store. */
  readonly cells: Readonly<Record<string, unknown>>
}

/** What a payload has of one cell. */
export interface Entry {
  /** In the form of `toJson`; absent if the first load failed. */
  readonly value?: unknown
  /** The wall time of the server at which it was loaded, or failed. */
  readonly at: number
  readonly error?: { readonly code: string; readonly message?: string; readonly status?: number }
  /** The requirement that the user has yet to meet, by the access token; for values that show it. */
  readonly restriction?: string
}

/** The name of a cell in a payload, the same on server and page. */
export function entryName({ source, key }: Pick<Place, 'source' | 'key'>): string {
  return `${source.key} ${key}`
}
