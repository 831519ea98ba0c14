import * as v from 'valibot'
import type { Shape } from '../core/wire'
import { teamFields } from './team-fields'

const team = v.object(teamFields)

/** A team as its members see it. */
export interface Team extends v.InferOutput<typeof team> {
  /** Never here: a server team does not fit where a client team is asked for. */
  readonly serverMetadata?: never
}
export const Team: Shape<Team> = team
