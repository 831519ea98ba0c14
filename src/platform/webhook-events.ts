import { share } from '../core/equal'
import { toWire } from '../core/wire'
import { ServerTeam } from '../server/teams'
import { ServerUser } from '../server/users'
import type { WebhookType } from '../server/webhook-events'
import type { Change } from './data/unit'
import type { Engine } from './engine'
import { NewerServerUser, toServerTeam, toServerUser } from './routes/user-shapes'
import type { UserRow } from './tables'

/** What happened, as the body of a webhook has it. */
export interface HappenedEvent {
  readonly type: WebhookType
  readonly data: unknown
}

type Rows = Engine['tables']

/**
 * The events that the changes of a unit of work amount to, in the order in which they were written. `before` and `after`
 * are the project as it was and as it will be.
 *
 * A new time of last activity is no event, and the rows that go with a deleted user or team have none of their own.
 */
export function happenedEvents(before: Engine, after: Engine, changes: readonly Change[]): HappenedEvent[] {
  const subjects = new Map<string, () => HappenedEvent[]>()
  for (const change of changes) {
    if (change.projectId !== after.projectId) continue
    const [subject, tell] = subjectOf(before, after, change) ?? []
    if (subject !== undefined && tell && !subjects.has(subject)) subjects.set(subject, tell)
  }
  return [...subjects.values()].flatMap(tell => tell())
}

/** What a row belongs to, and what is to be told of that. */
function subjectOf(before: Engine, after: Engine, { table, id }: Change): [string, () => HappenedEvent[]] | null {
  const was = before.tables
  const is = after.tables
  switch (table) {
    case 'users':
      return ofUser(id)
    case 'contactChannels':
    case 'oauthAccounts': {
      const row = is[table].get(id) ?? was[table].get(id)
      return row ? ofUser(row.userId) : null
    }
    case 'passkeys':
      return ofUser(id)
    case 'teams':
      return [`team ${id}`, () => teamEvents(was, is, id)]
    case 'memberships':
      return [`membership ${id}`, () => memberEvents(was, is, id)]
    case 'teamGrants':
      return [`team grant ${id}`, () => teamGrantEvents(was, is, id)]
    case 'projectGrants':
      return [`project grant ${id}`, () => projectGrantEvents(was, is, id)]
    default:
      return null
  }

  function ofUser(userId: string): [string, () => HappenedEvent[]] {
    return [`user ${userId}`, () => userEvents(before, after, userId)]
  }
}

function userEvents(before: Engine, after: Engine, id: string): HappenedEvent[] {
  const was = before.tables.users.get(id)
  const is = after.tables.users.get(id)
  if (is && !was) return [{ type: 'user.created', data: userOnWire(after, is) }]
  if (is && was) return isChanged(before, after, was, is) ? [{ type: 'user.updated', data: userOnWire(after, is) }] : []
  if (!was) return []
  const teams = before.tables.memberships.by('userId', id).map(({ teamId }) => ({ id: teamId }))
  return [{ type: 'user.deleted', data: { id, teams } }]
}

function isChanged(before: Engine, after: Engine, was: UserRow, is: UserRow): boolean {
  // A team that was left is selected no more: that is told as the end of a membership.
  const isLeft = is.selectedTeamId === null && !after.tables.memberships.get(`${String(was.selectedTeamId)} ${is.id}`)
  const seen = (engine: Engine, user: UserRow) => ({
    ...user,
    ...toServerUser(engine, user),
    lastActiveAt: null,
    // The selected team may have changed, which is an event of the team.
    selectedTeam: null,
    selectedTeamId: isLeft ? null : user.selectedTeamId,
  })
  const old = seen(before, was)
  return share(old, seen(after, is)) !== old
}

function userOnWire(engine: Engine, row: UserRow): unknown {
  return toWire(engine.rules.hasNewerFields ? NewerServerUser : ServerUser, toServerUser(engine, row))
}

function teamEvents(was: Rows, is: Rows, id: string): HappenedEvent[] {
  const [old, row] = [was.teams.get(id), is.teams.get(id)]
  if (!row) return old ? [{ type: 'team.deleted', data: { id } }] : []
  if (old && share(old, row) === old) return []
  return [{ type: old ? 'team.updated' : 'team.created', data: toWire(ServerTeam, toServerTeam(row)) }]
}

function memberEvents(was: Rows, is: Rows, id: string): HappenedEvent[] {
  const [old, row] = [was.memberships.get(id), is.memberships.get(id)]
  const member = row ?? old
  // A change of the profile has no event.
  if (!member || (row && old) || !isThere(is, member)) return []
  const data = { team_id: member.teamId, user_id: member.userId }
  return [{ type: row ? 'team_membership.created' : 'team_membership.deleted', data }]
}

function teamGrantEvents(was: Rows, is: Rows, id: string): HappenedEvent[] {
  const [old, row] = [was.teamGrants.get(id), is.teamGrants.get(id)]
  const grant = row ?? old
  if (!grant || (row && old) || !is.memberships.get(`${grant.teamId} ${grant.userId}`)) return []
  const data = { id: grant.permissionId, user_id: grant.userId, team_id: grant.teamId }
  return [{ type: row ? 'team_permission.created' : 'team_permission.deleted', data }]
}

function projectGrantEvents(was: Rows, is: Rows, id: string): HappenedEvent[] {
  const [old, row] = [was.projectGrants.get(id), is.projectGrants.get(id)]
  const grant = row ?? old
  if (!grant || (row && old) || !is.users.get(grant.userId)) return []
  const data = { id: grant.permissionId, user_id: grant.userId }
  return [{ type: row ? 'project_permission.created' : 'project_permission.deleted', data }]
}

function isThere({ teams, users }: Rows, { teamId, userId }: { readonly teamId: string; readonly userId: string }) {
  return teams.get(teamId) !== undefined && users.get(userId) !== undefined
}
