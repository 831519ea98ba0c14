import fc from 'fast-check'
import { inspect, type ClientApp, type CurrentUser } from 'rxauth'
import type { Wire } from 'rxauth/platform'
import { runs } from '../../runs'
import { slowTokens } from '../../session/slow-tokens'
import { ada, grace } from '../../world'
import { labId, opsId, teamWorld, watch } from './team-world'

const names = { [opsId]: /^Ops/, [labId]: /^Lab/ }

/** What a screen shows of the selected team, from the stores that an app would read. */
function screenOf(app: ClientApp) {
  return app.derive(read => {
    const { selectedTeamId: teamId, selectedTeam } = read(app.user$) ?? {}
    if (!teamId) return null
    const permissions = read(app.teamPermissions$({ teamId }))
    const members = read(app.teamMembers$({ teamId })).map(each => each.teamId)
    const mayDelete = read(app.can$({ permissionId: '$delete_team', teamId }))
    return { teamId, name: selectedTeam?.displayName, members, permissions, mayDelete }
  })
}
type Screen = ReturnType<ReturnType<typeof screenOf>['get']> extends Promise<infer T> ? T : never

/** The inconsistency of the shown values; null: all are of one team. */
function mixed(shown: Screen): string | null {
  if (!shown) return null
  const { teamId, name = '', members, permissions, mayDelete } = shown
  if (!names[teamId as typeof opsId].test(name)) return `${teamId} is called ${name}`
  const others = [...members, ...permissions.map(each => each.teamId)].filter(id => id !== teamId)
  if (others.length > 0) return `${teamId} has members or rights of ${others.join()}`
  // In Lab she is a plain member throughout; in Ops she may until the right is revoked.
  const isGranted = teamId === opsId && permissions.some(({ id }) => id === '$delete_team')
  return mayDelete === isGranted ? null : `${teamId} may be deleted: ${mayDelete}, and the rights say ${isGranted}`
}

function selectionOf(user: CurrentUser | null): string | null {
  if ((user?.selectedTeam?.id ?? null) === (user?.selectedTeamId ?? null)) return null
  return `${user?.selectedTeamId} is selected, and ${user?.selectedTeam?.id} is shown`
}

type Step =
  | { readonly do: 'select'; readonly teamId: string | null; readonly delayMillis: number }
  | { readonly do: 'fail'; readonly status: number }
  | { readonly do: 'lose' | 'rename' | 'watch' | 'unwatch' | 'refresh' | 'revoke' | 'join' }
  | { readonly do: 'pass'; readonly millis: number }

const lots = { teamId: fc.constantFrom(opsId, labId, null), delayMillis: fc.constantFrom(0, 50, 500, 3000) }
const others = ['lose', 'rename', 'watch', 'unwatch', 'refresh', 'revoke', 'join'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('select' as const), ...lots }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), millis: fc.constantFrom(0, 10, 300, 2000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), status: fc.constantFrom(400, 403, 500) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom(...others) }) },
)

