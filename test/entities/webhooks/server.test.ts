import { createClientApp, createOwnedProject, memoryTokens, type Store } from 'rxauth'
import { createAdminApp, readWebhook } from 'rxauth/admin'
import type { WebhookEvent } from 'rxauth/server'
import { createPlatform, type Platform } from 'rxauth/platform'
import { ada } from '../../world'
import { freshly, shortcoming } from '../../flows/every-store'
import { serverWrites, toldWrites } from '../../flows/every-sample'
import { clock, elseId, inTime, opsId } from '../../flows/stage'
import { scene, type Scene } from './webhook-world'

/** Loads every store, and lists the stores of the other process that show less, now or later. */
async function truthOf({ stage, shown, stores }: Scene): Promise<{ complaints(): string[] }> {
  const fresh = stage.fresh()
  const loads = stores.map(async each => [each, await freshly(each.open(fresh))] as const)
  const loaded = new Map(await inTime(Promise.all(loads)))
  fresh.dispose()
  return {
    complaints: () =>
      stores.flatMap(each => {
        const wrong = shortcoming(shown.get(each)!, loaded.get(each)!)
        return wrong === null ? [] : [`${each.name} ${wrong}`.slice(0, 200)]
      }),
  }
}

describe('a process that takes the events of another one', () => {
  // Promise: apply-webhook
  it.each(toldWrites)('shows no less than a load would give: %s', async (_, { prepare, write }) => {
    const one = await scene()
    const prepared = (prepare && (await inTime(prepare(one.stage)))) as never
    for (const event of await one.events()) await inTime(one.other.applyWebhook(event))
    await clock.advance(1000)
    await inTime(write(one.stage, prepared))
    const events = await one.events()
    expect(events).not.toEqual([])
    // Events change nothing on the platform, so one load of each store is enough.
    const truth = await truthOf(one)
    // No store has loaded by itself; otherwise the test would prove nothing.
    expect(truth.complaints()).not.toEqual([])
    await inTime(Promise.all(events.map(event => one.other.applyWebhook(event))))
    expect(truth.complaints()).toEqual([])
    for (const app of [one.stage.app, one.other]) app.dispose()
    one.stage.platform.dispose()
  })

  // Promise: apply-webhook
  it.each(['updateUserById', 'updateTeamById', 'createTeamById', 'removeTeamMemberById', 'grantTeamPermission'])(
    'is not misled by a late delivery: %s',
    async name => {
      const { prepare, write } = serverWrites[name]!
      const one = await scene()
      const prepared = (prepare && (await inTime(prepare(one.stage)))) as never
      await inTime(write(one.stage, prepared))
      const late = await one.events()
      const { app, ids } = one.stage
      await inTime(app.updateUserById({ userId: ids.ada, displayName: 'Later' }))
      await inTime(app.updateTeamById({ teamId: opsId, displayName: 'Later' }))
      await inTime(app.addTeamMemberById({ teamId: opsId, userId: ids.ada }))
      for (const event of [...(await one.events()), ...late]) await inTime(one.other.applyWebhook(event))
      await clock.advance(1000)
      expect((await truthOf(one)).complaints()).toEqual([])
    },
  )

  it('shows the entity in an event before any load', async () => {
    const one = await scene(() => false)
    const { app, ids } = one.stage
    const user$ = one.other.userById$({ userId: ids.ada })
    const team$ = one.other.teamById$({ teamId: elseId })
    const names: unknown[] = []
    user$.subscribe(user => names.push(user?.displayName))
    team$.subscribe(team => names.push(team?.displayName))
    await clock.advance(1000)
    await inTime(app.updateUserById({ userId: ids.ada, displayName: 'Countess' }))
    await inTime(app.updateTeamById({ teamId: elseId, displayName: 'Elsewhere' }))
    await inTime(app.deleteTeamById({ teamId: elseId }))
    const [user, team, gone] = await one.events()
    names.length = 0
    for (const event of [user!, team!]) void one.other.applyWebhook(event).catch(() => undefined)
    await Promise.resolve()
    expect(names).toEqual(['Countess', 'Elsewhere'])
    const requests: string[] = []
    one.stage.platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
    await clock.advance(1000)
    requests.length = 0
    await inTime(one.other.applyWebhook(gone!))
    // A deletion is final, so no load follows.
    expect(names.at(-1)).toBeUndefined()
    expect(requests.filter(request => request.startsWith('GET /teams/'))).toEqual([])
  })

  it('shows what was created and deleted before any load, each team once', async () => {
    const one = await scene(() => false)
    const { app, ids } = one.stage
    const shown = new Map<string, unknown>()
    const watch = (name: string, store: Store<unknown>) => store.subscribe(value => shown.set(name, value))
    watch('grace', one.other.userById$({ userId: ids.grace }))
    watch('teams', one.other.allTeams$)
    watch('members', one.other.teamMembersOf$({ teamId: opsId }))
    await clock.advance(1000)
    await inTime(app.createTeamById({ displayName: 'New' }))
    await inTime(app.removeTeamMemberById({ teamId: opsId, userId: ids.ada }))
    const events = await one.events()
    const [created, left] = (['team.created', 'team_membership.deleted'] as const).map(type =>
      events.find(event => event.type === type),
    )
    const requests: string[] = []
    one.stage.platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
    const teams = () => (shown.get('teams') as { displayName: string }[]).map(({ displayName }) => displayName)
    const members = () => (shown.get('members') as { userId: string }[]).map(({ userId }) => userId)
    expect(teams()).not.toContain('New')
    for (let times = 0; times < 2; times++) {
      void one.other.applyWebhook(created!).catch(() => undefined)
      await Promise.resolve()
      expect(teams().filter(name => name === 'New')).toEqual(['New'])
    }
    expect(members()).toEqual(expect.arrayContaining([ids.ada, ids.grace]))
    void one.other.applyWebhook(left!).catch(() => undefined)
    await Promise.resolve()
    expect(members()).toEqual([ids.grace])
    expect(requests).toEqual([])
    await clock.advance(1000)
    expect(requests).toEqual(expect.arrayContaining(['GET /teams', 'GET /team-member-profiles']))
    await inTime(app.deleteUserById({ userId: ids.grace }))
    const deleted = (await one.events()).find(event => event.type === 'user.deleted')
    requests.length = 0
    expect(shown.get('grace')).toMatchObject({ id: ids.grace })
    void one.other.applyWebhook(deleted!).catch(() => undefined)
    await Promise.resolve()
    expect(shown.get('grace')).toBeNull()
    await clock.advance(1000)
    // A deletion loads nothing but the list that the user was in.
    expect(requests).not.toContain(`GET /users/${ids.grace}`)
    expect(requests).toContain('GET /team-member-profiles')
    for (const kit of [app, one.other]) kit.dispose()
    one.stage.platform.dispose()
  })

  it('does not load a store without subscribers, and does not give its old value', async () => {
    const one = await scene(() => false)
    const { app, ids } = one.stage
    const granted = { userId: ids.ada, permissionId: 'publish' }
    expect(await inTime(one.other.isPermitted(granted))).toBe(false)
    await inTime(app.grantProjectPermission(granted))
    const requests: string[] = []
    one.stage.platform.requests$.subscribe(({ path }) => requests.push(path))
    // Within five seconds, and without an event about it.
    expect(await inTime(one.other.isPermitted({ ...granted, maxAgeMillis: 60_000 }))).toBe(false)
    for (const event of await one.events()) await inTime(one.other.applyWebhook(event))
    expect(requests).toEqual([])
    expect(await inTime(one.other.isPermitted({ ...granted, maxAgeMillis: 60_000 }))).toBe(true)
  })

  // Promise: apply-webhook
  it('loads what has no event of a new user and a new team: members, permissions and teams', async () => {
    const one = await scene(() => false)
    const { app, ids, platform } = one.stage
    const { other } = one
    const stores: Store<unknown>[] = [
      other.projectPermissionsOf$({ userId: ids.ada }),
      other.teamPermissionsOf$({ userId: ids.ada, teamId: opsId }),
      other.teamsOf$({ userId: ids.ada }),
      other.teamMembersOf$({ teamId: opsId }),
    ]
    for (const store of stores) store.subscribe()
    await clock.advance(1000)
    await inTime(app.updateUserById({ userId: ids.ada }))
    await inTime(app.updateTeamById({ teamId: opsId }))
    const requests: string[] = []
    platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
    const loaded = async (type: 'user.created' | 'team.created', { data, id, sentAt }: WebhookEvent) => {
      requests.length = 0
      // Nothing else of them differs.
      await inTime(other.applyWebhook({ type, data, id, sentAt } as WebhookEvent))
      return requests
    }
    const [user, team] = await one.events()
    const lists = ['GET /team-member-profiles', 'GET /team-permissions', 'GET /teams']
    expect(await loaded('user.created', user!)).toEqual(expect.arrayContaining(['GET /project-permissions', ...lists]))
    expect(await loaded('team.created', team!)).toEqual(expect.arrayContaining(lists))
  })

  it('ignores events that it does not know, and rejects after it is disposed of', async () => {
    const { other, stage } = await scene(() => false)
    const delivered = { id: 'msg_x', sentAt: new Date(clock.now()), name: 'payment.created', data: {} }
    const requests: string[] = []
    stage.platform.requests$.subscribe(({ path }) => requests.push(path))
    await other.applyWebhook({ ...delivered, type: 'unknown' })
    await clock.advance(1000)
    expect(requests).toEqual([])
    other.dispose()
    await expect(other.applyWebhook({ ...delivered, type: 'unknown' })).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

const verificationCallbackUrl = 'http://localhost:3000/v'

/** The owner of a new project, and an admin app of the owner. */
async function newProject({ ownerOptions }: Platform) {
  const owner = createClientApp({ ...ownerOptions, tokens: memoryTokens() })
  await inTime(owner.signUpWithPassword({ email: ada.email, password: 'correct horse', verificationCallbackUrl }))
  const { id: projectId } = await inTime(createOwnedProject(owner, { displayName: 'Shop' }))
  return { owner, projectId, admin: createAdminApp({ owner, projectId }) }
}

describe('the admin app of an owner, which takes the event of a sign-up elsewhere', () => {
  // Promise: server-writes-show-to-admins
  it('shows the new user at once, in metrics and mails as well, without reloading by itself', async () => {
    const platform = createPlatform({ clock, seed: { users: [ada] } })
    const { owner, admin, projectId } = await newProject(platform)
    const web = { description: 'web', expiresAt: new Date('2100-01-01'), hasPublishableClientKey: true }
    const { publishableClientKey } = await inTime(admin.createInternalApiKey(web))
    const heard: string[] = []
    platform.webhooks$.subscribe(({ id, projectId: of, type, data }) => {
      if (of === projectId) heard.push(JSON.stringify({ id, sentAt: new Date(clock.now()), type, data }))
    })
    const shown: Record<string, unknown> = {}
    admin.users$().subscribe(({ items }) => (shown['users'] = items.map(({ primaryEmail }) => primaryEmail)))
    admin.metrics$.subscribe(({ totalUsers }) => (shown['total'] = totalUsers))
    admin.sentEmails$.subscribe(all => (shown['mails'] = all.map(({ recipient }) => recipient)))
    admin.adminProject$.subscribe(({ userCount }) => (shown['count'] = userCount))
    await clock.advance(1000)
    expect(shown).toEqual({ users: [], total: 0, mails: [], count: 0 })
    const own = { projectId, publishableClientKey: publishableClientKey! }
    const visitor = createClientApp({ ...platform.options, ...own, tokens: memoryTokens() })
    const email = 'visitor@example.com'
    await inTime(visitor.signUpWithPassword({ email, password: 'correct horse', verificationCallbackUrl }))
    await clock.advance(60_000)
    // It loads nothing by itself.
    expect(shown).toEqual({ users: [], total: 0, mails: [], count: 0 })
    for (const event of heard) await inTime(admin.applyWebhook(readWebhook(event)))
    expect(shown).toEqual({ users: [email], total: 1, mails: [email], count: 1 })
    for (const app of [owner, admin, visitor]) app.dispose()
    platform.dispose()
  })
})
