import * as v from 'valibot'
import { GeoInfo } from '../../entities/sessions/client'
import { table, type RowOf } from '../data/table'
import { normalizeEmail } from './users'

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

/** Sign-ins of programs without a browser; the id is the polling code. */
export const cliLogins = table({
  columns: {
    loginCode: v.string(),
    expiresAt: v.number(),
    /** Set when the browser approves; null until then. */
    refreshToken: v.nullable(v.string()),
    /** The program's anonymous session, if it has one. */
    anonymousRefreshToken: v.nullable(v.string()),
    usedAt: v.nullable(v.number()),
  },
  indexes: { loginCode: row => row.loginCode },
})

const outlivingUser: readonly string[] = ['email-verification', 'password-reset', 'mfa-attempt']

export const verificationCodes = table({
  columns: {
    /** The only purpose that a code may be used for. */
    purpose: v.picklist([
      'email-verification',
      'magic-link',
      'password-reset',
      'unsubscribe',
      'team-invitation',
      'mfa-attempt',
      'passkey-registration',
      'passkey-authentication',
    ]),
    code: v.string(),
    expiresAt: v.number(),
    usedAt: v.nullable(v.number()),
    attempts: v.number(),
    /** The purpose decides which fields are set. */
    subject: v.object({
      userId: v.exactOptional(v.string()),
      /** The address that the code was mailed to, where it matters later: no user, or another one, may have it by then. */
      email: v.exactOptional(v.string()),
      /** The category of mails to unsubscribe from. */
      notificationCategoryId: v.exactOptional(v.string()),
      teamId: v.exactOptional(v.string()),
      /** The challenge that a passkey has to sign. */
      challenge: v.exactOptional(v.string()),
    }),
  },
  indexes: {
    code: row => row.code,
    nonce: row => nonceOf(row.code),
    // Codes of some purposes stay after the user: the platform then finds the code, and no user.
    endsWithUser: row => (outlivingUser.includes(row.purpose) ? undefined : row.subject.userId),
    teamId: row => row.subject.teamId,
    invited: row => (row.purpose === 'team-invitation' ? normalizeEmail(row.subject.email ?? '') : undefined),
  },
  cascade: { users: 'endsWithUser', teams: 'teamId' },
})
export interface VerificationCodeRow extends RowOf<typeof verificationCodes> {}
export type CodePurpose = VerificationCodeRow['purpose']
export type CodeTopic = VerificationCodeRow['subject']

/** The length of the part that users type; the rest of a code is the nonce, which only the app has. */
export const typedLength = 6

export function nonceOf(code: string): string {
  return code.slice(typedLength)
}
