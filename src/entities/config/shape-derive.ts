import * as v from 'valibot'
import { DEV } from '../../core/dev'
import { asGiven, isPlain, isRecord } from '../../core/values'
import { invalidInput, isAuthError, misuse } from '../../errors/auth-error'
import { isDomain } from '../../core/domains'
import { notDomain } from '../projects/shape'
import { config } from './shape'
import type { ConfigLevel, ConfigNode, ConfigEntries, FlatForm, Group, Nodes, Setting } from './shape'

type FormsIn<N> =
  | (N extends { readonly flat: infer F } ? F : never)
  | (N extends Group<infer G> ? { [K in keyof G]: FormsIn<G[K]> }[keyof G] : never)

/** The settings of a configuration under the names and in the forms of the older calls. */
export type Flat<N> = {
  [F in FormsIn<N> as F extends FlatForm<infer Name, unknown> ? Name : never]: F extends FlatForm<string, infer T>
    ? T
    : never
}

/** Every part that the flat form has, by its path. */
export function flatParts(node: ConfigNode = config, path = ''): { path: string; flat: FlatForm<string, unknown> }[] {
  const own = node.flat ? [{ path, flat: node.flat }] : []
  if (node.kind !== 'group') return own
  const parts = Object.entries(node.nodes).flatMap(([key, part]) => flatParts(part, path ? `${path}.${key}` : key))
  return [...own, ...parts]
}

/** The flat settings as fields of an object. */
export const flatFields = () =>
  // The names and forms are those of the tree.
  Object.fromEntries(flatParts().map(({ flat: { name, schema } }) => [name, schema])) as {
    readonly [K in keyof Flat<typeof config>]: v.GenericSchema<unknown, Flat<typeof config>[K]>
  }

/** The flat settings of a new project. */
export const newSettings = () =>
  Object.fromEntries(flatParts().map(({ flat: { name, initial } }) => [name, initial])) as Flat<typeof config>

/** The value of a part where no level has one; undefined for none. */
export function unsetOf(node: ConfigNode, isInEntry = false): unknown {
  if (node.kind !== 'group') return node.unset ?? (node.kind === 'entries' && !isInEntry ? {} : undefined)
  const parts = Object.entries(node.nodes).map(([key, part]) => [key, unsetOf(part, isInEntry)] as const)
  const known = Object.fromEntries(parts.filter(([, value]) => value !== undefined))
  return isInEntry && Object.keys(known).length === 0 ? undefined : known
}

type RawPart = { readonly isRaw: true }
type TextOf<T> = T extends string ? string : T

/** The keys of the parts that are there in every answer: within an entry, those of permissions. */
type Always<G, C> = { [K in keyof G]: G[K] extends RawPart ? never : G[K] extends C ? K : never }[keyof G]
type Sometimes<G, C> = { [K in keyof G]: G[K] extends RawPart | C ? never : K }[keyof G]

/** A part as the kit reads it. What it does not declare, and what another release adds, passes as it is. */
export type RenderedPart<N, C = Group | ConfigEntries> =
  N extends Setting<infer T>
    ? TextOf<T>
    : N extends ConfigEntries<infer E>
      ? { [id: string]: RenderedPart<E, ConfigEntries<Setting<boolean>>> }
      : N extends Group<infer G>
        ? { [K in Always<G, C>]: RenderedPart<G[K], C> } & {
            [K in Sometimes<G, C>]?: RenderedPart<G[K], C> | undefined
          } extends infer Known
          ? { [K in keyof Known]: Known[K] } & { [key: string]: unknown }
          : never
        : never

/**
 * The schema of a rendered configuration. What a release adds, or has in another form, does not make the whole of it
 * unreadable: such a setting is absent.
 */
export function renderedSchema<N extends Nodes>(
  node: Group<N>,
): v.GenericSchema<SettingValues, RenderedPart<Group<N>>> {
  // The fields are those of the tree.
  return v.looseObject(fieldsOf(node, false)) as unknown as v.GenericSchema<SettingValues, RenderedPart<Group<N>>>
}

const ofType = {
  boolean: v.boolean,
  string: v.string,
  number: v.number,
  array: () => v.array(v.string()),
  mixed: v.unknown,
}

function fieldsOf({ nodes }: Group, isInEntry: boolean): v.ObjectEntries {
  const typed = Object.entries(nodes).filter(([, node]) => !node.isRaw)
  return Object.fromEntries(typed.map(([key, node]) => [key, fieldOf(node, isInEntry)]))
}

function fieldOf(node: ConfigNode, isInEntry: boolean): v.GenericSchema {
  if (node.kind === 'setting') return maybe(ofType[node.type]())
  if (node.kind === 'group') {
    const group = v.looseObject(fieldsOf(node, isInEntry))
    return isInEntry ? maybe(group) : v.optional(group, {})
  }
  const { entry } = node
  if (entry.kind !== 'group') return v.optional(v.record(v.string(), v.boolean()), {})
  const entries = v.record(v.string(), v.looseObject(fieldsOf(entry, true)))
  return isInEntry ? maybe(entries) : v.optional(entries, {})
}

/** The value if it has this form. */
function maybe(schema: v.GenericSchema) {
  return v.fallback(v.optional(schema), undefined)
}

/** The part below another one; undefined if there is none. The id of an entry may be any. */
export function partOf(node: ConfigNode, key: string): ConfigNode | undefined {
  // The key would be the prototype of an object.
  if (key === '__proto__') return undefined
  if (node.kind === 'group') return Object.hasOwn(node.nodes, key) ? node.nodes[key] : undefined
  return node.kind === 'entries' ? node.entry : node.type === 'mixed' ? node : undefined
}

