import * as v from 'valibot'
import { json, millis } from '../../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata } from '../../core/register'

/** The fields of a user that every level may see. */
export const userFields = {
  id: v.string(),
  displayName: v.nullable(v.string()),
  primaryEmail: v.nullable(v.string()),
  primaryEmailVerified: v.boolean(),
  profileImageUrl: v.nullable(v.string()),
  signedUpAt: millis(),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
  hasPassword: v.boolean(),
  otpAuthEnabled: v.boolean(),
  passkeyAuthEnabled: v.boolean(),
  authWithEmail: v.boolean(),
  requiresTotpMfa: v.boolean(),
  isAnonymous: v.boolean(),
  oauthProviders: v.array(
    v.object({ id: v.string(), accountId: v.string(), email: v.optional(v.nullable(v.string()), null) }),
  ),
  selectedTeamId: v.nullable(v.string()),
}

/** The fields, besides the picture, that users may change of themselves, and servers of any user. */
export const userChanges = {
  displayName: v.optional(v.nullable(v.string())),
  clientMetadata: v.optional(json<ClientMetadata>()),
  totpSecretBase64: v.optional(v.nullable(v.string())),
  otpAuthEnabled: v.optional(v.boolean()),
  passkeyAuthEnabled: v.optional(v.boolean()),
}

/** The selected team of an existing user. */
export const selectedTeamId = v.optional(v.nullable(v.string()))
