import * as v from 'valibot'
import { isRecord, orUndefined, parseJson } from '../../core/values'
import { fromWire, wireName, type Shape } from '../../core/wire'
import { throwIfAborted } from '../../core/signals'
import { known } from '../model/refusal'

/** A `fetch` that passes every request to one handler. Rejects with the signal's reason on abort, like the real one. */
export function inProcessFetch(handle: (request: Request) => Promise<Response>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    throwIfAborted(signal)
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      handle(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}

/** Far deeper than any metadata, and shallow enough for the call stack. */
const maxDepth = 2000

/** Parses the request's body by its content type; undefined without one. Calls `note` with its bytes. */
export async function readBody(request: Request, note?: (bytes: Uint8Array) => void): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (!type) return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
  note?.(bytes)
  switch (type) {
    case 'application/json':
      return jsonIn(decode(bytes))
    case 'application/x-www-form-urlencoded':
      return Object.fromEntries(new URLSearchParams(decode(bytes)))
    case 'text/plain':
      return decode(bytes)
    case 'application/octet-stream':
      return bytes
    default:
      throw known('BODY_PARSING_ERROR', `The content type ${type} is not supported.`)
  }
}

function jsonIn(text: string): unknown {
  const parsed = parseJson(text)
  const what = text === '' ? 'The body is empty, which is not JSON.' : 'The body is not valid JSON.'
  if (parsed === undefined) throw known('BODY_PARSING_ERROR', what)
  if (isDeeperThan(maxDepth, parsed))
    throw known('BODY_PARSING_ERROR', `The body is nested deeper than ${maxDepth} levels.`)
  return parsed
}

/** Checks level by level instead of recursively: deep nesting must not overflow the call stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const nested = level.filter((item): item is object => typeof item === 'object' && item !== null)
    if (nested.length > 0 && depth >= levels) return true
    level = nested.flatMap((item): unknown[] => Object.values(item))
  }
  return false
}

function decode(bytes: Uint8Array): string {
  const text = orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (text !== undefined) return text
  throw known('BODY_PARSING_ERROR', 'The body is not valid UTF-8.')
}

/** The fields of one part of a request by local name. */
export type Fields = Readonly<Record<string, Shape<unknown>>>

interface CheckedSchema {
  readonly type: string
  readonly wrapped?: CheckedSchema
  readonly item?: CheckedSchema
  readonly entries?: Readonly<Record<string, CheckedSchema>>
  readonly literal?: unknown
  readonly wireForm?: string
}

/**
 * Checks one part of a request and casts it leniently to local terms. Adds every problem to `failures`, so that one
 * answer can name them all; with failures the result must not be used.
 */
export function checkFields(part: string, fields: Fields, sent: unknown, failures: string[]): Record<string, unknown> {
  if (!hasFields(sent)) {
    failures.push(`${part} ${sent === undefined ? 'must be defined' : 'must be an object'}`)
    return {}
  }
  const schema = v.strictObject(fields)
  // A generic schema hides its kind; the properties of Node are checked before use.
  const cast = castTo(schema, sent, part, failures)
  const result = v.safeParse(schema, fromWire(schema, cast))
  if (result.success) return result.output
  for (const issue of result.issues) failures.push(`${pathOf(part, schema, issue)} ${complaintOf(issue)}`)
  return {}
}

/** The fields in wire names that belong to one form of a body, the necessary one first. */
export type BodyForm = readonly [string, ...string[]]

/** For a body that has none of the forms: what it lacks for each form, in the platform's words. Undefined if one form fits. */
export function mismatchOf(forms: readonly BodyForm[], body: unknown, fields: Fields): string | undefined {
  if (!hasFields(body)) return undefined
  const ofForms = new Set(forms.flat())
  const shared = new Set(Object.entries(fields).map(([name, schema]) => wireName(name, schema)))
  const complaints = forms.map(form => {
    const names = Object.keys(body)
    const others = names.filter(name => !form.includes(name) && (ofForms.has(name) || !shared.has(name)))
    const missing = body[form[0]] === undefined ? [`body.${form[0]} must be defined`] : []
    return others.length === 0 ? missing : [...missing, `body contains unknown properties: ${others.join(', ')}`]
  })
  if (complaints.some(lines => lines.length === 0)) return undefined
  const schemas = complaints.map((lines, index) => `Schema ${index}:\n  ${lines.join('\n  ')}`)
  return `body is not matched by any of the provided schemas:\n${schemas.join('\n')}`
}

