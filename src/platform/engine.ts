import type { Clock } from '../core/clock'
import type { AccessTokens } from './access-tokens'
import type { MailRow, Tables } from './tables'
import type { PasswordCost } from './passwords'

/** What every part of a platform shares. */
export interface Engine {
  readonly tables: Tables
  readonly clock: Clock
  readonly accessTokens: AccessTokens
  readonly passwordCost: PasswordCost
  /** Null: refresh tokens do not rotate. */
  readonly rotation: { readonly graceMillis: number } | null
  /** Delivers a mail that has been written down. */
  readonly deliver: (mail: MailRow) => void
}
