/** Whether a value of unknown origin is an object, neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that are not undefined. */
export function presentIn<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** The result of `run`, or undefined if it throws. */
export function orUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Parsed JSON of any writer, or undefined if it is invalid. */
export function parseJson(text: string): unknown {
  return orUndefined(() => JSON.parse(text) as unknown)
}

/** The value as JSON, whatever old libraries have added to the prototypes of arrays, objects and texts (`toJSON`). */
export function jsonText(value: unknown): string {
  const isChanged = [[], {}, '', 0, true].some(each => 'toJSON' in Object(each))
  return JSON.stringify(value, isChanged ? asGiven : undefined)
}

/** The second argument of `JSON.stringify`, which calls it after `toJSON`, on the object that has the value. */
export function asGiven(this: Readonly<Record<string, unknown>>, key: string, changed: unknown): unknown {
  const value = this[key]
  // A Date, and other classes, have one of their own; that of bigints is the app's.
  const isOwn = isRecord(value) && value['toJSON'] !== ({} as Readonly<Record<string, unknown>>)['toJSON']
  return isOwn || typeof value === 'bigint' ? changed : value
}

/** Whether a page or a library has added enumerable names to all objects, over which `for … in` loops. */
export function hasAddedNames(): boolean {
  for (const name in {}) return name !== undefined
  return false
}

/**
 * `next`, with every part that deep-equals the same part of `previous` replaced by the latter, so that unchanged parts keep
 * their reference; `previous` itself if nothing changed. Compares plain objects, arrays and dates, which is all that
 * entities hold. Values that cannot be compared (a cycle, a getter that throws) count as different.
 */
export function reuseEqualParts<T>(previous: unknown, next: T): T {
  try {
    // Sound: what is returned deep-equals `next`.
    return reuse(previous, next) as T
  } catch {
    // An app's own loader may return such a value, and a commit that throws would leave callers waiting. A cycle is a
    // RangeError.
    return next
  }
}

function reuse(previous: unknown, next: unknown): unknown {
  if (Object.is(previous, next) || !isObject(previous) || !isObject(next)) return next
  if (next instanceof Date) return previous instanceof Date && +previous === +next ? previous : next
  if (Array.isArray(next)) {
    if (!Array.isArray(previous)) return next
    const items = next.map((item, index) => reuse(previous[index], item))
    return items.length === previous.length && items.every((item, index) => Object.is(item, previous[index]))
      ? previous
      : items
  }
  if (!isPlain(next) || !isPlain(previous)) return next
  const keys = Object.keys(next)
  // Own keys only: a key called __proto__ would find Object.prototype.
  const parts = keys.map(
    key => [key, Object.hasOwn(previous, key) ? reuse(previous[key], next[key]) : next[key]] as const,
  )
  const same =
    keys.length === Object.keys(previous).length &&
    parts.every(([key, part]) => Object.hasOwn(previous, key) && Object.is(part, previous[key]))
  // fromEntries defines and does not assign, so that a key called __proto__ stays a key.
  return same ? previous : Object.fromEntries(parts)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether an object, of this realm or of another window's, is no instance of a class. */
export function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The text with U+FFFD in place of each lone half of a character, at which `encodeURIComponent` throws. */
export function wellFormed(text: string): string {
  // With this flag, halves of a pair do not match.
  return text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')
}
