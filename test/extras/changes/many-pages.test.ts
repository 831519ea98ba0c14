import { createServerApp, changes } from 'rxauth/server'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { runs } from '../../runs'
import { waitForSignatures } from '../../kit/server-world'
import { Page } from './changes-world'

const pagesCount = runs(40, 1000)
const changesCount = runs(120, 5000)
const teamsCount = pagesCount / 5

const idOf = (kind: 'a' | 'b', place: number) => `${kind}0c1d2e3-1111-4222-8333-${String(place).padStart(12, '0')}`

/** A project with people in teams, a page of each, and a backend. */
async function crowd() {
  const clock = virtualClock()
  waitForSignatures({ clock })
  const emails = Array.from({ length: pagesCount }, (_, place) => `user-${place}@example.com`)
  /** The users of each team, by their place. */
  const teams = Array.from({ length: teamsCount }, () => new Set<number>())
  emails.forEach((_, user) => {
    for (const team of [user, user * 7 + 3]) teams[team % teamsCount]!.add(user)
  })
  const platform = createPlatform({
    clock,
    seed: {
      users: emails.map(email => ({ email })),
      teams: teams.map((members, team) => ({
        id: idOf('b', team),
        displayName: `Team ${team}`,
        members: [...members].map(user => ({ email: emails[user]! })),
      })),
    },
  })
  const server = createServerApp(platform.serverOptions)
  const start = () => changes(server, { webhookSecret: platform.webhooks.secret })
  const state = { live: start() }
  platform.webhooks.add({ handler: request => state.live.receive(request) })
  const open = async (user: number, lastId = '') => {
    const { accessToken } = (await Promise.resolve((await platform.tokensFor(emails[user]!)).read()))!
    const headers = { authorization: `Bearer ${accessToken}`, ...(lastId && { 'last-event-id': lastId }) }
    const page = new Page(await clock.settled(state.live.stream(new Request('https://a.example/', { headers }))), true)
    await clock.advance(0)
    return page
  }
  const ids: string[] = []
  for (const email of emails) {
    const { accessToken } = (await Promise.resolve((await platform.tokensFor(email)).read()))!
    ids.push(
      (JSON.parse(atob(accessToken!.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/'))) as { sub: string }).sub,
    )
  }
  const random = (below: number) => Math.floor(clock.random() * below)
  /** The users who may know. */
  const change = async (): Promise<Set<number>> => {
    const [team, user] = [random(teamsCount), random(pagesCount)]
    const members = teams[team]!
    const [teamId, userId] = [idOf('b', team), ids[user]!]
    const kind = random(4)
    const done = async (made: Promise<unknown>) => {
      await clock.settled(made)
      await clock.settled(platform.webhooks.idle())
      await clock.advance(1)
    }
    if (kind === 0) await done(server.updateTeamById({ teamId, displayName: `Team ${random(1e9)}` }))
    else if (kind === 1) {
      await done(server.updateUserById({ userId, displayName: `User ${random(1e9)}` }))
      return new Set([user, ...teams.filter(each => each.has(user)).flatMap(each => [...each])])
    } else if (members.has(user)) {
      await done(server.removeTeamMemberById({ teamId, userId }))
      members.delete(user)
      return new Set([user, ...members])
    } else {
      await done(server.addTeamMemberById({ teamId, userId }))
      members.add(user)
    }
    return new Set(members)
  }
  return { clock, state, start, open, change, random }
}

// Promise: changes-reach-all-pages
it.each([[pagesCount, changesCount]])(
  'of %s pages and %s changes each is seen by exactly the users who may know, also after a sleep and a restart',
  async () => {
    const { clock, state, start, open, change, random } = await crowd()
    await clock.advance(60_000)
    const pages: Page[] = []
    for (let user = 0; user < pagesCount; user++) pages.push(await open(user))
    const openAgain = async (users: readonly number[]) => {
      for (const user of users) pages[user] = await open(user, pages[user]!.lastId)
    }
    const everyone = pages.map((_, user) => user)
    const take = () => pages.map(page => page.take())
    const wrong: unknown[] = []

    for (let made = 0; made < changesCount; made++) {
      if (made % 40 === 0) await clock.advance(15_000)
      const ended = () => everyone.filter(user => pages[user]!.end !== 'open')
      await openAgain(ended())
      take()
      const may = await change()
      const seen = take()
      // Tokens last for ten minutes: a page that comes back is told then, of what came before, too.
      const back = ended()
      await openAgain(back)
      const later = take()
      everyone.forEach(user => {
        const types = [...seen[user]!, ...later[user]!]
        // One that has just come back may be told `missed` within ten seconds.
        const isForeign = types.some(type => type !== 'missed') && !back.includes(user)
        if (may.has(user) ? types.length === 0 : isForeign) wrong.push({ made, user, types, may: may.has(user) })
      })
    }
    expect(wrong).toEqual([])

    // A tenth of the pages sleep.
    const asleep = everyone.filter(user => user % 10 === 0)
    for (const user of asleep) pages[user]!.leave()
    await clock.advance(60_000)
    const missed = new Set<number>()
    for (let made = 0; made < 20; made++) for (const user of await change()) missed.add(user)
    take()
    await clock.advance(15_000)
    await openAgain(asleep)
    await clock.advance(10_000)
    const seen = take()
    expect(asleep.filter(user => missed.has(user) && seen[user]!.length === 0)).toEqual([])

    // The process starts anew, and the pages come back within a second.
    const before = state.live
    state.live = start()
    before.close()
    await clock.advance(1)
    await change()
    await openAgain(everyone)
    take()
    const counts: number[] = []
    for (let second = 0; second < 10; second++) {
      await clock.advance(1000)
      counts.push(take().filter(types => types.includes('missed')).length)
    }
    expect(counts.reduce((sum, each) => sum + each)).toBe(pagesCount)
    expect(Math.max(...counts)).toBeLessThan(pagesCount / 3)
    expect(random(1)).toBe(0)
  },
)
