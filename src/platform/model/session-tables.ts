import * as v from 'valibot'
import { GeoInfo } from '../../entities/sessions/client'
import { table } from '../data/table'
import type { RowOf } from '../data/table'

/** The id is the `refreshTokenId` of its access tokens. */
export const sessions = table({
  columns: {
    userId: v.string(),
    createdAt: v.number(),
    lastUsedAt: v.number(),
    lastUsedFrom: v.exactOptional(v.nullable(GeoInfo)),
    expiresAt: v.number(),
    isImpersonation: v.boolean(),
  },
  indexes: { userId: row => [row.userId, row.createdAt] },
  cascade: { users: 'userId' },
})
export interface SessionRow extends RowOf<typeof sessions> {}

/** The id is the token itself. */
export const refreshTokens = table({
  columns: {
    sessionId: v.string(),
    /** With rotation: the token that replaced it, and when. */
    successor: v.nullable(v.string()),
    retiredAt: v.nullable(v.number()),
  },
  indexes: { sessionId: row => row.sessionId },
  cascade: { sessions: 'sessionId' },
})
export interface RefreshTokenRow extends RowOf<typeof refreshTokens> {}
