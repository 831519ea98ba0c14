import { isRecord } from '../../core/values'
import { config as shape, type ConfigLevel, type ConfigNode } from '../../entities/config/shape'
import { entryAt, partOf, unsetOf } from '../../entities/config/shape-derive'
import type { StoredOverride } from './projects'

export type ConfigTree = Record<string, unknown>

/** The values of a configuration by path. Objects are divided down to single settings and to entries of records. */
export function flattened(config: Readonly<Record<string, unknown>>): StoredOverride {
  return Object.fromEntries(pathsIn(config, [], shape))
}

function pathsIn(
  value: Readonly<Record<string, unknown>>,
  above: readonly string[],
  place: ConfigNode | undefined,
): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const segments = key.split('.')
    const keys = [...above, ...segments]
    let node = place
    let isWhole = false
    for (const segment of segments) {
      isWhole ||= node?.kind === 'entries'
      node = node && partOf(node, segment)
    }
    isWhole ||= node?.kind === 'setting'
    return isRecord(part) && !isWhole ? pathsIn(part, keys, node) : [[keys.join('.'), part]]
  })
}

/** Whether objects, lists and keys with dots lead deeper than this. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (levels < 0) return true
  if (Array.isArray(value)) return value.some(part => isDeeperThan(levels - 1, part))
  return (
    isRecord(value) && Object.entries(value).some(([key, part]) => isDeeperThan(levels - key.split('.').length, part))
  )
}

/** The override after a change: each key replaces what is stored at it and below it, and no more. */
export function changed(override: StoredOverride, changes: StoredOverride): StoredOverride {
  return { ...without(override, Object.keys(changes)), ...changes }
}

/** The override without these paths and what is below them. */
export function without(override: StoredOverride, paths: readonly string[]): ConfigTree {
  const gone = new Set(paths)
  return Object.fromEntries(Object.entries(override).filter(([path]) => !pathsTo(path).some(each => gone.has(each))))
}

function pathsTo(path: string): string[] {
  const keys = path.split('.')
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'))
}

/** The override without these paths, what is below them, and the same paths within values. */
export function reset(override: StoredOverride, paths: readonly string[]): ConfigTree {
  const left = structuredClone<ConfigTree>(without(override, paths))
  for (const path of paths)
    for (const above of pathsTo(path)) {
      const rest = path.slice(above.length + 1).split('.')
      const inner = Object.hasOwn(left, above) ? at(left[above], rest.slice(0, -1)) : undefined
      if (isRecord(inner)) Reflect.deleteProperty(inner, rest.at(-1) ?? '')
    }
  return left
}

/** The configuration of all levels, lowest first. A later key wins over those before it. */
export function rendered(levels: readonly StoredOverride[]): ConfigTree {
  const config: ConfigTree = {}
  for (const level of levels)
    for (const [path, value] of Object.entries(level)) {
      const entry = entryAt(path)
      // A setting of an entry that no level has any more.
      if (entry?.below && !isRecord(at(config, entry.keys))) continue
      put(config, path.split('.'), withoutNulls(value))
    }
  filled(config, shape)
  const providers = at(config, ['auth', 'oauth', 'providers']) as Record<string, ConfigTree>
  for (const [id, { type }] of Object.entries(providers)) if (type === undefined) Reflect.deleteProperty(providers, id)
  return config
}

/** A copy without nulls, which take a part away. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return structuredClone(value)
  const parts = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(parts.map(([key, part]) => [key, withoutNulls(part)]))
}

/** The values of settings that no level has. */
export const unsetConfig = (): ConfigTree => filled({}, shape)

/** The tree with what the platform shows where no level says anything, down to the fields of entries. */
function filled(config: ConfigTree, node: ConfigNode, isInEntry = false): ConfigTree {
  const unset =
    node.kind === 'group'
      ? Object.entries(node.nodes).map(([key, part]): [string, unknown] => [key, unsetOf(part, isInEntry)])
      : Object.entries(node.unset ?? {})
  for (const [key, value] of unset) if (value !== undefined) config[key] ??= structuredClone(value)
  for (const [key, value] of Object.entries(config)) {
    const part = partOf(node, key)
    if (part && isRecord(value)) filled(value, part, isInEntry || node.kind === 'entries')
  }
  return config
}

/** The value at a path; undefined if there is none. */
export function at(config: unknown, keys: readonly string[]): unknown {
  return keys.reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), config)
}

