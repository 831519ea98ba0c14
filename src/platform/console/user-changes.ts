import { decodeJwt } from 'jose'
import { EMPTY, mergeMap, Observable, of, takeUntil, type MonoTypeOperatorFunction } from 'rxjs'
import type { Clock } from '../../core/clock'
import { isRecord } from '../../core/values'
import type { Claims } from '../model/access-tokens'
import type { PlatformServices } from '../model/engine'
import { plain } from '../model/refusal'
import type { LocalEvent, LocalWebhook } from './local-access'

/** Where pages follow changes: unlike the rest of the console's addresses, for pages of other origins on this machine too. */
export const changesPath = '/__local__/changes'

/** The answer may be read by every page that the guard admits: without an access token it says nothing. */
export const changesHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization',
  'access-control-max-age': '86400',
  'cross-origin-resource-policy': 'cross-origin',
}

/** An event of a change, in wire names, with its ids alone. */
export interface UserChange {
  readonly type: string
  readonly data?: Readonly<Record<'id' | 'user_id' | 'team_id', string>>
}

/** The user of the access token in `authorization: Bearer`, and when the token expires, in milliseconds since 1970. */
export async function readerOf(
  { headers }: Request,
  { accessTokens, journal }: PlatformServices,
): Promise<{ readonly claims: Claims; readonly expiresAt: number }> {
  const [, token = ''] = /^Bearer ([\w.-]+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const verified = await accessTokens.verify(token)
  if (verified.status !== 'valid') throw plain(401, 'Changes are told to users: send authorization: Bearer <token>.')
  const { claims } = verified
  if (!journal.committed.of(claims.projectId).users.get(claims.userId))
    throw plain(401, 'The user of the access token does not exist any more.')
  return { claims, expiresAt: (decodeJwt(token).exp ?? 0) * 1000 }
}

/** Ends the stream at the moment, in milliseconds since 1970. */
export function untilMoment<T>(moment: number, clock: Clock): MonoTypeOperatorFunction<T> {
  return takeUntil(
    new Observable<void>(subscriber =>
      clock.setTimeout(() => subscriber.next(), Math.max(0, moment - clock.now()), { keepAlive: false }),
    ),
  )
}

/** The changes that the user may know of: of the own user, of people in the same teams, and of those teams. */
export function changesFor(
  { projectId, userId }: Claims,
  events$: Observable<LocalEvent>,
  { journal }: PlatformServices,
): Observable<UserChange> {
  const teamsOf = (id: string) => {
    const { memberships } = journal.committed.of(projectId)
    return new Set(memberships.by('userId', id).map(({ teamId }) => teamId))
  }
  const teams = teamsOf(userId)
  const mayKnow = ({ type, data }: LocalWebhook) => {
    const { id, userId: whose, teamId } = idsIn(type, data)
    const now = teamsOf(userId)
    for (const each of now) teams.add(each)
    // Its memberships are gone with it.
    if (type === 'team.deleted') return teams.delete(teamId)
    if (whose === userId) {
      if (type === 'team_membership.deleted') teams.delete(teamId)
      return true
    }
    if (teamId !== '') return now.has(teamId)
    const inData: readonly unknown[] = isRecord(data) && Array.isArray(data['teams']) ? data['teams'] : []
    return [...teamsOf(id), ...inData.map(team => textIn(team, 'id'))].some(each => now.has(each))
  }
  return events$.pipe(
    mergeMap(event => {
      if (event.type === 'restored') return of({ type: 'missed' })
      if (event.type !== 'webhook' || event.projectId !== projectId || !mayKnow(event.webhook)) return EMPTY
      const { type, data } = event.webhook
      const ids = idsIn(type, data)
      return of({ type, data: { id: ids.id, user_id: ids.userId, team_id: ids.teamId } })
    }),
  )
}

function idsIn(type: string, data: unknown) {
  const id = textIn(data, 'id')
  return {
    id,
    userId: type.startsWith('user.') ? id : textIn(data, 'user_id'),
    teamId: type.startsWith('team.') ? id : textIn(data, 'team_id'),
  }
}

function textIn(data: unknown, name: string): string {
  const text = isRecord(data) ? data[name] : undefined
  return typeof text === 'string' ? text : ''
}
