import type { Row } from '../data/table'

/** A sign-in of a program without a browser; its id is the polling code. */
export interface CliLoginRow extends Row {
  readonly loginCode: string
  readonly expiresAt: number
  /** Set when the browser approves; null until then. */
  readonly refreshToken: string | null
  /** The program's anonymous session, if it has one. */
  readonly anonymousRefreshToken: string | null
  readonly usedAt: number | null
}
