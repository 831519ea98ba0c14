import { toWire } from '../../core/wire'
import { ServerTeam } from '../../entities/teams/server'
import { ServerUser } from '../../entities/users/server'
import type { WebhookType } from '../../entities/webhooks/server-events'
import type { Engine } from '../model/engine'
import { NewerServerUser, toServerTeam, toServerUser } from '../http/user-shapes'
import type { UserRow } from '../model/users'
import type { MembershipRow, TeamGrantRow, TeamRow } from '../model/teams'

// The hosted platform sends events for endpoint calls, not for changed rows: a new team is one event, without those of
// its creator's membership and permissions. Changes without an endpoint send no event.

/**
 * The user includes later additions of the request, such as a provider's account. The user does not include a team that the
 * request creates: the next read has it.
 */
export function tellUserCreated(engine: Engine, user: UserRow): void {
  tell(engine, 'user.created', () => userOnWire(engine, { ...user, selectedTeamId: null }))
}

/** Sent even if nothing has changed. */
export function tellUserUpdated(engine: Engine, user: UserRow): void {
  tell(engine, 'user.updated', () => userOnWire(engine, user))
}

/** Called before the user is deleted, since the events of its memberships come first. */
export function tellUserDeleted(engine: Engine, id: string): void {
  const teams = engine.tables.memberships.by('userId', id).map(({ teamId }) => ({ id: teamId }))
  for (const team of teams) tellMembership(engine, 'deleted', { teamId: team.id, userId: id })
  tell(engine, 'user.deleted', () => ({ id, teams }))
}

/** `updated` is sent even if nothing has changed. */
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

/** `created` is sent even if the permission was granted before. */
export function tellTeamGrant(
  engine: Engine,
  what: 'created' | 'deleted',
  { teamId, userId, permissionId: id }: Omit<TeamGrantRow, 'id'>,
): void {
  tell(engine, `team_permission.${what}`, () => ({ id, user_id: userId, team_id: teamId }))
}

/** `created` is sent even if the permission was granted before. */
export function tellProjectGrant(engine: Engine, what: 'created' | 'deleted', userId: string, id: string): void {
  tell(engine, `project_permission.${what}`, () => ({ id, user_id: userId }))
}

/** Sends the event after the commit of the request's changes, and no event if they are undone. */
function tell(engine: Engine, type: WebhookType, data: () => unknown): void {
  engine.afterCommit(() => {
    engine.tellWebhook(engine.projectId, { type, data: data() })
  })
}

function userOnWire(engine: Engine, row: UserRow): unknown {
  return toWire(engine.rules.limitsUsers ? NewerServerUser : ServerUser, toServerUser(engine, row))
}
