import * as v from 'valibot'
import { table } from '../data/table'
import type { RowOf } from '../data/table'

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
