import * as v from 'valibot'

/** The theme of a mail: an id, null for the project's, false for none. */
export const themeId = () => v.optional(v.nullable(v.union([v.literal(false), v.string()])))

/** The values that a template shows. */
export const variables = () => v.optional(v.record(v.string(), v.unknown()))

/** The fields that the request has: a row has no undefined ones. */
export function given<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never
}
