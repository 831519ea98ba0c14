import type { Words } from '../../words/en'

/** In this order, since most browsers also name others. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** A browser's name for itself in words, such as `Firefox on Android`; undefined for a program that is none. */
export function deviceOf(userAgent: string, { account }: Words): string | undefined {
  const named = (names: readonly (readonly [string, string])[]) => names.find(([part]) => userAgent.includes(part))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return browser && system ? account.sessions.device(browser, system) : (browser ?? system)
}

export function isPhone(userAgent: string): boolean {
  return /iPhone|Android.*Mobile/.test(userAgent)
}
