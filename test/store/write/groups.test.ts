import { allOf, mutation, patch, query, type Kit, type Target } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'
import { ownKit } from '../own-backend'

interface Of {
  readonly teamId?: string
  readonly page?: number
}

/** Queries of three kinds over one backend, which notes what it is asked. */
function boards() {
  const asked: string[] = []
  const ask = (name: string) => async (_: Kit, input: Of) => {
    asked.push(`${name} ${input.teamId ?? 'all'}${input.page === undefined ? '' : ` ${input.page}`}`)
    return [name]
  }
  return {
    asked,
    cards$: query(ask('cards'), { key: 'cards', ownedBy: 'app', partOf: 'team' }),
    charts$: query(ask('charts'), { key: 'charts', ownedBy: 'app', partOf: ['permission', 'team'] }),
    others$: query(ask('others'), { key: 'others', ownedBy: 'app' }),
  }
}

async function watched() {
  const own = ownKit()
  const { asked, cards$, charts$, others$ } = boards()
  for (const query$ of [cards$, charts$, others$])
    for (const input of [{}, { teamId: 'a' }, { teamId: 'b' }, { teamId: 'a', page: 2 }])
      query$(own.kit, input).subscribe()
  await own.clock.advance(1000)
  asked.length = 0
  const after = async (...targets: Target[]) => {
    await own.clock.settled(mutation(async () => undefined, { refreshes: () => targets })(own.kit, {}))
    await own.clock.advance(1000)
    return asked.splice(0).sort()
  }
  return { ...own, asked, cards$, charts$, others$, after }
}

describe('a write that refreshes allOf a group', () => {
  // Promise: write-of-a-group
  it('reloads the stores of every query of the group whose arguments include these, and no other', async () => {
    const { after } = await watched()
    expect(await after(allOf('team', { teamId: 'a' }))).toEqual(['cards a', 'cards a 2', 'charts a', 'charts a 2'])
  })

  it('reloads all stores of the group without arguments', async () => {
    const { after } = await watched()
    expect(await after(allOf('permission', {}))).toEqual(['charts a', 'charts a 2', 'charts all', 'charts b'])
  })

  it('reloads a store once, in however many groups it is', async () => {
    const { after } = await watched()
    expect(await after(allOf('team', { teamId: 'b' }), allOf('permission', {}))).toEqual([
      'cards b',
      'charts a',
      'charts a 2',
      'charts all',
      'charts b',
    ])
  })

  it('reloads nothing for a name that is no group, although it is part of the name of one', async () => {
    const { after } = await watched()
    // @ts-expect-error the compiler refuses it
    expect(await after(allOf('tea', {}))).toEqual([])
  })

  it('marks stores without subscribers as stale: the next get() loads', async () => {
    const { asked, kit, cards$, clock, after } = await watched()
    const store = cards$(kit, { teamId: 'c' })
    await clock.settled(store.get())
    asked.length = 0
    expect(await after(allOf('team', { teamId: 'c' }))).toEqual([])
    await clock.settled(store.get())
    expect(asked).toEqual(['cards c'])
  })

  it('makes the answer of an overlapping write to a member unusable: the member loads', async () => {
    const { asked, kit, cards$, clock, run } = await watched()
    const finish: (() => void)[] = []
    const waiting = () => new Promise<void>(resolve => finish.push(resolve))
    const archive = mutation(waiting, { refreshes: () => [allOf('team', { teamId: 'a' })] })
    const add = mutation(waiting, {
      refreshes: () => [],
      writes: () => [patch(cards$, { teamId: 'a' }, all => [...all, 'added'])],
    })
    void archive(kit, {})
    const added = add(kit, {})
    await run()
    finish[1]!()
    await clock.settled(added)
    expect([asked, cards$(kit, { teamId: 'a' }).snapshot]).toEqual([
      ['cards a', 'cards a 2'],
      expect.objectContaining({ status: 'ready', value: ['cards'] }),
    ])
  })
})

describe('the kit’s own writes', () => {
  const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
  const otherId = 'c0c1d2e3-1111-4222-8333-444455556667'

  async function signedIn({ onServer = false } = {}) {
    const members = [{ email: ada.email, permissions: ['team_admin'] }, grace]
    const seed = {
      users: [ada, grace],
      teams: [
        { id: teamId, displayName: 'Ops', members },
        { id: otherId, displayName: 'Lab', members },
      ],
    }
    const one = await world({
      platform: { seed: { ...seed, project: { config: { clientTeamCreationEnabled: true } } } },
    })
    const { asked, cards$ } = boards()
    const lists: string[] = []
    const list = (name: string) => async () => {
      lists.push(name)
      return [name]
    }
    const allCards$ = query(list('all cards'), { key: 'all cards', ownedBy: 'app', partOf: 'teams' })
    const people$ = query(list('people'), { key: 'people', ownedBy: 'app', partOf: 'users' })
    const person$ = query(list('person'), { key: 'person', ownedBy: 'app', partOf: 'user' })
    const server = createServerApp(one.platform.serverOptions)
    const kits = onServer ? [server] : [one.app]
    for (const kit of kits) {
      for (const id of [teamId, otherId]) cards$(kit, { teamId: id }).subscribe()
      for (const query$ of [allCards$, people$, person$]) query$(kit).subscribe()
    }
    await one.clock.advance(1000)
    asked.length = 0
    lists.length = 0
    const seen = async (write: Promise<unknown>) => {
      await one.inTime(write)
      await one.clock.advance(1000)
      return [...asked.splice(0), ...lists.splice(0)].sort()
    }
    return { ...one, server, seen }
  }

  // Promise: write-of-a-group
  it('deleteTeam and leaveTeam reload the app’s stores of the team, and its lists of teams', async () => {
    const { app, seen } = await signedIn()
    expect(await seen(app.leaveTeam({ teamId: otherId }))).toEqual(['all cards', `cards ${otherId}`])
    expect(await seen(app.deleteTeam({ teamId }))).toEqual(['all cards', `cards ${teamId}`])
  })

  it('createTeam and updateTeam reload the app’s lists of teams only', async () => {
    const { app, seen } = await signedIn()
    expect(await seen(app.createTeam({ displayName: 'New' }))).toEqual(['all cards'])
    expect(await seen(app.updateTeam({ teamId, displayName: 'Newer' }))).toEqual(['all cards'])
  })

  it('updateUser reloads the app’s lists that show users, for a new name only', async () => {
    const { app, seen } = await signedIn()
    expect(await seen(app.updateUser({ displayName: 'Ada King' }))).toEqual(['people', 'person'])
    expect(await seen(app.updateUser({ clientMetadata: { theme: 'dark' } }))).toEqual([])
  })

  it('a new primary address reloads the app’s stores of the user', async () => {
    const { app, seen } = await signedIn()
    expect(await seen(app.createContactChannel({ value: 'home@example.com', isPrimary: true }))).toEqual(['person'])
  })

  it('of a server reload the app’s stores of the team that is joined or left, and its lists of teams', async () => {
    const { app, server, seen } = await signedIn({ onServer: true })
    const { id: userId } = (await app.user$.get())!
    const made = server.createTeamById({ displayName: 'New', creatorUserId: userId })
    expect(await seen(made)).toEqual(['all cards'])
    const member = { teamId, userId }
    // The team may have been the selected one, which lists of users show.
    expect(await seen(server.removeTeamMemberById(member))).toEqual(['all cards', `cards ${teamId}`, 'people'])
    expect(await seen(server.addTeamMemberById(member))).toEqual(['all cards', `cards ${teamId}`])
  })
})
