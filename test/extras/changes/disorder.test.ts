import { ada, grace } from '../../world'
import { changesWorld, eve, type Page } from './changes-world'

/** Numbers that look random, the same for a seed. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Made {
  readonly kind: string
  readonly team: string
  readonly at: number
  /** Who may know of it from then on. */
  readonly may: Set<number>
}

/** How late webhooks come. */
const lateMillis = 12_000

/** Who has just left may be told: members are kept for a second, loaded within eight, and a step takes up to four. */
const justLeftMillis = 13_000

/**
 * Changes of teams whose webhooks come late, twice and in any order, while the platform fails now and then and pages come and go. Returns
 * what was lost, and what was told to a user who was no member.
 */
async function disorder(seed: number, isAsked: boolean) {
  const random = randomOf(seed)
  const people = [ada, grace, eve]
  const members = new Map<string, Set<number>>()
  const leftAt = new Map<string, number>()
  let ids: string[] = []
  const world = await changesWorld(
    isAsked
      ? {
          mayKnow: async (userId, { data }) => {
            await new Promise<void>(resolve => void world.clock.setTimeout(resolve, random(9000)))
            if (random(20) === 0) throw new Error('no database')
            return data.userId === userId || (members.get(data.teamId ?? '')?.has(ids.indexOf(userId)) ?? false)
          },
        }
      : {},
  )
  const { clock, admin, settled, state, sent, live, open, answerWith, platform } = world
  ids = [world.adaId, world.graceId, world.eveId]
  state.isHeld = true
  answerWith(async (input, init) => {
    if (new Request(input, init).url.endsWith('jwks.json')) return platform.options.fetch(input, init)
    if (random(10) === 0) throw new TypeError('fetch failed')
    const response = await platform.options.fetch(input, init)
    const millis = random(3) === 0 ? random(4000) : 0
    if (millis > 0) await new Promise<void>(resolve => void clock.setTimeout(resolve, millis))
    return response
  })
  const pages: Page[] = []
  const told: { readonly user: number; readonly type: string; readonly team: string; readonly at: number }[] = []
  const made: Made[] = []
  const foreign: unknown[] = []
  const wait = async (millis: number) => {
    await clock.advance(millis)
    pages.forEach((page, user) => {
      for (const { type, data } of page.events.splice(0)) {
        const team = data?.['teamId'] ?? ''
        const at = clock.monotonic()
        told.push({ user, type, team, at })
        const isMember = members.get(team)?.has(user) ?? false
        const hasJustLeft = at - (leftAt.get(`${user} ${team}`) ?? -Infinity) < justLeftMillis
        if (type === 'team.updated' && !isMember && !hasJustLeft) foreign.push({ seed, user, type, at })
      }
    })
  }
  for (const [user, person] of people.entries()) pages[user] = await open(person)
  const note = (kind: string, team: string, may: Iterable<number>) => {
    made.push({ kind, team, at: clock.monotonic(), may: new Set(may) })
  }
  const leave = (team: string, user: number) => {
    leftAt.set(`${user} ${team}`, clock.monotonic())
    for (const each of made) if (each.team === team && each.kind !== 'team_membership.deleted') each.may.delete(user)
  }
  const waiting: { readonly request: Request; readonly at: number }[] = []
  for (let step = 0; step < 60; step++) {
    const user = random(3)
    const team = [...members.keys()][random(members.size)]
    const of = team === undefined ? undefined : members.get(team)
    const kind = random(5)
    if (!team || !of || members.size < 2) {
      const created = await settled(admin.createTeamById({ displayName: 'Team', creatorUserId: ids[user]! }))
      if (!created.ok) throw created.error
      members.set(created.value.id, new Set([user]))
      note('team.created', created.value.id, [user])
    } else if (kind === 0) {
      await settled(admin.deleteTeamById({ teamId: team }))
      for (const each of made) if (each.team === team) each.may.clear()
      for (const each of of) leftAt.set(`${each} ${team}`, clock.monotonic())
      // Only the app knows who was a member.
      if (!isAsked) note('team.deleted', team, of)
      members.delete(team)
    } else if (kind === 1 && of.has(user)) {
      await settled(admin.removeTeamMemberById({ teamId: team, userId: ids[user]! }))
      of.delete(user)
      leave(team, user)
      note('team_membership.deleted', team, [user])
    } else if (kind === 2 && !of.has(user)) {
      await settled(admin.addTeamMemberById({ teamId: team, userId: ids[user]! }))
      of.add(user)
      note('team_membership.created', team, [user])
    } else {
      await settled(admin.updateTeamById({ teamId: team, displayName: `Team ${step}` }))
      note('team.updated', team, of)
    }
    await settled(platform.webhooks.idle())
    const now = clock.monotonic()
    waiting.push(...sent.splice(0).map(request => ({ request, at: now })))
    while (waiting.some(({ at }) => now - at > lateMillis) || (waiting.length > 0 && random(3) > 0)) {
      const [next] = waiting.splice(random(waiting.length), 1)
      if (random(5) === 0) waiting.push({ request: next!.request.clone(), at: now })
      const received = live.receive(next!.request)
      await clock.advance(1)
      await settled(received)
    }
    await wait([1, 50, 1000, 4000][random(4)]!)
    if (random(4) === 0) {
      const page = pages[user]!
      await wait(0)
      page.leave()
      await wait([0, 100, 5000][random(3)]!)
      pages[user] = await open(people[user]!, { lastId: page.lastId })
    }
  }
  for (const { request } of waiting) await settled(live.receive(request))
  await wait(1)
  for (let second = 0; second < 60; second++) await wait(1000)
  const lost = made.flatMap(({ kind, team, at, may }) =>
    [...may].flatMap(user =>
      told.some(
        each =>
          each.user === user && each.at >= at && (each.type === 'missed' || (each.type === kind && each.team === team)),
      )
        ? []
        : [{ seed, user, kind, at }],
    ),
  )
  live.close()
  return { lost, foreign }
}

it.each([
  ['the platform decides', false],
  ['mayKnow decides, late', true],
])('in any order of webhooks each change is told or answered by missed, where %s', async (_, isAsked) => {
  for (let seed = 1; seed <= 5; seed++) expect(await disorder(seed, isAsked)).toEqual({ lost: [], foreign: [] })
})
