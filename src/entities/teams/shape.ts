import * as v from 'valibot'
import { json } from '../declare'
import type { ClientMetadata, ClientReadOnlyMetadata } from '../../core/register'

/** The fields of a team that every level may see. */
export const teamFields = {
  id: v.string(),
  displayName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
}

/** The fields of a team, besides name and picture, that members with the permission may change, and servers of any team. */
export const teamChanges = {
  clientMetadata: v.optional(json<ClientMetadata>()),
}
