import { isRecord } from '../../../core/is-record'
import { flattened } from '../../model/config-override'
import { entryIn } from '../../model/config-shape'
import { hideSettings } from '../../model/secret-settings'
import { printable } from './connection'

export type Json = Readonly<Record<string, unknown>>

/** What is printed in place of a secret. */
const hidden = '••••••'

/**
 * Every single value by its path: `{ 'auth.otp.allowSignIn': true }`. A path that changes a part of an entry, which is another
 * one in each level, and a name with dots within an entry are in quotes.
 */
export function leavesOf(config: Json): ReadonlyMap<string, unknown> {
  const paths = Object.entries(flattened(config))
  return new Map(paths.flatMap(([path, value]) => leavesAt(isWithinEntry(path) ? JSON.stringify(path) : path, value)))
}

function leavesAt(path: string, value: unknown): [path: string, value: unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesAt(`${path}.${/[."]/.test(key) ? JSON.stringify(key) : key}`, part),
  )
}

function isWithinEntry(path: string): boolean {
  const keys = path.split('.')
  return (entryIn(keys) ?? keys).length < keys.length
}

/**
 * The configuration with objects in the place of dots, sorted by key, so that a file changes only where a setting does. What a
 * push would read otherwise keeps its dots: a path to a part of an entry, and one below another path. Entries stay as they are.
 */
export function nested(config: Json): Json {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(config).sort(([left], [right]) => (left < right ? -1 : 1))) {
    const isFlat = isWithinEntry(path) || Object.keys(config).some(each => path.startsWith(`${each}.`))
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

/** Also for a key such as `__proto__`, which an assignment would take for the prototype. */
function define<T>(place: Record<string, unknown>, key: string, value: T): T {
  Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
  return value
}

/** What a push changes on the platform: a line for each value, `+` added, `~` changed, `-` removed, without secrets. */
export function differences(before: Json, after: Json): string[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap(path => {
    const [left, right] = [was.get(path), is.get(path)]
    if (JSON.stringify(left) === JSON.stringify(right)) return []
    if (!was.has(path)) return [`+ ${shown(path, right)}`]
    return [is.has(path) ? `~ ${shown(path, left)} → ${valueOf(path, right)}` : `- ${shown(path, left)}`]
  })
}

/** The paths of secrets. */
export function secretsIn(config: Json): string[] {
  const isTold = ([path, value]: [string, unknown]) => secretTextsIn({ [path]: value }).length > 0
  return [...leavesOf(config)].filter(isTold).map(([path]) => printable(path))
}

/** The texts of secrets, also as they are in JSON. */
export function secretTextsIn(config: Json): string[] {
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
