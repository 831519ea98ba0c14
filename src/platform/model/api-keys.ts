import * as v from 'valibot'
import { table, type RowOf } from '../data/table'

/** The internal project's keys on a development server. */
export const internalKeys = {
  publishableClientKey: 'this-publishable-client-key-is-for-local-development-only',
  secretServerKey: 'this-secret-server-key-is-for-local-development-only',
  superSecretAdminKey: 'this-super-secret-admin-key-is-for-local-development-only',
} as const

/** Keys that were not requested are null. */
export const keySets = table({
  columns: {
    description: v.string(),
    createdAt: v.number(),
    publishableClientKey: v.nullable(v.string()),
    secretServerKey: v.nullable(v.string()),
    superSecretAdminKey: v.nullable(v.string()),
    expiresAt: v.number(),
    revokedAt: v.nullable(v.number()),
  },
  indexes: {
    createdAt: row => row.createdAt,
    publishableClientKey: row => row.publishableClientKey ?? undefined,
    secretServerKey: row => row.secretServerKey ?? undefined,
    superSecretAdminKey: row => row.superSecretAdminKey ?? undefined,
  },
})
export interface KeySetRow extends RowOf<typeof keySets> {}

const publicKey = {
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  alg: v.literal('ES256'),
  kid: v.string(),
  x: v.string(),
  y: v.string(),
}

/** The signing keys of access tokens; the id is the audience of the tokens, with a mark for a key that signs nothing yet. */
export const signingKeys = table({
  columns: {
    /** As in a JSON Web Key Set. */
    publicKey: v.object(publicKey),
    privateKey: v.object({ ...publicKey, d: v.string() }),
  },
})
export interface SigningKeyRow extends RowOf<typeof signingKeys> {}
export type PublicKey = SigningKeyRow['publicKey']

export const apiKeys = table({
  columns: {
    kind: v.picklist(['user', 'team']),
    ownerId: v.string(),
    /** The complete key. */
    value: v.string(),
    description: v.string(),
    isPublic: v.boolean(),
    createdAt: v.number(),
    /** Null: never. */
    expiresAt: v.nullable(v.number()),
    revokedAt: v.nullable(v.number()),
  },
  indexes: {
    userId: row => (row.kind === 'user' ? [row.ownerId, row.createdAt] : undefined),
    teamId: row => (row.kind === 'team' ? [row.ownerId, row.createdAt] : undefined),
    value: row => row.value,
  },
  cascade: { users: 'userId', teams: 'teamId' },
})
export interface ApiKeyRow extends RowOf<typeof apiKeys> {}

/** Whether a user wants mails of a category; the id is `user category`. Without a row the user wants them. */
export const notificationPreferences = table({
  columns: { userId: v.string(), enabled: v.boolean() },
  indexes: { userId: row => row.userId },
  cascade: { users: 'userId' },
})

/** The days on which a user was active; the id is `${userId} ${date}`. A row stays after the user is deleted. */
export const activity = table({
  columns: {
    userId: v.string(),
    /** `YYYY-MM-DD` in UTC. */
    date: v.string(),
    lastAt: v.number(),
  },
  indexes: { userId: row => [row.userId, row.lastAt], date: row => row.date, lastAt: row => row.lastAt },
})
