import * as v from 'valibot'
import { imageUrl, json } from '../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata } from '../core/register'

/** What every level may see of a team. */
export const teamFields = {
  id: v.string(),
  displayName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
}

/** What members with the right may change of a team, and servers of any team, besides its name. */
export const teamChanges = {
  profileImageUrl: v.optional(v.nullable(imageUrl())),
  clientMetadata: v.optional(json<ClientMetadata>()),
}
