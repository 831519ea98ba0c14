import * as v from 'valibot'
import { json } from '../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata } from '../core/register'

/** What every level may see of a team. */
export const teamFields = {
  id: v.string(),
  displayName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
}
