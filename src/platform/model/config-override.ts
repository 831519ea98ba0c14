import { isRecord } from '../../core/values'
import type { ConfigOverride } from './projects'
import { configShape, entryIn, nodeAt, partOf } from './config-shape'
import type { ConfigNode } from './config-shape'

type Tree = Record<string, unknown>

/** The values of a configuration by path. Objects are divided down to single settings and to entries of records. */
export function flattened(config: Readonly<Record<string, unknown>>): ConfigOverride {
  return Object.fromEntries(pathsIn(config, [], configShape))
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
  return isRecord(value) && Object.entries(value).some(([key, part]) => isDeeperThan(levels - segmentsOf(key), part))
}

function segmentsOf(key: string): number {
  return key.split('.').length
}

/** The override after a change: each key replaces what is stored at it and below it, and no more. */
export function changed(override: ConfigOverride, changes: ConfigOverride): ConfigOverride {
  return { ...without(override, Object.keys(changes)), ...changes }
}

/** The override without these paths and what is below them. */
export function without(override: ConfigOverride, paths: readonly string[]): Tree {
  const gone = new Set(paths)
  return Object.fromEntries(Object.entries(override).filter(([path]) => !pathsTo(path).some(each => gone.has(each))))
}

/** The path and those above it, shortest first. */
function pathsTo(path: string): string[] {
  const keys = path.split('.')
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'))
}

/** The override without these paths, what is below them, and the same paths within values. */
export function reset(override: ConfigOverride, paths: readonly string[]): Tree {
  const left = structuredClone<Tree>(without(override, paths))
  for (const path of paths)
    for (const above of pathsTo(path)) {
      const rest = path.slice(above.length + 1).split('.')
      const inner = Object.hasOwn(left, above) ? at(left[above], rest.slice(0, -1)) : undefined
      if (isRecord(inner)) Reflect.deleteProperty(inner, rest.at(-1) ?? '')
    }
  return left
}

/** The configuration of all levels, lowest first, over the defaults. A later key wins over those before it. */
export function renderedOver(defaults: Readonly<Tree>, levels: readonly ConfigOverride[]): Tree {
  const config: Tree = {}
  for (const level of levels)
    for (const [path, value] of Object.entries(level)) {
      const keys = path.split('.')
      const entry = entryIn(keys)
      // A setting of an entry that no level has any more.
      if (entry && entry.length < keys.length && nodeAt(entry)?.kind === 'group' && !isRecord(at(config, entry)))
        continue
      put(config, keys, withoutNulls(value))
    }
  return filled(config, defaults)
}

/** A copy without nulls, which take a part away. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return structuredClone(value)
  const parts = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(parts.map(([key, part]) => [key, withoutNulls(part)]))
}

/** The tree with the defaults where it has nothing. */
export function filled(config: Tree, defaults: Readonly<Tree>): Tree {
  for (const [key, value] of Object.entries(defaults)) {
    const own = Object.hasOwn(config, key) ? config[key] : undefined
    if (own === undefined || own === null) config[key] = structuredClone(value)
    else if (isRecord(own) && isRecord(value)) filled(own, value)
  }
  return config
}

/** The value at a path; undefined if there is none. */
export function at(config: unknown, keys: readonly string[]): unknown {
  return keys.reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), config)
}

/** Sets the value; null and undefined take the key away. */
function put(config: Tree, keys: readonly string[], value: unknown): void {
  const [key = '', ...rest] = keys
  if (rest.length > 0) {
    const inner = Object.hasOwn(config, key) ? config[key] : undefined
    if (!isRecord(inner)) config[key] = {}
    put(config[key] as Tree, rest, value)
  } else if (value === null || value === undefined) Reflect.deleteProperty(config, key)
  else config[key] = value
}
