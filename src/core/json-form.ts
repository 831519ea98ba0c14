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
  if (isRecord(value) && isPlain(value)) return rebuilt(value, toJson, key => (key[0] === '~' ? `~${key}` : key))
  throw new TypeError(`a ${kindOf(value)} has no form in JSON`)
}

/** The value of which `toJson` has made this. */
export function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromJson)
  if (!isRecord(json)) return json
  const keys = Object.keys(json)
  const [key] = keys
  if (keys.length === 1 && key?.[0] === '~') {
    const given = json[key]
    if (key === '~undefined') return undefined
    if (key === '~number') return Number(given)
    if (key === '~date') return new Date(typeof given === 'number' ? given : NaN)
  }
  return rebuilt(json, fromJson, name => (name.startsWith('~~') ? name.slice(1) : name))
}

/** A loop, because entries cost twice as much as the rest of a page's state. */
function rebuilt(
  value: Readonly<Record<string, unknown>>,
  part: (value: unknown) => unknown,
  nameOf: (key: string) => string,
): object {
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const name = nameOf(key)
    // Assigned, it would be the prototype.
    if (name === '__proto__') Object.defineProperty(result, name, { ...own, value: part(value[key]) })
    else result[name] = part(value[key])
  }
  return result
}

const own = { configurable: true, enumerable: true, writable: true }

/** Whether an object is no instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'object') : typeof value
}