describe('selecting a team', () => {
  it('shows the new team at once, and needs one request', async () => {
    const one = await teamWorld()
    await watch(one, one.app.teams$, all => all.length)
    const shown = await watch(one, one.app.user$, user => [user?.selectedTeamId, user?.selectedTeam?.displayName])
    one.requests.length = 0
    const selected = one.app.selectTeam({ teamId: labId })
    await one.clock.advance(0)
    expect(await one.inTime(selected)).toMatchObject({ selectedTeamId: labId })
    expect(shown).toEqual([
      [null, undefined],
      [labId, 'Lab'],
    ])
    expect(one.requests).toEqual(['PATCH /users/me'])
  })

  describe.each<Wire>(['2.8.18', '2026'])('on the wire %s', wire => {
    it.each<[watched: string, watch: (app: ClientApp) => unknown]>([
      ['nothing', () => undefined],
      ['user$', app => app.user$.subscribe()],
      ['auth$', app => app.auth$.subscribe()],
      ['teams$', app => app.teams$.subscribe()],
      ['a screen of the team', app => screenOf(app).subscribe()],
    ])('for the first time, right after a sign-in, asks for no user: %s is watched', async (_, watch) => {
      const { clock, newApp, requests, settled } = await teamWorld([], wire)
      const app = newApp()
      watch(app)
      const signedIn = app.signInWithPassword({ email: ada.email, password: ada.password })
      await clock.advance(0)
      expect(await settled(signedIn)).toMatchObject({ ok: true })
      const before = requests.filter(line => line === 'GET /users/me').length
      const selected = app.selectTeam({ teamId: labId })
      await clock.advance(10_000)
      expect((await settled(selected)).selectedTeamId).toBe(labId)
      expect(before).toBeLessThanOrEqual(1)
      expect(requests.filter(line => line === 'GET /users/me')).toHaveLength(before)
      expect(requests.filter(line => line === 'PATCH /users/me')).toHaveLength(1)
    })
  })

  it.each([0, 1, 500])('shows each screen once, a new object each, with tokens that take %i ms', async millis => {
    const { clock, newApp, platform, inTime } = await teamWorld()
    const tokens = slowTokens(clock, millis, (await platform.tokensFor(ada.email)).read()).store
    const app = newApp({ tokens })
    const screen = screenOf(app)
    const first = screen.get()
    const shown: Screen[][] = [[], []]
    for (const each of shown) screen.subscribe(value => each.push(value))
    await clock.advance(10_000)
    expect(await first).toBeNull()
    expect(shown).toEqual([[null], [null]])
    await inTime(app.selectTeam({ teamId: labId }))
    await inTime(app.user$.refresh())
    await inTime(app.teamMembers$({ teamId: labId }).refresh())
    const names = [undefined, 'Lab']
    expect(shown.map(each => each.map(value => value?.name))).toEqual([names, names])
  })

  describe('with a screen of the team that is selected', () => {
    /** Ada looks at the members of Ops, which is selected. */
    async function looking() {
      const one = await teamWorld()
      const { app, requests, inTime } = one
      await inTime(app.selectTeam({ teamId: opsId }))
      await watch(one, app.teams$, all => all.length)
      await watch(one, app.teamMembers$({ teamId: opsId }), all => all.length)
      const shown = await watch(one, app.user$, user => user?.selectedTeamId)
      requests.length = 0
      return { ...one, shown }
    }
    const members = 'GET /team-member-profiles'

    // Promise: select-team
    it('loads the same of the new team first, and selects it then', async () => {
      const { app, platform, clock, requests, settled, shown } = await looking()
      platform.faults.next('GET /team-member-profiles', { delayMillis: 500 })
      const selecting = app.selectTeam({ teamId: labId })
      await clock.advance(499)
      expect([requests, shown]).toEqual([[], [opsId]])
      await clock.advance(1)
      await settled(selecting)
      expect([requests, shown]).toEqual([
        [members, 'PATCH /users/me'],
        [opsId, labId],
      ])
      expect(app.teamMembers$({ teamId: labId }).snapshot).toMatchObject({ status: 'ready' })
    })

    // Promise: select-team
    it('waits for no more than two seconds, and leaves no timer behind', async () => {
      const { app, platform, clock, requests, shown } = await looking()
      platform.faults.next('GET /team-member-profiles', { delayMillis: 10_000 })
      const { timers } = inspect(app)
      const selecting = app.selectTeam({ teamId: labId })
      await clock.advance(1_999)
      expect([requests, shown]).toEqual([[], [opsId]])
      await clock.advance(1)
      expect([requests, shown]).toEqual([['PATCH /users/me'], [opsId, labId]])
      await clock.advance(20_000)
      expect((await selecting).selectedTeamId).toBe(labId)
      expect(inspect(app).timers).toBe(timers)
    })

    // Promise: select-team
    it('goes on if the load of the new team fails', async () => {
      const { app, platform, inTime, shown } = await looking()
      platform.faults.next('GET /team-member-profiles', { status: 500 })
      await inTime(app.selectTeam({ teamId: labId }))
      expect(shown).toEqual([opsId, labId])
    })

    // Promise: select-team
    it('is overtaken by a later choice, as which it settles', async () => {
      const { app, platform, clock, requests, settled, shown } = await looking()
      platform.faults.next('GET /team-member-profiles', { delayMillis: 500 })
      const first = app.selectTeam({ teamId: labId })
      await clock.advance(100)
      const second = app.selectTeam({ teamId: null })
      await clock.advance(1_000)
      expect((await settled(first)).selectedTeamId).toBeNull()
      expect(await settled(second)).toBe(await settled(first))
      expect([requests, shown]).toEqual([
        ['PATCH /users/me', members],
        [opsId, null],
      ])
    })

    // Promise: select-team
    it('is not selected for another user, who signs in meanwhile', async () => {
      const { app, platform, clock, requests, settled } = await looking()
      platform.faults.next('GET /team-member-profiles', { delayMillis: 500 })
      const selecting = app.selectTeam({ teamId: labId })
      const refused = expect(selecting).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
      await clock.advance(100)
      await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
      await clock.advance(10_000)
      await refused
      expect(requests).not.toContain('PATCH /users/me')
    })

    // Promise: select-team
    it('sends nothing else once it is aborted', async () => {
      const { app, platform, clock, requests, shown } = await looking()
      platform.faults.next('GET /team-member-profiles', { delayMillis: 500 })
      const leaving = new AbortController()
      const selecting = app.selectTeam({ teamId: labId }, { signal: leaving.signal })
      const refused = expect(selecting).rejects.toMatchObject({ code: 'ABORTED' })
      await clock.advance(100)
      leaving.abort()
      await clock.advance(10_000)
      await refused
      expect([requests, shown]).toEqual([[], [opsId]])
    })

    // Promise: select-team
    it('does the same for a team that is selected elsewhere, before it shows the change', async () => {
      const { app, server, adaId, platform, clock, inTime, requests, shown } = await looking()
      await inTime(server.updateUserById({ userId: adaId, selectedTeamId: labId }))
      await clock.advance(5_000)
      requests.length = 0
      platform.faults.next('GET /team-member-profiles', { delayMillis: 500 })
      const refreshed = app.user$.refresh()
      await clock.advance(499)
      expect([requests, shown]).toEqual([['GET /users/me'], [opsId]])
      await clock.advance(1)
      expect((await refreshed)?.selectedTeamId).toBe(labId)
      expect(shown).toEqual([opsId, labId])
    })
  })

  it('that the user is not in throws, and shows nothing before', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.user$, user => user?.selectedTeamId)
    const teamId = one.adaId
    const refusal = { code: 'TEAM_MEMBERSHIP_NOT_FOUND', details: { teamId, userId: one.adaId } }
    await expect(one.inTime(one.app.selectTeam({ teamId }))).rejects.toMatchObject(refusal)
    expect(shown).toEqual([null])
  })

  it('that the kit does not know shows id and team together, when the platform has answered', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.user$, user => [user?.selectedTeamId, user?.selectedTeam?.displayName])
    await one.inTime(one.app.selectTeam({ teamId: labId }))
    await one.inTime(one.app.selectTeam({ teamId: null }))
    expect(shown).toEqual([
      [null, undefined],
      [labId, 'Lab'],
      [null, undefined],
    ])
  })

  // Promise: team-name-and-members
  it('shows no name with members or rights of another team, whatever happens in whatever order', async () => {
    let shownTeams = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async steps => {
        const one = await teamWorld()
        const { app, server, platform, clock, adaId, graceId } = one
        const wrong: (string | null)[] = []
        const live: { unsubscribe(): void }[] = []
        const note = (complaint: string | null) => complaint !== null && wrong.push(complaint)
        const watchAll = () => {
          const screen = screenOf(app)
          live.push(
            screen.subscribe({
              next: shown => {
                if (shown) shownTeams++
                note(mixed(shown))
              },
              // Without the right to see the members there is nothing to show.
              error: () => undefined,
            }),
            app.user$.subscribe(user => note(selectionOf(user))),
            app.teams$.subscribe(),
            {
              unsubscribe: screen.listen(
                () => screen.snapshot.status === 'ready' && note(mixed(screen.snapshot.value)),
              ),
            },
            // Others read everything on every notification.
            {
              unsubscribe: app.teams$.listen(() => {
                const now = screen.snapshot
                if (now.status === 'ready') note(mixed(now.value))
                const { snapshot } = app.user$
                if (snapshot.status === 'ready') note(selectionOf(snapshot.value))
              }),
            },
          )
        }
        let turn = 0
        const calls: Promise<unknown>[] = []
        const call = (promise: Promise<unknown>) => calls.push(promise.catch(() => undefined))
        watchAll()
        for (const each of steps) {
          turn++
          const teamId = turn % 2 === 0 ? opsId : labId
          switch (each.do) {
            case 'select':
              platform.faults.next('PATCH /users/me', { delayMillis: each.delayMillis })
              call(app.selectTeam({ teamId: each.teamId }))
              break
            case 'pass':
              await clock.advance(each.millis)
              break
            case 'fail':
              platform.faults.next('PATCH /users/me', { status: each.status })
              break
            case 'lose':
              platform.faults.next('PATCH /users/me', { loseResponse: true })
              break
            case 'rename':
              call(
                turn % 3 === 0
                  ? app.updateTeam({ teamId: opsId, displayName: `Ops ${turn}` })
                  : server.updateTeamById({ teamId, displayName: `${teamId === opsId ? 'Ops' : 'Lab'} ${turn}` }),
              )
              break
            case 'refresh':
              call(app.user$.refresh())
              call(app.teamMembers$({ teamId }).refresh())
              break
            case 'revoke':
              call(server.revokeTeamPermission({ teamId: opsId, userId: adaId, permissionId: 'team_admin' }))
              call(app.teamPermissions$({ teamId }).refresh())
              break
            case 'join':
              call(server.addTeamMemberById({ teamId: labId, userId: graceId }))
              break
            case 'watch':
              watchAll()
              break
            case 'unwatch':
              live.pop()?.unsubscribe()
          }
        }
        platform.faults.clear()
        await clock.advance(60_000)
        await Promise.all(calls)
        watchAll()
        await one.inTime(Promise.all([app.user$.refresh(), app.teams$.refresh()]))
        const truth = await one.inTime(server.userById$({ userId: adaId }).refresh())
        const told = app.user$.snapshot
        expect(told.status === 'ready' && told.value?.selectedTeamId).toBe(truth?.selectedTeamId)
        expect(told.status === 'ready' && told.value?.selectedTeam?.displayName).toBe(truth?.selectedTeam?.displayName)
        expect(wrong).toEqual([])
        for (const each of live) each.unsubscribe()
        app.dispose()
        platform.dispose()
      }),
      // What is counted below must not depend on the day.
      { numRuns: runs(20, 300), seed: 20_260_101 },
    )
    // It has been looked at. How often depends on the steps of the run.
    expect(shownTeams).toBeGreaterThan(0)
  })
})
