import { toWire } from '../core/wire'
import { ServerTeam } from '../server/teams'
import { ServerUser } from '../server/users'
import type { WebhookType } from '../server/webhook-events'
import type { Engine } from './engine'
import { NewerServerUser, toServerTeam, toServerUser } from './routes/user-shapes'
import type { UserRow } from './tables'
import type { MembershipRow, TeamGrantRow, TeamRow } from './team-tables'

// The hosted platform tells of what its endpoints do, not of rows that change: a new team is one event, without those of its
// creator's membership and permissions, and what no endpoint tells of has no event at all.

/** What happened, as the body of a webhook has it. */
export interface HappenedEvent {
  readonly type: WebhookType
  readonly data: unknown
}

/**
 * With what the request adds to the user, such as an account of a provider, but for the team that it gives the user: that
 * shows from the next read on.
 */
export function tellUserCreated(engine: Engine, user: UserRow): void {
  tell(engine, 'user.created', () => userOnWire(engine, { ...user, selectedTeamId: null }))
}

/** Also where nothing has changed. */
export function tellUserUpdated(engine: Engine, user: UserRow): void {
  tell(engine, 'user.updated', () => userOnWire(engine, user))
}

/** Before the user is deleted: its memberships end first. */
export function tellUserDeleted(engine: Engine, id: string): void {
  const teams = engine.tables.memberships.by('userId', id).map(({ teamId }) => ({ id: teamId }))
  for (const team of teams) tellMembership(engine, 'deleted', { teamId: team.id, userId: id })
  tell(engine, 'user.deleted', () => ({ id, teams }))
}

/** For `updated`, also where nothing has changed. */
export function tellTeam(engine: Engine, what: 'created' | 'updated', team: TeamRow): void {
  tell(engine, `team.${what}`, () => toWire(ServerTeam, toServerTeam(team)))
}

export function tellTeamDeleted(engine: Engine, id: string): void {
  tell(engine, 'team.deleted', () => ({ id }))
}

export function tellMembership(
  engine: Engine,
  what: 'created' | 'deleted',
  { teamId, userId }: Pick<MembershipRow, 'teamId' | 'userId'>,
): void {
  tell(engine, `team_membership.${what}`, () => ({ team_id: teamId, user_id: userId }))
}

/** For `created`, also where the permission was granted before. */
export function tellTeamGrant(
  engine: Engine,
  what: 'created' | 'deleted',
  { teamId, userId, permissionId: id }: Omit<TeamGrantRow, 'id'>,
): void {
  tell(engine, `team_permission.${what}`, () => ({ id, user_id: userId, team_id: teamId }))
}

/** For `created`, also where the permission was granted before. */
export function tellProjectGrant(engine: Engine, what: 'created' | 'deleted', userId: string, id: string): void {
  tell(engine, `project_permission.${what}`, () => ({ id, user_id: userId }))
}

/** Once what the request has done is committed; never, if it is taken back. */
function tell(engine: Engine, type: WebhookType, data: () => unknown): void {
  engine.afterCommit(() => {
    engine.tellWebhook(engine.projectId, { type, data: data() })
  })
}

function userOnWire(engine: Engine, row: UserRow): unknown {
  return toWire(engine.rules.hasNewerFields ? NewerServerUser : ServerUser, toServerUser(engine, row))
}
