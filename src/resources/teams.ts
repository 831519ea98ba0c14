import * as v from 'valibot'
import { json } from '../core/wire'
import type { Shape } from '../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata } from '../core/register'

const team = v.object({
  id: v.string(),
  displayName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
})

/** A team as its members see it. */
export interface Team extends v.InferOutput<typeof team> {
  /** Never here: a server team does not fit where a client team is asked for. */
  readonly serverMetadata?: never
}
export const Team: Shape<Team> = team
