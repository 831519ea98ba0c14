import { jsonText, isRecord, parseJson } from '../../core/values'
import type { WebhookEvent, WebhookType } from '../../entities/webhooks/server-events'
import { toldIn } from '../live/touched-by'

/** The part of an event that pages are told: its type, and the ids that say what to load. */
export interface EventNotice {
  readonly type: WebhookType
  readonly data: { readonly id?: string; readonly userId?: string; readonly teamId?: string }
}

/** An event on its way to the pages, between processes too. */
export interface RelayedEvent {
  /** The id of the webhook: the same in every process and in every attempt. */
  readonly id: string
  readonly change: EventNotice
  /** The teams that a deleted user was in, which the platform no longer says. */
  readonly teamIds: readonly string[] | undefined
}

/** Events may have been lost; `id` is empty, or that of a webhook that says too little. */
interface Missed {
  readonly id: string
  readonly change?: undefined
}

/** Says that events may have been lost. */
export const missedText = '{"type":"missed"}'

/** Members of more teams than this are told by the ends of the memberships alone: PostgreSQL sends no longer texts. */
const mostTeams = 100

/** Other texts are no ids of a webhook. Pages send them back in a header. */
const webhookId = /^[!-~]{1,200}$/

/** A longer text is none of `textOf`. */
const longestText = 32_000

/** The text for all processes: ids alone, as an event contains what only servers may see. Undefined: no page needs the event. */
export function textOf(event: WebhookEvent): string | undefined {
  if (event.type === 'unknown') return undefined
  const { id, type, data } = event
  const { teams, ...ids } = data as Partial<Record<'id' | 'userId' | 'teamId', string>> & {
    readonly teams?: readonly { readonly id: string }[]
  }
  const told = { id: ids.id, userId: ids.userId, teamId: ids.teamId }
  const hasTeams = type === 'user.deleted' && teams && teams.length <= mostTeams
  return jsonText({
    id,
    type,
    data: { ...told, ...(hasTeams && { teams: teams.map(team => ({ id: team.id })) }) },
  })
}

/** The message in a text of another process; undefined: it is none. */
export function messageIn(text: unknown): RelayedEvent | Missed | undefined {
  const parsed = typeof text === 'string' && text.length <= longestText ? parseJson(text) : undefined
  const told = toldIn(parsed)
  if (!told || !isRecord(parsed)) return undefined
  const { id = '', data } = parsed
  const isMissed = told.type === 'missed'
  if (typeof id !== 'string' || !(webhookId.test(id) || (isMissed && id === ''))) return undefined
  if (isMissed) return { id }
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
