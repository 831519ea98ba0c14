import type { Clock } from '../core/clock'
import type { AccessTokens } from './access-tokens'
import type { MailRow, Tables } from './tables'
import type { PasswordCost } from './passwords'
import type { NextUsers } from './provider/next-users'

/** What every part of a platform shares. */
export interface Engine {
  readonly tables: Tables
  readonly clock: Clock
  readonly accessTokens: AccessTokens
  readonly passwordCost: PasswordCost
  /** Null: refresh tokens do not rotate. */
  readonly rotation: { readonly graceMillis: number } | null
  /** Behaves exactly as the hosted platform, and offers nothing that it has not. */
  readonly isStrict: boolean
  /** Who signs in next at the local provider, without its page. */
  readonly nextUsers: NextUsers
  /** Delivers a mail that has been written down. */
  readonly deliver: (mail: MailRow) => void
}
