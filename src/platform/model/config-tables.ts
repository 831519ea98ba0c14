import type { Row } from '../data/table'

export const configLevels = ['project', 'branch', 'environment'] as const

export type ConfigLevel = (typeof configLevels)[number]

/**
 * Values by path: `{ 'auth.allowSignUp': false, 'auth.signUpRules.spam': { … } }`. A path leads to one setting, to an entry of
 * a record, or to a setting within that entry. Null hides what lower levels say.
 */
export type ConfigOverride = Readonly<Record<string, unknown>>

export type ConfigOverrides = Readonly<Record<ConfigLevel, ConfigOverride>>

/** The origin of an override. */
export interface ConfigSource {
  readonly type: 'pushed-from-github' | 'pushed-from-unknown' | 'unlinked'
  readonly owner?: string
  readonly repo?: string
  readonly branch?: string
  readonly commitHash?: string
  readonly configFilePath?: string
}

/** How often a sign-up rule has matched; its id is the rule's. */
export interface SignUpRuleCountRow extends Row {
  readonly count: number
  readonly lastAt: number
}
