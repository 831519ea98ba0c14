import * as v from 'valibot'
import { json, millis } from '../declare'
import { imageUrl, ownImageUrl } from '../../core/wire'
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

/** The picture that users give themselves, their teams and their profiles in teams. */
export const ownPicture = { profileImageUrl: v.optional(v.nullable(ownImageUrl())) }

/** The picture that servers give users, teams and profiles. */
export const anyPicture = { profileImageUrl: v.optional(v.nullable(imageUrl())) }

/** The platform's answer about the signed-in user if it knows no user of the session. */
export const noUser = 'CANNOT_GET_OWN_USER_WITHOUT_USER'
