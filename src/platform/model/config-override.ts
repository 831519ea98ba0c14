import { isRecord } from '../../core/is-record'
import type { ConfigOverride } from './config-tables'
import { entryIn, nodeAt } from './config-shape'

type Tree = Record<string, unknown>

/** The values of a configuration by path. Objects are divided down to single settings and to entries of records. */
export function flattened(config: Readonly<Record<string, unknown>>): ConfigOverride {
  return Object.fromEntries(pathsIn(config, []))
}

function pathsIn(value: Readonly<Record<string, unknown>>, above: readonly string[]): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const keys = [...above, ...key.split('.')]
    const isWhole = entryIn(keys) !== undefined || nodeAt(keys)?.kind === 'setting'
    return isRecord(part) && !isWhole ? pathsIn(part, keys) : [[keys.join('.'), part]]
  })
}

/** The override with the values of `changes`, which has paths too. */
export function changed(override: ConfigOverride, changes: ConfigOverride): ConfigOverride {
  let result = { ...override }
  for (const [path, value] of Object.entries(changes)) {
    const above = Object.keys(result).find(each => path.startsWith(`${each}.`) && isRecord(result[each]))
    if (above !== undefined) {
      const copy = structuredClone(result[above]) as Tree
      put(copy, path.slice(above.length + 1).split('.'), value)
      result[above] = copy
    } else result = { ...without(result, [path]), [path]: value }
  }
  return result
}

/** The override without these paths and what is below them. */
export function without(override: ConfigOverride, paths: readonly string[]): Tree {
  const stays = ([path]: [string, unknown]) => !paths.some(gone => path === gone || path.startsWith(`${gone}.`))
  return Object.fromEntries(Object.entries(override).filter(stays))
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
  return left.split('.').length - right.split('.').length
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