/** Sets the value; null and undefined take the key away. */
export function put(config: ConfigTree, keys: readonly string[], value: unknown): void {
  const [key = '', ...rest] = keys
  if (rest.length > 0) {
    const inner = Object.hasOwn(config, key) ? config[key] : undefined
    if (!isRecord(inner)) config[key] = {}
    put(config[key] as ConfigTree, rest, value)
  } else if (value === null || value === undefined) Reflect.deleteProperty(config, key)
  else config[key] = value
}

/** The level and the release for which a write is checked. */
export interface ConfigCheck {
  readonly level: ConfigLevel
  readonly hasLaterFields: boolean
}

/** Why a level does not take this override, in the words of the hosted platform; null: it does. */
export function complaintAbout(override: Readonly<Record<string, unknown>>, check: ConfigCheck): string | null {
  for (const value of Object.values(override)) {
    const dotted = dottedIn(value)
    if (dotted !== undefined) return `Key ${dotted} contains a dot, which is not allowed in config override.`
  }
  for (const [path, value] of Object.entries(override)) {
    const keys = path.split('.')
    let node: ConfigNode = shape
    for (const [index, key] of keys.entries()) {
      const inner = takenPart(node, key, check)
      if (!inner) {
        const known = keys.slice(0, index + 1).join('.')
        return `The key "${path}" is not valid (nested object not found in schema: "${known}").`
      }
      node = inner
    }
    const complaint = complaintOf(node, namesOn(keys), value, check)
    if (complaint !== null) return complaint
  }
  return null
}

/** The part below another one, if the level takes it; its level is that of the part above, unless it has one of its own. */
function takenPart(above: ConfigNode, key: string, { level, hasLaterFields }: ConfigCheck): ConfigNode | undefined {
  const part = partOf(above, key)
  if (!part || (part.isLater && !hasLaterFields) || (above.kind === 'entries' && !above.id.test(key))) return undefined
  const whose = part.level ?? above.level
  if (whose === undefined ? level === 'project' : whose !== level) return undefined
  return whose === undefined ? part : { ...part, level: whose }
}

function dottedIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('.') ? key : dottedIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** The path without the ids of entries, which the hosted platform leaves out where it names a part. */
function namesOn(keys: readonly string[]): readonly string[] {
  let node: ConfigNode | undefined = shape
  return keys.filter(key => {
    const isId = node?.kind === 'entries' && node.entry.kind !== 'setting'
    node = node && partOf(node, key)
    return !isId
  })
}

function complaintOf(node: ConfigNode, names: readonly string[], value: unknown, check: ConfigCheck): string | null {
  // Null takes the part away.
  if (value === null) return null
  const path = names.join('.')
  if (node.kind === 'setting') {
    if (node.values) {
      if (typeof value === 'string' && node.values.includes(value)) return null
      return `${path} must be one of the following values: ${node.values.join(', ')}`
    }
    const { type } = node
    const is =
      type === 'number' ? Number.isFinite(value) : type === 'array' ? Array.isArray(value) : typeof value === type
    return is || type === 'mixed' ? null : wrongType(names, type, value)
  }
  if (!isRecord(value)) return wrongType(names, 'object', value)
  const parts = Object.keys(value).map(key => [key, takenPart(node, key, check)] as const)
  const unknown = parts.filter(([, part]) => !part)
  if (unknown.length > 0) return `${path} contains unknown properties: ${unknown.map(([key]) => key).join(', ')}`
  for (const [key, part] of parts) {
    const inner = node.kind === 'entries' && node.entry.kind !== 'setting' ? names : [...names, key]
    const complaint = part ? complaintOf(part, inner, value[key], check) : null
    if (complaint !== null) return complaint
  }
  return null
}

function wrongType(names: readonly string[], type: string, value: unknown): string {
  const shown = JSON.stringify(hideSettings(value, names.at(-1) ?? '', () => '…'))
  return `${names.join('.')} must be a \`${type}\` type, but the final value was: \`${shown}\`.`
}

/** Names of settings with secrets: each text at such a name, or anywhere below it, is one. */
export const secretSetting = /secret|password|token|key|credential|connection.?string/i

/** The value at the path, with `hide` applied to each text that is a secret. */
export function hideSettings(value: unknown, path: string, hide: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return value !== '' && secretSetting.test(path) ? hide(value, path) : value
  if (Array.isArray(value)) return value.map(item => hideSettings(item, path, hide))
  if (!isRecord(value)) return value
  const parts = Object.entries(value).map(([key, part]) => [key, hideSettings(part, `${path}.${key}`, hide)])
  return Object.fromEntries(parts)
}
