import * as v from 'valibot'
import { json } from '../../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { table, type RowOf } from '../data/table'

/** The address in the form that the platform stores. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The value of metadata that has not been set. */
export function noMetadata<T>(): T {
  // The platform answers null until metadata is set; the app's type for it has no null.
  return null as T
}

export const users = table({
  columns: {
    displayName: v.nullable(v.string()),
    profileImageUrl: v.nullable(v.string()),
    signedUpAt: v.number(),
    lastActiveAt: v.number(),
    clientMetadata: json<ClientMetadata>(),
    clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
    serverMetadata: json<ServerMetadata>(),
    /** Salted hash; null: no password. */
    password: v.nullable(v.string()),
    otpAuthEnabled: v.boolean(),
    totpSecretBase64: v.nullable(v.string()),
    /** Saving a secret does not yet make the second factor required. */
    requiresTotpMfa: v.boolean(),
    isAnonymous: v.boolean(),
    restrictedByAdmin: v.boolean(),
    /** Absent in rows of older versions. */
    restrictedByAdminReason: v.exactOptional(v.nullable(v.string())),
    restrictedByAdminPrivateDetails: v.exactOptional(v.nullable(v.string())),
    // Set by servers on the newer wire; absent until then.
    countryCode: v.exactOptional(v.nullable(v.string())),
    /** The probability that a sign-up is abuse: 0 to 100. */
    riskScores: v.exactOptional(v.object({ signUp: v.object({ bot: v.number(), freeTrialAbuse: v.number() }) })),
    selectedTeamId: v.nullable(v.string()),
  },
  indexes: { signedUpAt: row => row.signedUpAt, lastActiveAt: row => row.lastActiveAt },
})
export interface UserRow extends RowOf<typeof users> {}
export type StoredRiskScores = NonNullable<UserRow['riskScores']>

export const contactChannels = table({
  columns: {
    userId: v.string(),
    value: v.string(),
    isPrimary: v.boolean(),
    isVerified: v.boolean(),
    usedForAuth: v.boolean(),
  },
  indexes: {
    userId: row => row.userId,
    primaryOf: row => (row.isPrimary ? row.userId : undefined),
    value: row => row.value,
    authValue: row => (row.usedForAuth ? row.value : undefined),
  },
  cascade: { users: 'userId' },
})
export interface ContactChannelRow extends RowOf<typeof contactChannels> {}

/** The id is the user's, since a user has at most one passkey. */
export const passkeys = table({
  columns: {
    credentialId: v.string(),
    /** COSE key, base64url. */
    publicKey: v.string(),
    counter: v.number(),
    transports: v.array(v.string()),
  },
  indexes: { userId: row => row.id, credentialId: row => row.credentialId },
  cascade: { users: 'userId' },
})
export interface PasskeyRow extends RowOf<typeof passkeys> {}