/** The parts on the way to a path, the whole configuration first, as far as it is known. */
function partsTo(keys: readonly string[]): readonly ConfigNode[] {
  const parts: ConfigNode[] = [config]
  for (const key of keys) {
    const part = partOf(parts.at(-1) ?? config, key)
    if (!part) break
    parts.push(part)
  }
  return parts
}

/** The levels that take a path, the lowest first; undefined for a path that this release of the kit does not know. */
export function levelsOf(path: string): readonly ConfigLevel[] | undefined {
  const parts = partsTo(path.split('.'))
  if (parts.length === 1) return undefined
  const last = parts.at(-1)
  // A section that the kit has whole, with no setting of another level.
  const inside = last?.kind === 'group' && !last.isRaw ? Object.values(last.nodes) : []
  const [first, ...others] = new Set(inside.map(part => part.level))
  const level = parts.reduce<ConfigLevel | undefined>((above, part) => part.level ?? above, undefined)
  const only = level ?? (others.length === 0 ? first : undefined)
  return only ? [only] : ['branch', 'environment']
}

/** The entry that is changed as a whole and to which the path leads, or into which; undefined if there is none. */
export function entryAt(path: string) {
  const keys = path.split('.')
  const parts = partsTo(keys)
  const place = parts.findIndex(part => part.kind === 'entries' && part.isWhole) + 1
  const entry = parts[place]
  if (place === 0 || entry?.kind !== 'group') return undefined
  return {
    record: keys.slice(0, place - 1).join('.'),
    fields: Object.keys(entry.nodes),
    keys: keys.slice(0, place),
    below: keys.slice(place).join('.'),
  }
}

type SettingValues = Readonly<Record<string, unknown>>

/**
 * The changes by dotted path, as the platform merges them: objects are divided down to values, lists and entries of records.
 * Throws INVALID_INPUT, with the path, for what the level does not take.
 */
export function changesOf(field: string, level: ConfigLevel, given: SettingValues): SettingValues {
  const changes: Record<string, unknown> = Object.create(null) as never
  const collect = (path: string, value: unknown): void => {
    if (isRecord(value) && !entryAt(path))
      for (const [key, part] of Object.entries(value)) collect(`${path}.${key}`, part)
    else if (Object.hasOwn(changes, path)) throw misuse(`${field}.${path}`, 'is named twice')
    else changes[path] = value
  }
  for (const [key, value] of Object.entries(settingsOf(field, level, given))) collect(key, value)
  for (const path of Object.keys(changes))
    for (const above of pathsTo(path).slice(0, -1))
      if (Object.hasOwn(changes, above))
        throw misuse(`${field}.${path}`, `is part of "${above}", which these changes replace as a whole`)
  return changes
}

/** The settings as JSON has them. Throws INVALID_INPUT, with the path, for what the level does not take. */
export function settingsOf(field: string, level: ConfigLevel, given: SettingValues): SettingValues {
  if (!isRecord(given)) throw invalidInput(field, 'must be an object')
  const settings = asJson(field, given)
  const check = (path: string, value: unknown): void => {
    const complaint = complaintAbout(level, path, value)
    if (complaint !== undefined) throw invalidInput(`${field}.${path}`, complaint)
    if (!isRecord(value)) return
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('.')) throw misuse(`${field}.${path}`, `has the key "${key}": no id contains a dot`)
      check(`${path}.${key}`, part)
    }
  }
  for (const [key, value] of Object.entries(settings)) check(key, value)
  return settings
}

/** Why the level cannot be given this; the sentence continues the path. Undefined: it can, or the platform decides. */
function complaintAbout(level: ConfigLevel, path: string, value: unknown): string | undefined {
  if (!isRecord(value)) {
    const takes = levelsOf(path)
    if (takes?.includes(level) === false)
      return DEV ? `is a setting of the level ${takes.join(' and of ')}; ${level} does not take it` : ''
    if (/^domains\.trustedDomains\.[^.]+\.baseUrl$/.test(path) && typeof value === 'string' && !isDomain(value))
      return DEV ? notDomain(value) : ''
    return undefined
  }
  const { record, fields = [], below = '' } = entryAt(path) ?? {}
  if (below && !fields.includes(below) && fields.some(name => Object.hasOwn(value, name)))
    return DEV ? `names an entry of ${record} by an id with a dot, which no id has` : ''
  if (record === 'auth.oauth.providers' && !below && typeof value['type'] !== 'string')
    return DEV
      ? 'has no type, such as "github": the entry is replaced as a whole. One of its settings has its own path'
      : ''
  return undefined
}

/** The path and those above it, shortest first. */
function pathsTo(path: string): string[] {
  const keys = path.split('.')
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'))
}

function asJson(field: string, given: SettingValues): SettingValues {
  function strict(this: Readonly<Record<string, unknown>>, key: string, changed: unknown): unknown {
    const value = asGiven.call(this, key, changed)
    const isJson =
      value === undefined ||
      value === null ||
      ['string', 'boolean'].includes(typeof value) ||
      Number.isFinite(value) ||
      Array.isArray(value) ||
      (isRecord(value) && isPlain(value))
    if (!isJson) throw misuse(`${field}.${key}`, `is a ${typeof value} that JSON does not have`)
    return value
  }
  try {
    return JSON.parse(JSON.stringify(given, strict)) as SettingValues
  } catch (error) {
    throw isAuthError(error) ? error : misuse(field, 'cannot be sent as JSON: it contains itself')
  }
}
