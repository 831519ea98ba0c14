import { isRecord, parseJson } from '../../core/values'
import type { WebhookEvent, WebhookType } from '../../entities/webhooks/server-events'
import { toldIn } from '../live/touched-by'

/** What a page is told of an event: its type, and the ids that say what to load. */
export interface Change {
  readonly type: WebhookType
  readonly data: { readonly id?: string; readonly userId?: string; readonly teamId?: string }
}

/** An event on its way to the pages, between processes too. */
export interface Message {
  /** Of the webhook: the same in every process and in every attempt. */
  readonly id: string
  readonly change: Change
  /** The teams that a deleted user was in, which the platform no longer says. */
  readonly teamIds: readonly string[] | undefined
}

/** Says that events may have been lost. */
export const missedText = '{"type":"missed"}'

/** Members of more teams than this are told by the ends of the memberships alone: PostgreSQL sends no longer texts. */
const mostTeams = 100

/** A longer id is none of the platform. */
const longestId = 200

/** The text for all processes: ids alone, as an event contains what only servers may see. Undefined: no page needs the event. */
export function textOf(event: WebhookEvent): string | undefined {
  if (event.type === 'unknown') return undefined
  const { id, type, data } = event
  const { teams, ...ids } = data as Partial<Record<'id' | 'userId' | 'teamId', string>> & {
    readonly teams?: readonly { readonly id: string }[]
  }
  const told = { id: ids.id, userId: ids.userId, teamId: ids.teamId }
  const hasTeams = type === 'user.deleted' && teams && teams.length <= mostTeams
  return JSON.stringify({
    id,
    type,
    data: { ...told, ...(hasTeams && { teams: teams.map(team => ({ id: team.id })) }) },
  })
}

/** The message in a text of another process; 'missed' where that process may have lost some; undefined: it is no message. */
export function messageIn(text: unknown): Message | 'missed' | undefined {
  const parsed = typeof text === 'string' ? parseJson(text) : undefined
  const told = toldIn(parsed)
  if (!told || !isRecord(parsed)) return undefined
  if (told.type === 'missed') return 'missed'
  const { id, data } = parsed
  if (typeof id !== 'string' || id === '' || id.length > longestId) return undefined
  // `toldIn` knows the same types.
  const type = told.type as WebhookType
  const ids = {
    id: told.id,
    userId: type.startsWith('user.') ? told.id : told.userId,
    teamId: type.startsWith('team.') ? told.id : told.teamId,
  }
  const change = { type, data: Object.fromEntries(Object.entries(ids).filter(([, each]) => each !== '')) }
  return { id, change, teamIds: teamIdsIn(data) }
}

function teamIdsIn(data: unknown): readonly string[] | undefined {
  const teams = isRecord(data) ? data['teams'] : undefined
  if (!Array.isArray(teams)) return undefined
  return teams.flatMap(team => (isRecord(team) && typeof team['id'] === 'string' ? [team['id']] : []))
}
