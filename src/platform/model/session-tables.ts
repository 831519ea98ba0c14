import type { GeoInfo } from '../../definitions/client/sessions'
import type { Row } from '../data/table'

/** Its id is the `refreshTokenId` of its access tokens. */
export interface SessionRow extends Row {
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly lastUsedFrom?: GeoInfo | null
  readonly expiresAt: number
  readonly isImpersonation: boolean
}

/** Its id is the token itself. */
export interface RefreshTokenRow extends Row {
  readonly sessionId: string
  /** With rotation: the token that replaced it, and when. */
  readonly successor: string | null
  readonly retiredAt: number | null
}