type TextFields = Readonly<Record<string, string>>

/** The texts of a query whose fields are known. */
export function knownIn(query: TextFields, fields: Fields): TextFields {
  const names = new Set(Object.entries(fields).map(([name, schema]) => wireName(name, schema)))
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)))
}

/** The parameters of a path under their names on the wire. */
export function toWireNames(params: TextFields, fields: Fields): TextFields {
  const entries = Object.entries(params)
  return Object.fromEntries(entries.map(([name, value]) => [fields[name] ? wireName(name, fields[name]) : name, value]))
}

/** Adds a failure for each text with a NUL character, keys included, since databases cannot store it. */
export function refuseNul(part: string, sent: unknown, failures: string[]): void {
  // An explicit stack: deep nesting must not overflow the call stack.
  const open: unknown[] = [sent]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' && value.includes('\0')) {
      failures.push(`${part} must not contain NUL characters`)
      return
    }
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) open.push(key, item)
  }
}

/** Refuses unknown keys at every depth and casts as the platform does: `5` is "5", "5" is 5, "true" is true. */
function castTo(node: CheckedSchema, value: unknown, path: string, failures: string[]): unknown {
  if (node.wrapped) return value === null || value === undefined ? value : castTo(node.wrapped, value, path, failures)
  if (node.entries && hasFields(value)) return castEntries(node.entries, value, path, failures)
  // Valibot accepts a list as an object if no field is required.
  if (node.entries && Array.isArray(value)) failures.push(`${path} must be an object`)
  if (node.item && Array.isArray(value)) {
    const { item } = node
    return value.map((part, index) => castTo(item, part, `${path}[${index}]`, failures))
  }
  switch (node.type === 'literal' ? typeof node.literal : node.type) {
    case 'string':
    case 'picklist':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    case 'number':
    case 'date':
      return typeof value === 'string' && node.wireForm !== 'iso' && value.trim() !== '' && !Number.isNaN(Number(value))
        ? Number(value)
        : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    default:
      return value
  }
}

function castEntries(
  entries: Readonly<Record<string, CheckedSchema>>,
  value: object,
  path: string,
  failures: string[],
): object {
  const nodes = new Map(Object.entries(entries).map(([name, node]) => [nameOnWire(name, node), node]))
  const unknown = Object.keys(value).filter(key => !nodes.has(key))
  if (unknown.length > 0) failures.push(`${path} contains unknown properties: ${unknown.join(', ')}`)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
      const node = nodes.get(key)
      return node ? [[key, castTo(node, item, `${path}.${key}`, failures)]] : []
    }),
  )
}

function nameOnWire(name: string, node: CheckedSchema): string {
  return wireName(name, node as unknown as Shape<unknown>)
}

function pathOf(part: string, schema: CheckedSchema, { path }: v.BaseIssue<unknown>): string {
  let text = part
  let node: CheckedSchema | undefined = schema
  for (const { key } of path ?? []) {
    while (node?.wrapped) node = node.wrapped
    const inner: CheckedSchema | undefined = typeof key === 'number' ? node?.item : node?.entries?.[String(key)]
    text += typeof key === 'number' ? `[${key}]` : `.${inner ? nameOnWire(String(key), inner) : String(key)}`
    node = inner
  }
  return text
}

const onWire: Readonly<Record<string, string>> = {
  Date: 'a time in milliseconds',
  Array: 'a list',
  Object: 'an object',
}

/** Words the complaint anew: valibot's messages may quote the value, which can be a password. */
function complaintOf({ kind, type, received, expected, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema') return message.startsWith('Invalid ') ? 'is not valid' : message
  if (received === 'undefined') return 'must be defined'
  if (received === 'null') return 'cannot be null'
  // Valibot says `("a" | "b")`.
  if (type === 'picklist')
    return `must be one of the following values: ${(expected ?? '').replace(/[()"]/g, '').replaceAll(' | ', ', ')}`
  return `must be ${onWire[expected ?? ''] ?? expected ?? 'something else'}`
}

/** A body of bytes has no fields. */
function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Uint8Array)
}
