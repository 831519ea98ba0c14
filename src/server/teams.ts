import * as v from 'valibot'
import { json, millis } from '../core/wire'
import type { Shape } from '../core/wire'
import type { ServerMetadata } from '../core/register'
import { teamFields } from '../resources/team-fields'

const serverTeam = v.object(
  v.entriesFromObjects([
    v.object(teamFields),
    v.object({ createdAt: millis(), serverMetadata: json<ServerMetadata>() }),
  ]),
)

/** A team as servers see it. */
export interface ServerTeam extends v.InferOutput<typeof serverTeam> {}
export const ServerTeam: Shape<ServerTeam> = serverTeam
