import { isRecord } from '../../core/values'
import { entryAt, levelsOf } from '../../entities/config/shape-derive'
import { hideSettings } from '../../platform-inside'
import { printable } from '../terminal'

export type ConfigJson = Readonly<Record<string, unknown>>

const hidden = '••••••'

/**
 * Every single value by its path: `{ 'auth.otp.allowSignIn': true }`. A level that is replaced may have a path that changes a
 * part of a lower level's entry. That path is another setting than the entry, and is in quotes.
 */
export function leavesOf(config: ConfigJson, isReplaced = true): ReadonlyMap<string, unknown> {
  const settings = Object.entries(config).flatMap(([path, value]) => settingsAt(path, value))
  const shown = (path: string) => (isReplaced && entryAt(path)?.below ? JSON.stringify(path) : path)
  return new Map(settings.flatMap(([path, value]) => leavesAt(shown(path), value)))
}

function settingsAt(path: string, value: unknown): [path: string, value: unknown][] {
  if (!isRecord(value) || entryAt(path)) return [[path, value]]
  return Object.entries(value).flatMap(([key, part]) => settingsAt(`${path}.${key}`, part))
}

/** The settings of a file for the branch, and by path those that only the environment or only the project takes. */
export function byLevel(config: ConfigJson) {
  const apart = { environment: {}, project: {} } satisfies Record<string, ConfigJson>
  const rest = (above: string, values: ConfigJson): ConfigJson => {
    const kept = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
      const path = above + key
      const levels = levelsOf(path) ?? []
      const [level] = levels
      if (levels.length === 1 && level && level !== 'branch') {
        // An empty object sets nothing, and is valid on the branch.
        if (!isRecord(value) || Object.keys(value).length > 0) define(apart[level], path, value)
        return []
      }
      if (!isRecord(value)) return [[key, value]]
      const inner = rest(`${path}.`, value)
      return Object.keys(inner).length > 0 || Object.keys(value).length === 0 ? [[key, inner]] : []
    })
    return Object.fromEntries(kept)
  }
  return { branch: rest('', config), ...(apart as Record<'environment' | 'project', ConfigJson>) }
}

/** The settings of the override at these paths and below them. */
export function saidAt(override: ConfigJson, paths: readonly string[]): ConfigJson {
  const said: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(override).flatMap(([key, part]) => settingsAt(key, part)))
    for (const asked of paths) {
      if (`${path}.`.startsWith(`${asked}.`)) define(said, path, value)
      if (!asked.startsWith(`${path}.`)) continue
      const keys = asked.slice(path.length + 1).split('.')
      const inner = keys.reduce<unknown>(
        (all, key) => (isRecord(all) && Object.hasOwn(all, key) ? all[key] : undefined),
        value,
      )
      if (inner !== undefined) define(said, asked, inner)
    }
  return said
}

function leavesAt(path: string, value: unknown): [path: string, value: unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesAt(`${path}.${/[."]/.test(key) ? JSON.stringify(key) : key}`, part),
  )
}

/**
 * The configuration with nested objects instead of dots, sorted by key, so that a file changes only where a setting does. A
 * path keeps its dots if a push would read nested objects differently: it leads to a part of an entry, or below another path.
 * Entries stay as they are.
 */
export function nested(config: ConfigJson): ConfigJson {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(config).sort(([left], [right]) => (left < right ? -1 : 1))) {
    const isFlat = Boolean(entryAt(path)?.below) || Object.keys(config).some(each => path.startsWith(`${each}.`))
    const keys = isFlat ? [path] : path.split('.')
    const last = keys.pop() ?? ''
    let place = tree
    for (const key of keys) {
      const inner = Object.hasOwn(place, key) ? place[key] : undefined
      place = isRecord(inner) ? inner : define(place, key, {})
    }
    define(place, last, sorted(value))
  }
  return tree
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const copy = {}
  for (const key of Object.keys(value).sort()) define(copy, key, sorted(value[key]))
  return copy
}

/** Sets a value by any key, also `__proto__`, which an assignment would take for the prototype. */
function define<T>(place: Record<string, unknown>, key: string, value: T): T {
  Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
  return value
}

/** The changes of a push on the platform: a line for each value, `+` added, `~` changed, `-` removed, without secrets. */
export function differences(before: ConfigJson, after: ConfigJson, isReplaced = true): string[] {
  const [was, is] = [leavesOf(before, isReplaced), leavesOf(after, isReplaced)]
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap(path => {
    const [left, right] = [was.get(path), is.get(path)]
    if (JSON.stringify(left) === JSON.stringify(right)) return []
    if (!was.has(path)) return [`+ ${shown(path, right)}`]
    return [is.has(path) ? `~ ${shown(path, left)} → ${valueOf(path, right)}` : `- ${shown(path, left)}`]
  })
}

/** The paths of secrets. */
export function secretsIn(config: ConfigJson): string[] {
  const isTold = ([path, value]: [string, unknown]) => secretTextsIn({ [path]: value }).length > 0
  return [...leavesOf(config)].filter(isTold).map(([path]) => printable(path))
}

/** The texts of secrets, also as they are in JSON. */
export function secretTextsIn(config: ConfigJson): string[] {
  const texts: string[] = []
  hideSettings(config, '', text => {
    texts.push(text, JSON.stringify(text).slice(1, -1))
    return text
  })
  return texts
}

function shown(path: string, value: unknown): string {
  return `${printable(path)}: ${valueOf(path, value)}`
}

function valueOf(path: string, value: unknown): string {
  return printable(JSON.stringify(hideSettings(value, path, () => hidden)).replaceAll(`"${hidden}"`, hidden))
}
