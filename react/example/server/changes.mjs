import { randomUUID } from 'node:crypto'
import { finished } from 'node:stream'
import { isAuthError } from 'rxauth'
import { readWebhook } from 'rxauth/server'

/** What stands between closes a connection that is silent for longer. */
const beatMillis = 20_000

/** A reader that is so many bytes behind has gone, or is too slow: it connects anew. */
const mostWaiting = 1_000_000

/** A page loads for at most so long before it connects. */
const loadMillis = 10_000

/**
 * What happens to teams and users, while it happens, for the pages of users who may know: server-sent events with ids alone.
 * `webhooks$` has what the platform tells; of a hosted one, a route of this backend takes it with `verifyWebhook`.
 */
export function changes({ app, projectId, webhooks$ }) {
  const readers = new Set()
  const epoch = randomUUID()
  let told = 0
  let toldAt = -Infinity
  /** How far a reader is; of another process it is another text. */
  const place = () => `${epoch}-${told}`
  const none = error => (isAuthError(error, 'TEAM_NOT_FOUND', 'USER_NOT_FOUND') ? [] : Promise.reject(error))
  const teamsOf = userId => app.teamsOf$({ userId }).refresh().catch(none)
  const membersOf = ({ id }) => app.teamMembersOf$({ teamId: id }).refresh().catch(none)

  /** To members of the team at this moment; of a user, to members of the same teams. */
  async function tell({ type, data }) {
    const { id, teamId = type.startsWith('team.') ? id : '', userId = type.startsWith('user.') ? id : '' } = data
    const shared = async () => (type.startsWith('user.') ? (data.teams ?? (await teamsOf(userId))) : [])
    const teams = teamId ? [{ id: teamId }] : await shared()
    const members = new Set((await Promise.all(teams.map(membersOf))).flat().map(member => member.userId))
    for (const reader of readers) {
      const wasMember = type === 'team.deleted' && reader.teams.get(teamId)
      if (reader.userId === userId || members.has(reader.userId) || wasMember)
        reader.write({ type, data: { id, teamId, userId } })
      if (teamId) reader.teams.set(teamId, members.has(reader.userId))
    }
  }

  // One after the other, in the order in which they happened.
  let telling = Promise.resolve()
  const subscription = webhooks$.subscribe(({ projectId: of, id, type, data }) => {
    if (of !== projectId) return
    const tellAll = async () => {
      if (readers.size > 0) await tell(readWebhook({ id, sentAt: new Date(), type, data }))
    }
    telling = telling
      .then(tellAll)
      .catch(error => {
        // Pages load what they show.
        for (const { write } of readers) write({ type: 'missed' })
        console.error('backend:', error)
      })
      .then(() => {
        told++
        toldAt = performance.now()
      })
  })

  return {
    /** Until the access token expires; the page then comes back with another one. */
    async follow(request, response, { userId, expiresAt }) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      const send = (event, data) => {
        response.write(`event: ${event}\nid: ${place()}\ndata: ${JSON.stringify(data)}\n\n`)
        if (response.writableLength > mostWaiting) response.destroy()
      }
      const after = new URL(request.url, 'http://localhost').searchParams.get('after')
      const hasMissed = after ? after !== place() : performance.now() - toldAt < loadMillis
      const reader = { userId, teams: new Map(), write: data => send('message', data) }
      readers.add(reader)
      const timers = [
        setInterval(send, beatMillis, 'beat', null),
        setTimeout(() => response.end(), expiresAt.getTime() - Date.now()),
      ]
      finished(response, () => {
        readers.delete(reader)
        timers.forEach(clearTimeout)
      })
      // At once: what stands between passes headers on with the first bytes only.
      if (hasMissed) reader.write({ type: 'missed' })
      else send('beat', null)
      // What was told meanwhile is newer.
      for (const { id } of await teamsOf(userId)) if (!reader.teams.has(id)) reader.teams.set(id, true)
    },
    close: () => subscription.unsubscribe(),
  }
}
