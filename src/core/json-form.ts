import { isPlain, isRecord } from './values'

/**
 * The value as JSON from which `fromJson` makes it again: also dates, `undefined`, and numbers that JSON lacks. Each of these is
 * an object with one key that begins with `~`; such a key of the value itself gets another `~`. It is frozen. Throws a TypeError
 * for a value that has no such form: a function, a Map, an instance of a class.
 */
export function toJson(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : Object.freeze({ '~number': String(value) })
  if (value === undefined) return Object.freeze({ '~undefined': true })
  if (value instanceof Date) return Object.freeze({ '~date': Number.isNaN(+value) ? null : +value })
  if (Array.isArray(value)) return Object.freeze(each(value, toJson))
  if (!isRecord(value) || !isPlain(value)) throw new TypeError(`a ${kindOf(value)} has no form in JSON`)
  const json: Record<string, unknown> = {}
  for (const key of Object.keys(value)) define(json, key[0] === '~' ? `~${key}` : key, toJson(value[key]))
  return Object.freeze(json)
}

/** The value of which `toJson` has made this. */
export function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) return each(json, fromJson)
  if (!isRecord(json)) return json
  const keys = Object.keys(json)
  const [key] = keys
  if (keys.length === 1 && key?.[0] === '~') {
    const given = json[key]
    if (key === '~undefined') return undefined
    if (key === '~number') return Number(given)
    if (key === '~date') return new Date(typeof given === 'number' ? given : NaN)
  }
  const value: Record<string, unknown> = {}
  for (const name of keys) define(value, name.startsWith('~~') ? name.slice(1) : name, fromJson(json[name]))
  return value
}

// Loops: `Array.from` with a function costs more than the items, and so does a list of entries.
function each(items: readonly unknown[], of: (item: unknown) => unknown): unknown[] {
  const all: unknown[] = []
  for (const item of items) all.push(of(item))
  return all
}

function define(into: Record<string, unknown>, name: string, value: unknown): void {
  // Assigned, it would be the prototype.
  if (name === '__proto__') Object.defineProperty(into, name, { ...own, value })
  else into[name] = value
}

const own = { configurable: true, enumerable: true, writable: true }

function kindOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'object') : typeof value
}
