import * as v from 'valibot'
import { uuid } from '../model/limits'

/** A theme of a mail: an id, or false for none. That a theme has the id is not checked. */
export const chosenTheme = () => v.union([v.literal(false), uuid()])

/** The same, or null for the project's. */
export const themeId = () => v.optional(v.nullable(chosenTheme()))

/** The values that a template shows. */
export const variables = () => v.optional(v.record(v.string(), v.unknown()))

/** The fields that the request has: a row has no undefined ones. */
export function given<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never
}
