import { isRecord } from '../../core/values'
import type { Cell } from '../../store/cell'
import { narrowed, allOf, type Target } from '../../store/definition'
import { only } from '../../store/write/mutation'
import { isStaleWith } from '../../store/source'
import { contactChannels$ } from '../../entities/contact-channels/client'
import { anyUser$ } from '../../entities/users/client'
import { projectPermissions$, teamPermissions$ } from '../../entities/permissions/client'
import { sessions$ } from '../../entities/sessions/client'
import { teamInvitations$ } from '../../entities/team-invitations/client'
import { teamMemberProfile$, teamMembers$ } from '../../entities/team-members/client'
import { team$ } from '../../entities/teams/client'

/** An event of the platform, as a page needs it: its kind, and the ids of what it is about. */
export interface PlatformEvent {
  readonly type: string
  /** The id of the user, the team or the permission. */
  readonly id: string
  readonly userId: string
  readonly teamId: string
}

/** The rule of which stores one event makes stale. */
interface StaleStores {
  readonly target: Target
  /** An id: of the kit's own stores, only those are stale whose arguments or value have it. */
  readonly showing?: string
  /** Only those without a team in their arguments, which show all teams. */
  readonly isForAllTeams?: true
  /** Stores of the app alone, which may show more than a client's. */
  readonly isForApps?: true
}

/** A longer text is no id of the platform. */
const longestId = 200

/** A longer text is no event, as for webhooks. */
export const longestText = 1_000_000

/** The event, passed on as the platform sends it or as a backend reads it; undefined if no store here can depend on it. */
export function toldIn(event: unknown): PlatformEvent | undefined {
  try {
    const parsed: unknown =
      typeof event === 'string' ? (event.length > longestText ? undefined : JSON.parse(event)) : event
    const { type, data } = isRecord(parsed) ? parsed : {}
    if (type === 'missed') return { type, id: '', userId: '', teamId: '' }
    if (typeof type !== 'string' || !isRecord(data)) return undefined
    const told = {
      type,
      id: idIn(data, 'id'),
      userId: idIn(data, 'user_id', 'userId'),
      teamId: idIn(data, 'team_id', 'teamId'),
    }
    // Without one of its ids the event names no store, or all of a group.
    const needed = neededBy(type)
    return needed?.every(name => told[name] !== '') ? told : undefined
  } catch {
    // The event is no JSON, or an object whose properties throw.
    return undefined
  }
}

function idIn(data: Readonly<Record<string, unknown>>, ...names: readonly string[]): string {
  const found = names
    .map(name => data[name])
    .find((id): id is string => typeof id === 'string' && id.length <= longestId)
  return found ?? ''
}

function neededBy(type: string): readonly ('id' | 'userId' | 'teamId')[] | undefined {
  if (/^(user|team)\.(created|updated|deleted)$/.test(type)) return ['id']
  const [, scope] = /^(team_membership|team_permission|project_permission)\.(created|deleted)$/.exec(type) ?? []
  switch (scope) {
    case 'team_membership':
      return ['teamId', 'userId']
    case 'team_permission':
      return ['id', 'teamId', 'userId']
    case 'project_permission':
      return ['id', 'userId']
    default:
      return undefined
  }
}

/** The stores that the event makes stale on a page of the user `me`; null while that is not known. */
export function touchedBy({ type, id, userId, teamId }: PlatformEvent, me: string | null): readonly StaleStores[] {
  const isMine = (id: string) => me === null || id === me
  switch (type) {
    case 'missed':
      return everything().map(target => ({ target }))
    case 'user.created':
    case 'user.updated':
    case 'user.deleted': {
      // The event does not name the changed fields: the primary address is a contact channel, and a new password ends
      // sessions.
      const own = isMine(id) ? [anyUser$, contactChannels$, sessions$].map(target => ({ target })) : []
      const shown = [allOf('user', { userId: id }), allOf('users')].map(target => ({ target, showing: id }))
      return [...own, ...shown, ...(type === 'user.updated' ? [] : forApps(allOf('owned', { userId: id })))]
    }
    case 'team.created':
      return wholeTeam(id)
    case 'team.updated':
      return showingTeam(id)
    case 'team.deleted':
      return [...showingTeam(id), ...wholeTeam(id)]
    case 'team_membership.created':
    case 'team_membership.deleted': {
      // A team that the user has left is no longer the selected one.
      if (isMine(userId)) return [...wholeTeam(teamId), { target: anyUser$, showing: teamId }]
      // An invitation ends with its acceptance.
      const members = [
        only(teamMembers$, { teamId }),
        only(teamMemberProfile$, { teamId, userId }),
        only(teamInvitations$, { teamId }),
      ]
      return [...members.map(target => ({ target })), ...forApps(allOf('teams'), allOf('team', { teamId }))]
    }
    case 'team_permission.created':
    case 'team_permission.deleted':
      return [
        ...ofPermission(isMine(userId), allOf('permission', { teamId }), allOf('permission', { permissionId: id })),
        ...(isMine(userId) ? [inAllTeams()] : []),
      ]
    default:
      return ofPermission(isMine(userId), projectPermissions$, allOf('permission', { permissionId: id }))
  }
}

/** A client sees its own user's permissions only. */
function ofPermission(isMine: boolean, ...targets: readonly Target[]): readonly StaleStores[] {
  return isMine ? targets.map(target => ({ target })) : forApps(...targets)
}

function forApps(...targets: readonly Target[]): readonly StaleStores[] {
  return targets.map(target => ({ target, isForApps: true }))
}

/** All stores that show a team: no event tells of the membership and the permissions of its creator. */
function wholeTeam(teamId: string): readonly StaleStores[] {
  return [{ target: allOf('teams') }, { target: allOf('team', { teamId }) }, inAllTeams()]
}

/** The permissions of the user in all teams. */
function inAllTeams(): StaleStores {
  return { target: teamPermissions$, isForAllTeams: true }
}

/** Lists of teams, the team itself, and the user who has selected it. */
function showingTeam(teamId: string): readonly StaleStores[] {
  return [allOf('teams'), only(team$, { teamId }), anyUser$].map(target => ({ target, showing: teamId }))
}

/** All stores that any event can make stale. */
function everything(): readonly Target[] {
  const groups = ['user', 'users', 'owned', 'team', 'teams', 'permission'] as const
  return [anyUser$, contactChannels$, sessions$, projectPermissions$, ...groups.map(group => allOf(group))]
}

/** Whether the cell is among those that an event makes stale. */
export function isTouched(cell: Cell, { target, showing, isForAllTeams, isForApps }: StaleStores): boolean {
  if (!isStaleWith(cell, narrowed(target))) return false
  if (cell.source.isOwn) return true
  if (isForAllTeams && (cell.input as { readonly teamId?: string }).teamId !== undefined) return false
  return !isForApps && (showing === undefined || shows(cell, showing))
}

/** A value that is not known yet may have it. */
function shows({ input, known: { base } }: Cell, id: string): boolean {
  return !base || contains(input, id) || contains(base.value, id)
}

function contains(value: unknown, id: string): boolean {
  if (typeof value === 'string') return value === id
  return typeof value === 'object' && value !== null && Object.values(value).some(part => contains(part, id))
}
