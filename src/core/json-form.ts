import { isRecord } from './is-record'

/**
 * The value as JSON from which `fromJson` makes it again: also dates, `undefined`, and numbers that JSON lacks. Each of these is
 * an object with one key that begins with `~`; such a key of the value itself gets another `~`. Throws a TypeError for a value
 * that has no such form: a function, a Map, an instance of a class.
 */
export function toJson(value: unknown): unknown {
  if (value === undefined) return { '~undefined': true }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '~number': String(value) }
  if (value instanceof Date) return { '~date': Number.isNaN(+value) ? null : +value }
  if (Array.isArray(value)) return Array.from(value, toJson)
  if (isRecord(value) && isPlain(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key.startsWith('~') ? `~${key}` : key, toJson(part)]),
    )
  throw new TypeError(`a ${kindOf(value)} has no form in JSON`)
}

/** The value of which `toJson` has made this. */
export function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromJson)
  if (!isRecord(json)) return json
  const parts = Object.entries(json)
  const [[key, given] = []] = parts
  if (parts.length === 1) {
    if (key === '~undefined') return undefined
    if (key === '~number') return Number(given)
    if (key === '~date') return new Date(typeof given === 'number' ? given : NaN)
  }
  // fromEntries defines and does not assign, so that a key called __proto__ stays a key.
  return Object.fromEntries(parts.map(([name, part]) => [name.startsWith('~~') ? name.slice(1) : name, fromJson(part)]))
}

/** Whether an object is no instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'object') : typeof value
}
