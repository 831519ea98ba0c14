import * as v from 'valibot'
import { secretSetting } from '../model/config-override'
import type { ConfiguredSeed, RxauthConfig } from './config'
import { configSchema, seedSchema } from './config-schema'
import { nearest } from '../../core/nearest'

/** Checks a configuration. Throws an error that names each wrong setting and its value. */
export function checkConfig(given: unknown, file: string): RxauthConfig {
  // Schema and type agree; a test compares them.
  return check(configSchema, given, file) as unknown as RxauthConfig
}

/** Checks the users and teams of a seed file. */
export function checkSeed(given: unknown, file: string): ConfiguredSeed {
  return check(seedSchema, given, file) as unknown as ConfiguredSeed
}

function check<T>(schema: v.GenericSchema<unknown, T>, given: unknown, file: string): T {
  const result = v.safeParse(schema, given)
  if (result.success) return withoutUndefined(result.output)
  const lines = result.issues.flatMap(issue => linesOf(issue, schema))
  throw new Error([`${file} is not understood:`, ...new Set(lines)].join('\n  - '))
}

function linesOf(issue: v.BaseIssue<unknown>, schema: unknown): string[] {
  // The alternative with the deepest issue is the closest of several.
  if (issue.type === 'union' && issue.issues?.some(({ path }) => path)) {
    const nested = issue.issues.filter(({ path }) => path)
    return nested.flatMap(inner =>
      linesOf({ ...inner, path: [...(issue.path ?? []), ...(inner.path ?? [])] as never }, schema),
    )
  }
  const path = pathOf(issue)
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const item = issue.path?.at(-1)
    const key = String(item?.key)
    const known = item && 'input' in item ? nearest(key, knownAt(issue, schema)) : undefined
    return [`${path} is no setting${known === undefined ? '' : `; did you mean ${known}?`}`]
  }
  const what = issue.kind === 'validation' ? issue.message : wordFor(issue.expected)
  if (issue.input === undefined) return [`${path} is missing`]
  const name = path.split('.').at(-1) ?? ''
  return [
    secretSetting.test(name) ? `${path} has to be ${what}` : `${path} has to be ${what}, not ${shown(issue.input)}`,
  ]
}

function pathOf({ path }: v.BaseIssue<unknown>): string {
  const text = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text.replace(/^\./, '') || 'the default export'
}

/** The known keys in the place of an unknown one. */
function knownAt({ path }: v.BaseIssue<unknown>, root: unknown): string[] {
  let schema = root
  for (const { key } of (path ?? []).slice(0, -1)) schema = inside(schema, key)
  return Object.keys(entriesOf(schema) ?? {})
}

function inside(schema: unknown, key: unknown): unknown {
  const unwrapped = unwrap(schema)
  if (typeof key === 'number') return unwrapped && 'item' in unwrapped ? unwrapped.item : undefined
  return entriesOf(unwrapped)?.[String(key)]
}

function entriesOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const unwrapped = unwrap(schema)
  return unwrapped && 'entries' in unwrapped ? (unwrapped.entries as Readonly<Record<string, unknown>>) : undefined
}

function unwrap(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  if ('wrapped' in schema) return unwrap(schema.wrapped)
  // Only one of several alternatives has settings.
  if ('options' in schema && Array.isArray(schema.options))
    return schema.options.map(unwrap).find(one => one && 'entries' in one)
  return schema
}

function wordFor(expected: string | null): string {
  const words: Readonly<Record<string, string>> = {
    boolean: 'true or false',
    string: 'a text',
    number: 'a number',
    Array: 'a list',
    Date: 'a date',
    Object: 'an object',
  }
  const options = (expected ?? '').replace(/[()]/g, '').split(' | ')
  return options.map(option => words[option] ?? option).join(' or ')
}

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value)
}

/** The value without settings that are undefined. */
function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutUndefined(part as unknown)])) as T
}
