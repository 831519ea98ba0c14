import type { Row } from './data/table'

/** A login of a program without a browser; its id is the polling code. */
export interface CliLoginRow extends Row {
  readonly loginCode: string
  readonly expiresAt: number
  /** Handed over by the browser; null until then. */
  readonly refreshToken: string | null
  /** The anonymous session that the program has so far. */
  readonly anonymousRefreshToken: string | null
  readonly usedAt: number | null
}
