import { DEV } from '../core/dev'
import { orUndefined } from '../core/values'
import { withoutBlankEnds } from '../core/urls'
import { misuse } from './auth-error'

/**
 * A key, an id or an address, without the blanks that a line of `.env` or a copied text leaves at its ends. Throws
 * INVALID_INPUT for anything but a text, and for a blank inside or quotes around it: they are named, the value is not.
 */
export function setting(field: string, given: unknown): string {
  if (typeof given !== 'string')
    throw misuse(
      field,
      `takes text, not ${given === null ? 'null' : typeof given}; an environment variable may be missing`,
    )
  const text = withoutBlankEnds(given)
  const [blank] = /[\s\u200B\p{Cs}]/u.exec(text) ?? []
  if (blank)
    throw misuse(
      field,
      `has ${{ ' ': 'a space', '\t': 'a tab', '\n': 'a line break', '\r': 'a line break' }[blank] ?? `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`} inside; copy it again`,
    )
  if (/^["'`]|["'`]$/.test(text)) throw misuse(field, 'is in quotes; leave them out')
  return text
}

/** The option, else the first variable that is set. Empty if there is none: a variable of blanks is not set. */
export function settingOf(field: string, option: unknown, ...variables: readonly Variable[]): string {
  return setting(field, option ?? '') || setting(field, variableOf(variables)?.[1]() ?? '')
}

/**
 * An environment variable: its name, and an expression that a bundler can inline, `() => process.env.NAME`. Once inlined, it
 * returns a constant; without a `process` it throws.
 */
export type Variable = readonly [name: string, read: () => string | undefined]

/** The first variable that is set. In development a warning names variables of the platform's two names that differ. */
export function variableOf(variables: readonly Variable[]): Variable | undefined {
  if (DEV) warnOnce(differenceOf(variables))
  return variables.find(isSet)
}

export function isSet([, read]: Variable): boolean {
  const value: unknown = orUndefined(read) ?? ''
  return typeof value !== 'string' || withoutBlankEnds(value) !== ''
}

/** Names a variable of HEXCLAVE that is used and one of STACK, of the same prefix, with another value. Empty if they agree. */
export function differenceOf(variables: readonly Variable[]): string {
  const used = variables.find(isSet)
  if (!used?.[0].includes('HEXCLAVE')) return ''
  const [prefix] = /^(NEXT_PUBLIC_)?/.exec(used[0]) ?? []
  const older = variables.filter(isSet).find(([name]) => name.replace(/(SERVER_|BROWSER_)?STACK_.*/, '') === prefix)
  if (!older || withoutBlankEnds(String(older[1]())) === withoutBlankEnds(String(used[1]()))) return ''
  return `${used[0]} and ${older[0]} differ; ${used[0]} is used. Remove the other one, or give both the same value.`
}

const warnOnce: (text: string) => void = DEV
  ? text => {
      if (!text || said.has(text)) return
      said.add(text)
      // eslint-disable-next-line no-console -- no caller awaits it
      console.warn(`rxauth: ${text}`)
    }
  : () => undefined

/** Names of variables. Read in development only; module state holds nothing of an app. */
const said = (DEV ? new Set() : undefined) as Set<string>

/** The settings of a list; those that are empty are left out. */
export function settingsOf(field: string, given: unknown): readonly string[] {
  const list: unknown = given ?? []
  if (!Array.isArray(list)) throw misuse(field, 'must be a list: [ … ]')
  return Array.from(list, each => setting(field, each)).filter(Boolean)
}
