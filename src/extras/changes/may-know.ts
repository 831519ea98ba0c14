import * as v from 'valibot'
import type { Clock } from '../../core/clock'
import { items } from '../../core/wire'
import { recursive } from '../../entities/permissions/shape'
import { coreOf, type Kit } from '../../store/kit-parts'
import { call, checkInput } from '../../transport/call'
import { endpoint, type Endpoint } from '../../transport/endpoint'
import { Cache, LoadLimit, type Cached } from './cached'
import type { RelayedEvent } from './message'

/** Whether a user is told of an event; 'unsure': not of it, but that something may have been missed. */
export type Verdict = 'told' | 'untold' | 'unsure'

/** A user with open streams. */
export interface StreamReader {
  readonly userId: string
  /** By the id of a team: whether the user is told of its deletion, by what was last known of its members. */
  readonly teams: Map<string, Verdict>
  /** Since when `teams` has all of the user's teams, in monotonic time. */
  knownAt: number | undefined
}

const member = v.object({ userId: v.string() })
const listMembers = endpoint('GET /team-member-profiles', {
  access: 'server',
  query: { teamId: v.string() },
  returns: items(member),
  fails: ['TEAM_NOT_FOUND'],
})
const listPermissions = endpoint('GET /team-permissions', {
  access: 'server',
  query: { teamId: v.string(), recursive },
  returns: items(v.object({ id: v.string(), userId: v.string() })),
  fails: ['TEAM_NOT_FOUND'],
})
const listTeams = endpoint('GET /teams', {
  access: 'server',
  query: { userId: v.string() },
  returns: items(v.object({ id: v.string() })),
  fails: ['USER_NOT_FOUND'],
})

/** The members of a team: whether each may read the members. */
type Roster = ReadonlyMap<string, boolean>

/** A webhook is at most so late, as a rule: the team may have been deleted before the user connected. */
const lateMillis = 20_000

/** The platform does not know the team. */
const noTeam: Roster = new Map()

/**
 * Who may know of an event, by the membership and the permissions that the platform has: what it says is kept until an event tells
 * of a change.
 */
export class MayKnow {
  readonly #server: Kit<'server'>
  readonly #clock: Clock
  readonly #readers: ReadonlyMap<string, StreamReader>
  readonly #rosters: Cache<Roster>
  readonly #teams: Cache<ReadonlySet<string>>

  constructor(server: Kit<'server'>, readers: ReadonlyMap<string, StreamReader>) {
    const { clock } = coreOf(server)
    const limit = new LoadLimit()
    this.#server = server
    this.#clock = clock
    this.#readers = readers
    this.#rosters = new Cache(clock, limit, (teamId, signal) => this.#loadRoster(teamId, signal))
    this.#teams = new Cache(clock, limit, async (userId, signal) => {
      const teams = await this.#list(listTeams, { userId }, signal)
      return new Set(teams?.map(({ id }) => id))
    })
  }

  /** Marks the answers that the event makes stale. Called at once, whatever is known of earlier events. */
  note({ change: { type, data } }: RelayedEvent): void {
    const { userId = '', teamId = '' } = data
    if (type === 'user.created' || type === 'user.deleted') {
      // The default permissions of a new user have no events.
      this.#rosters.doubt(undefined, userId)
      this.#teams.forget(userId)
    } else if (type === 'team.created' || type === 'team.deleted') {
      // Nor have the membership and the permissions of a team's creator.
      this.#rosters.forget(teamId)
      this.#teams.doubt(undefined, teamId)
    } else if (type.startsWith('team_')) {
      this.#rosters.doubt(teamId, userId)
      if (!type.startsWith('team_membership.')) return
      this.#teams.doubt(userId, teamId)
      this.#readers.get(userId)?.teams.set(teamId, 'unsure')
    }
  }

  /** The teams of a user who has connected: once a team is deleted, the platform no longer says who was in it. */
  async meet(reader: StreamReader): Promise<void> {
    const { value, doubts } = await this.#teams.get(reader.userId)
    // An entry that is there already is newer than this answer.
    for (const teamId of value) if (!doubts.has(teamId) && !reader.teams.has(teamId)) reader.teams.set(teamId, 'told')
    reader.knownAt = this.#clock.monotonic()
  }

  /** Says of each user whether to tell of the event, by the state of this moment. Rejects if that cannot be loaded. */
  async judge({ change: { type, data }, teamIds }: RelayedEvent): Promise<(userId: string) => Verdict> {
    const { userId, teamId } = data
    if (type === 'project_permission.created' || type === 'project_permission.deleted')
      return reader => (reader === userId ? 'told' : 'untold')
    if (type === 'team.deleted') return reader => this.#wasMember(reader, teamId ?? '')
    const isOfTeam = type === 'team.created' || type === 'team.updated'
    const isOfUser = type === 'user.created' || type === 'user.updated'
    const shared = teamId === undefined ? (teamIds ?? (await this.#teamsOf(userId ?? ''))) : [teamId]
    const rosters = await Promise.all(shared.map(each => this.#rosterOf(each)))
    // The list of teams may be older than a roster.
    const present = rosters.filter(
      ({ value, doubts }) => !isOfUser || value.has(userId ?? '') || doubts.has(userId ?? ''),
    )
    return reader => {
      if (reader === userId) return 'told'
      const may = ({ value }: Cached<Roster>) => (isOfTeam ? value.has(reader) : value.get(reader) === true)
      const isSure = ({ doubts }: Cached<Roster>) => !doubts.has(reader) && !(isOfUser && doubts.has(userId ?? ''))
      if (present.some(each => may(each) && isSure(each))) return 'told'
      return present.every(isSure) ? 'untold' : 'unsure'
    }
  }

  #wasMember(userId: string, teamId: string): Verdict {
    const reader = this.#readers.get(userId)
    const knownMillis = this.#clock.monotonic() - (reader?.knownAt ?? Infinity)
    const known = reader?.teams.get(teamId) ?? (knownMillis > lateMillis ? 'untold' : 'unsure')
    reader?.teams.delete(teamId)
    return known
  }

  async #teamsOf(userId: string): Promise<readonly string[]> {
    const { value, doubts } = await this.#teams.get(userId)
    return [...new Set([...value, ...doubts])]
  }

  async #rosterOf(teamId: string): Promise<Cached<Roster>> {
    const roster = await this.#rosters.get(teamId)
    // Who was in a team that is deleted remains known until the event of that.
    if (roster.value === noTeam) return roster
    for (const { userId, teams } of this.#readers.values()) {
      if (roster.doubts.has(userId)) continue
      if (roster.value.has(userId)) teams.set(teamId, 'told')
      else if (teams.has(teamId)) teams.set(teamId, 'untold')
    }
    return roster
  }

  async #loadRoster(teamId: string, signal: AbortSignal): Promise<Roster> {
    const [members, permissions] = await Promise.all([
      this.#list(listMembers, { teamId }, signal),
      this.#list(listPermissions, { teamId }, signal),
    ])
    if (!members || !permissions) return noTeam
    const may = new Set(permissions.filter(({ id }) => id === '$read_members').map(({ userId }) => userId))
    return new Map(members.map(({ userId }) => [userId, may.has(userId)]))
  }

  /** Null for a team or a user that has been deleted. */
  async #list<I, T>(
    of: Endpoint<'server', I, readonly T[], 'TEAM_NOT_FOUND' | 'USER_NOT_FOUND'>,
    input: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly T[] | null> {
    const { transport } = coreOf(this.#server)
    const listed = await call(transport, of, checkInput(of, input), { signal })
    return listed.ok ? listed.value : null
  }
}
