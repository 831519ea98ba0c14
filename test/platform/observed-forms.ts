import type { Wire } from 'rxauth/platform'
import { isRecord } from '../../src/core/values'
import observed from '../wire/observed-2026.json'

/**
 * In the file, `<GET /users/{userId} server>` stands for all forms of that line. An object with `<like>` also has the fields of that
 * form, one above it by its number or the first one of another line, but for those that are `<gone>`.
 */
const written: Readonly<Record<string, readonly unknown[]>> = observed

/** The answers of a running server of 2.8.86: for each route and level sparse, full and null ones. */
export const forms = Object.fromEntries(Object.keys(written).map(line => [line, formsOf(line)]))

function formsOf(line: string): readonly unknown[] {
  return allOf(written[line] ?? [])
}

function allOf(forms: readonly unknown[]): readonly unknown[] {
  return forms.reduce<readonly unknown[]>((above, form) => [...above, ...whole(form, above)], [])
}

function whole(form: unknown, above: readonly unknown[]): readonly unknown[] {
  const [, line] = typeof form === 'string' ? (/^<(.+ .+)>$/.exec(form) ?? []) : []
  if (line !== undefined) return formsOf(line)
  if (!isRecord(form)) return [form]
  const { '<like>': like, ...fields } = form
  if (like !== undefined) return [changed(typeof like === 'string' ? formsOf(like)[0] : above[Number(like)], fields)]
  const parts = Object.entries(fields).map(([name, part]) => [name, Array.isArray(part) ? allOf(part) : part])
  return [Object.fromEntries(parts)]
}

function changed(base: unknown, by: unknown): unknown {
  if (!isRecord(base) || !isRecord(by)) return by
  const names = Object.keys({ ...base, ...by }).filter(name => by[name] !== '<gone>')
  return Object.fromEntries(names.map(name => [name, name in by ? changed(base[name], by[name]) : base[name]]))
}

/** What the answers of a route have in common. */
interface Shape {
  readonly types: ReadonlySet<string>
  /** Each field, and whether every answer has it. */
  readonly fields: ReadonlyMap<string, readonly [shape: Shape, isThere: boolean]>
  readonly item: Shape | null
}

export const anything = '<json>'

function typeOf(value: unknown): string {
  return value === anything ? anything : value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function shapeOf(values: readonly unknown[]): Shape {
  const objects = values.filter(value => typeOf(value) === 'object') as Readonly<Record<string, unknown>>[]
  const names = new Set(objects.flatMap(each => Object.keys(each)))
  const inner = values.flatMap(value => (Array.isArray(value) ? (value as unknown[]) : []))
  return {
    types: new Set(values.map(typeOf)),
    fields: new Map(
      [...names].map(name => {
        const having = objects.filter(each => name in each)
        return [name, [shapeOf(having.map(each => each[name])), having.length === objects.length]]
      }),
    ),
    item: inner.length > 0 ? shapeOf(inner) : null,
  }
}

/** What is wrong with the value, with its place. */
function differences(value: unknown, { types, fields, item }: Shape, at = ''): string[] {
  if (types.has(anything)) return []
  const type = typeOf(value)
  if (!types.has(type)) return [`${at} is ${type}, and not ${[...types].join(' or ')}`]
  if (Array.isArray(value)) {
    if (!item) return []
    return value.flatMap((each, index) => differences(each, item, `${at}[${index}]`))
  }
  if (type !== 'object') return []
  const sent = value as Readonly<Record<string, unknown>>
  const missing = [...fields].filter(([name, [, isThere]]) => isThere && !(name in sent))
  return [
    ...missing.map(([name]) => `${at}.${name} is missing`),
    ...Object.entries(sent).flatMap(([name, part]) => {
      const [shape] = fields.get(name) ?? []
      return shape ? differences(part, shape, `${at}.${name}`) : [`${at}.${name} is there`]
    }),
  ]
}

/** Fields that later releases have besides. */
const later: Readonly<Record<Wire, readonly string[]>> = {
  '2.8.18': [],
  '2.8.86': [],
  '2026': ['is_development_environment', 'agent_name', 'pagination'],
}

/** How an answer differs from the forms of its line, `GET /users/{userId} server`. */
export function differencesOf(line: string, wire: Wire, body: unknown): string[] {
  const shape = shapeOf(forms[line] ?? [])
  return differences(body, shape).filter(each => !later[wire].some(name => each.endsWith(`.${name} is there`)))
}

const patterns = Object.keys(forms).map(line => {
  const [method = '', route = '', access = ''] = line.split(' ')
  const path = new RegExp(`/api/v1${route.replace(/\{\w+\}/g, '[^/]+')}$`)
  return { line, method, path, access }
})

/** Each difference of the answer from the forms of its address, if it has some. The project of a seed belongs to no team. */
export async function differencesIn(request: Request, response: Response, wire: Wire): Promise<string[]> {
  const { pathname } = new URL(request.url)
  const access = request.headers.get('x-stack-access-type')
  const { line } =
    patterns.find(each => each.method === request.method && each.access === access && each.path.test(pathname)) ?? {}
  if (line === undefined || response.status >= 300 || response.headers.has('x-stack-actual-status')) return []
  const body: unknown = await response.clone().json()
  return differencesOf(line, wire, body)
    .filter(each => !each.includes('.owner_team_id is null'))
    .map(each => `${line}: ${each}`)
}
