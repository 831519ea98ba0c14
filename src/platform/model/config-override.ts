import { isRecord } from '../../core/is-record'
import type { ConfigOverride } from './project-tables'
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

/** The override with the values of `changes`, which has paths too; a deeper one applies after that of its object. */
export function changed(override: ConfigOverride, changes: ConfigOverride): ConfigOverride {
  const result = without(override, Object.keys(changes))
  const copied = new Set<string>()
  for (const [path, value] of Object.entries(changes).sort(byDepth)) {
    const above = pathsTo(path).find(each => each !== path && Object.hasOwn(result, each) && isRecord(result[each]))
    if (above === undefined) result[path] = value
    else {
      if (!copied.has(above)) result[above] = structuredClone(result[above])
      copied.add(above)
      put(result[above] as Tree, path.slice(above.length + 1).split('.'), value)
    }
  }
  return result
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

/** The configuration of all levels, lowest first, over the defaults. */
export function renderedOver(defaults: Readonly<Tree>, levels: readonly ConfigOverride[]): Tree {
  const config = structuredClone(defaults) as Tree
  for (const level of levels)
    for (const [path, value] of Object.entries(level).sort(byDepth)) {
      const keys = path.split('.')
      const entry = entryIn(keys)
      // A setting of an entry that no level has any more.
      if (entry && entry.length < keys.length && nodeAt(entry)?.kind === 'group' && !isRecord(at(config, entry)))
        continue
      put(config, keys, structuredClone(value === null && !entry ? at(defaults, keys) : value))
    }
  return config
}

function byDepth([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return segmentsOf(left) - segmentsOf(right)
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
