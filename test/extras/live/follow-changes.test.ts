import { Observable } from 'rxjs'
import { createClientApp, followChanges, memoryTokens, query, type ClientApp } from 'rxauth'
import type { Webhook } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { everyStore, freshly, shortcoming, shownBy, type Shown, type Watched } from '../../flows/every-store'
import { toldWrites } from '../../flows/every-sample'
import { clock as stageClock, inTime, serverStage, valuesOf } from '../../flows/stage'
import { slowTokens } from '../../session/slow-tokens'
import { ada, grace, world } from '../../world'
import { labId, opsId, teamWorld, type TeamWorld } from '../../entities/teams/team-world'

/** A source whose connections a test sees. */
function wire() {
  const open: ((event: unknown) => void)[] = []
  const ever: ((event: unknown) => void)[] = []
  return {
    open,
    ever,
    source: (listener: (event: unknown) => void) => {
      open.push(listener)
      ever.push(listener)
      return () => {
        open.splice(open.indexOf(listener), 1)
      }
    },
    send: (event: unknown) => {
      for (const listener of [...open]) listener(event)
    },
  }
}

/** Ada's page with stores in use; everything is loaded, and nothing is counted so far. */
async function page(use: (app: ClientApp) => readonly { subscribe(observer: object): unknown }[]) {
  const one = await teamWorld()
  const { app, clock, requests } = one
  for (const store of use(app)) store.subscribe({ error: () => undefined })
  const line = wire()
  const stop = followChanges(app, line.source)
  await clock.advance(6000)
  requests.length = 0
  return { ...one, ...line, stop }
}

const allStores = (app: ClientApp) => [
  app.user$,
  app.contactChannels$,
  app.sessions$,
  app.teams$,
  app.team$({ teamId: opsId }),
  app.team$({ teamId: labId }),
  app.teamMembers$({ teamId: opsId }),
  app.teamMembers$({ teamId: labId }),
  app.teamInvitations$({ teamId: opsId }),
  app.teamPermissions$({ teamId: opsId }),
  app.projectPermissions$(),
  app.project$,
]

const user = 'GET /users/me'
const ofUser = ['GET /contact-channels', 'GET /auth/sessions', user].sort()
const teams = 'GET /teams'
const team = (teamId: string) => `GET /teams/${teamId}`
const members = 'GET /team-member-profiles'
const invitations = 'GET /team-invitations'
const permissions = 'GET /team-permissions'

describe('an event', () => {
  it('of the user of a bare refresh token is told from those of strangers, over the same connection', async () => {
    const { clock, newApp, platform, requests } = await world()
    const { refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const app = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
    const { ever, send, source } = wire()
    followChanges(app, source)
    expect(ever).toHaveLength(1)
    app.user$.subscribe()
    await clock.advance(6000)
    const { id } = (await app.user$.get())!
    requests.length = 0
    send({ type: 'user.updated', data: { id: 'stranger' } })
    await clock.advance(1000)
    expect(requests).toEqual([])
    send({ type: 'user.updated', data: { id } })
    await clock.advance(1000)
    expect(requests).toEqual([user])
    expect(ever).toHaveLength(1)
  })

  // Promise: follow-changes
  it.each<[string, (ids: TeamWorld) => object, readonly string[]]>([
    ['of the own user', ({ adaId }) => ({ type: 'user.updated', data: { id: adaId } }), [...ofUser, members, members]],
    ['of a fellow member', ({ graceId }) => ({ type: 'user.updated', data: { id: graceId } }), [members]],
    ['of a stranger', () => ({ type: 'user.updated', data: { id: 'stranger' } }), []],
    ['of a new user', () => ({ type: 'user.created', data: { id: 'stranger' } }), []],
    ['of a team', () => ({ type: 'team.updated', data: { id: opsId } }), [team(opsId), teams]],
    ['of a strange team', () => ({ type: 'team.updated', data: { id: 'strange' } }), []],
    [
      'of a member who joins',
      ({ graceId }) => ({ type: 'team_membership.created', data: { team_id: opsId, user_id: graceId } }),
      [members, invitations],
    ],
    [
      'with the names that a backend reads',
      ({ graceId }) => ({ type: 'team_membership.created', data: { teamId: opsId, userId: graceId } }),
      [members, invitations],
    ],
    [
      'of a member who joins an unseen team',
      ({ graceId }) => ({ type: 'team_membership.created', data: { team_id: 'strange', user_id: graceId } }),
      [],
    ],
    [
      'of the own membership',
      ({ adaId }) => ({ type: 'team_membership.created', data: { team_id: opsId, user_id: adaId } }),
      [invitations, members, permissions, teams, team(opsId)],
    ],
    [
      'of an own permission',
      ({ adaId }) => ({ type: 'team_permission.created', data: { id: 'x', team_id: opsId, user_id: adaId } }),
      [invitations, members, permissions, team(opsId)],
    ],
    [
      'of another’s permission',
      ({ graceId }) => ({ type: 'team_permission.deleted', data: { id: 'x', team_id: opsId, user_id: graceId } }),
      [],
    ],
    [
      'of an own permission in the project',
      ({ adaId }) => ({ type: 'project_permission.created', data: { id: 'x', user_id: adaId } }),
      ['GET /project-permissions'],
    ],
  ])('%s loads the stores in use that it touches, and no other', async (_, event, expected) => {
    const one = await page(allStores)
    one.send(event(one))
    await one.clock.advance(1000)
    expect([...one.requests].sort()).toEqual([...expected].sort())
    await one.clock.advance(60_000)
    expect(one.requests).toHaveLength(expected.length)
  })

  it('of a store that is not in use costs no request, and the store loads at its next use', async () => {
    const { app, clock, send, requests, settled } = await page(app => [app.user$])
    await settled(app.teams$.get())
    requests.length = 0
    send({ type: 'team.updated', data: { id: opsId } })
    await clock.advance(1000)
    expect(requests).toEqual([])
    await settled(app.teams$.get())
    expect(requests).toEqual([teams])
  })

  it('may be JSON', async () => {
    const { clock, send, requests } = await page(app => [app.teams$])
    send(JSON.stringify({ id: 'msg_1', type: 'team.updated', data: { id: opsId } }))
    await clock.advance(1000)
    expect(requests).toEqual([teams])
  })

  // Promise: follow-changes
  it('never puts data into a store', async () => {
    const { app, clock, send, adaId, platform } = await page(app => [app.user$])
    platform.faults.next(user, { delayMillis: 5000 })
    send({ type: 'user.updated', data: { id: adaId, display_name: 'Mallory', server_metadata: { secret: 1 } } })
    await clock.advance(60_000)
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Ada' } })
    expect(JSON.stringify(app.user$.snapshot)).not.toContain('secret')
  })

  it('of another user reloads the stores of the app that show users, and those of a team', async () => {
    const loads: string[] = []
    const own = (key: string, partOf: 'users' | 'team' | 'permission' | 'owned') =>
      query(
        async (_kit, _: { teamId: string }) => {
          loads.push(key)
          return [key]
        },
        { key, ownedBy: 'session', partOf, signedOut: [] },
      )
    const all = (['users', 'team', 'permission', 'owned'] as const).map(group => own(group, group))
    const { clock, send, graceId } = await page(app => all.map(one$ => one$(app, { teamId: opsId })))
    const after = async (event: object) => {
      loads.length = 0
      send(event)
      await clock.advance(1000)
      return [...loads]
    }
    const ofGrace = { team_id: opsId, user_id: graceId }
    expect(await after({ type: 'user.updated', data: { id: graceId } })).toEqual(['users'])
    expect(await after({ type: 'team_membership.deleted', data: ofGrace })).toEqual(['team'])
    expect(await after({ type: 'team_permission.created', data: { ...ofGrace, id: 'x' } })).toEqual(['permission'])
    expect(await after({ type: 'team_membership.deleted', data: { ...ofGrace, team_id: labId } })).toEqual([])
    expect(await after({ type: 'missed' })).toEqual(['users', 'team', 'permission', 'owned'])
  })

  it('of the end of the own account ends the session', async () => {
    const { app, clock, send, server, settled, adaId } = await page(app => [app.auth$])
    await settled(server.deleteUserById({ userId: adaId }))
    send({ type: 'user.deleted', data: { id: adaId, teams: [] } })
    await clock.advance(1000)
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'deleted' })
  })

  it('missed loads every store in use that an event could have touched, and not the project', async () => {
    const { clock, send, requests } = await page(allStores)
    send({ type: 'missed' })
    await clock.advance(1000)
    const twice = [team(opsId), team(labId), members, members]
    const expected = [...ofUser, ...twice, teams, invitations, permissions, 'GET /project-permissions']
    expect([...requests].sort()).toEqual(expected.sort())
  })
})

describe('what is no event', () => {
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      has: () => true,
    },
  )
  // Promise: follow-changes
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', [{ type: 'missed' }]],
    ['a text', 'hello'],
    ['JSON of null', 'null'],
    ['half of JSON', '{"type":"team.updated",'],
    ['an unknown type', { type: 'team.exploded', data: { id: opsId } }],
    ['a type of Object’s', { type: 'constructor', data: { id: opsId } }],
    ['__proto__', JSON.stringify({ type: 'team.updated', data: null }).replace('null', '{"__proto__":{"id":"x"}}')],
    ['no data', { type: 'team.updated' }],
    ['a list as data', { type: 'team.updated', data: [opsId] }],
    ['no id', { type: 'team.updated', data: {} }],
    ['an empty id', { type: 'team.deleted', data: { id: '' } }],
    ['an id that is no text', { type: 'team.updated', data: { id: { toString: () => opsId } } }],
    ['half of the ids', { type: 'team_membership.created', data: { team_id: opsId } }],
    ['a very long id', { type: 'team.created', data: { id: 'x'.repeat(10_000) } }],
    ['a very long text', `${' '.repeat(1_000_000)}{"type":"missed"}`],
    ['an object whose properties throw', throwing],
    ['a type that is a list', { type: ['missed'] }],
    ['a symbol', Symbol('missed')],
    ['a function', () => ({ type: 'missed' })],
  ])('is ignored: %s', async (_, event) => {
    const { clock, send, requests } = await page(allStores)
    expect(() => {
      send(event)
    }).not.toThrow()
    await clock.advance(10_000)
    expect(requests).toEqual([])
    expect(({} as { id?: string }).id).toBeUndefined()
  })
})

describe('many events', () => {
  it('of one moment are one load of each store, whatever their order, with repetitions', async () => {
    const { clock, send, requests, graceId } = await page(app => [app.teams$, app.teamMembers$({ teamId: opsId })])
    const data = { team_id: opsId, user_id: graceId }
    const types = ['created', 'deleted', 'created', 'deleted'].map(what => `team_membership.${what}`)
    for (const type of [...types, ...types.reverse(), ...types]) send({ type, data })
    for (let times = 0; times < 50; times++) send({ type: 'team.updated', data: { id: opsId } })
    await clock.advance(1000)
    expect([...requests].sort()).toEqual([members, teams])
  })

  // Promise: follow-changes
  it('a thousand a second for a minute cost two loads a second and store, and the page shows its values', async () => {
    const { app, clock, send, requests, platform } = await page(app => [app.teams$])
    // A load takes longer than events are apart.
    platform.faults.every('GET /teams', { delayMillis: 700 })
    app.teamMembers$({ teamId: opsId }).subscribe()
    for (let tick = 0; tick < 600; tick++) {
      for (let times = 0; times < 100; times++) send({ type: 'missed' })
      await clock.advance(100)
    }
    expect(requests.length).toBeLessThanOrEqual(2 * 60 * 2 + 2)
    expect(app.teamMembers$({ teamId: opsId }).snapshot.status).toBe('ready')
    expect(app.teams$.snapshot).toMatchObject({ status: 'ready' })
    requests.length = 0
    await clock.advance(60_000)
    expect(requests.length).toBeLessThanOrEqual(4)
  })

  it('with thousands of ids keep nothing: they count as missed ones', async () => {
    const { clock, send, requests } = await page(app => [app.teams$, app.project$])
    for (let at = 0; at < 5000; at++) send({ type: 'user.created', data: { id: `stranger-${at}` } })
    await clock.advance(1000)
    expect(requests).toEqual([teams])
  })

  it('during the first load do not keep the page from its value', async () => {
    const { app, clock, send, platform } = await page(app => [app.user$])
    platform.faults.next('GET /teams', { delayMillis: 3000 })
    const shown: number[] = []
    app.teams$.subscribe(all => shown.push(all.length))
    for (let tick = 0; tick < 32; tick++) {
      send({ type: 'team.updated', data: { id: opsId } })
      await clock.advance(100)
    }
    expect(shown).toEqual([2])
  })
})

describe('a change by anyone', () => {
  // Promise: follow-changes
  it('shows on every open page within a second, and an idle page sends nothing', async () => {
    const one = await page(app => [app.teams$])
    const { app, clock, platform, server, settled, requests, newApp, tokensOf, send } = one
    const theirs = newApp({ tokens: await tokensOf(grace) })
    theirs.teams$.subscribe()
    const toGrace = wire()
    followChanges(theirs, toGrace.source)
    platform.webhooks$.subscribe(({ type, data }) => {
      send({ type, data })
      toGrace.send({ type, data })
    })
    await clock.advance(5000)
    requests.length = 0
    await clock.advance(3_600_000)
    expect(requests).toEqual([])
    await settled(server.updateTeamById({ teamId: opsId, displayName: 'Operations' }))
    await clock.advance(1000)
    for (const each of [app, theirs])
      expect(each.teams$.snapshot).toMatchObject({
        value: expect.arrayContaining([expect.objectContaining({ displayName: 'Operations' })]),
      })
    expect(requests.filter(line => line === teams)).toHaveLength(2)
  })

  it('of its own costs a page one more load of each store that the event names', async () => {
    const { app, clock, platform, settled, requests, send } = await page(app => [app.user$, app.teams$])
    platform.webhooks$.subscribe(({ type, data }) => {
      send({ type, data })
    })
    await settled(app.updateUser({ displayName: 'Countess' }))
    await clock.advance(5000)
    expect(requests).toEqual(['PATCH /users/me', user])
    requests.length = 0
    await settled(app.updateTeam({ teamId: opsId, displayName: 'Operations' }))
    await clock.advance(5000)
    expect(requests.filter(line => line === teams).length).toBeLessThanOrEqual(1)
  })

  it('during a load shows after it, although the answer is older', async () => {
    const { app, clock, send, platform, settled } = await page(() => [])
    platform.faults.next('GET /teams', { delayMillis: 3000 })
    const shown: string[] = []
    app.teams$.subscribe(all => shown.push(all.map(({ displayName }) => displayName).sort()[0]!))
    await clock.advance(100)
    await settled(createServerApp(platform.serverOptions).updateTeamById({ teamId: opsId, displayName: 'A-team' }))
    send({ type: 'team.updated', data: { id: opsId } })
    await clock.advance(2000)
    expect(shown).toEqual([])
    await clock.advance(2000)
    expect(shown.at(-1)).toBe('A-team')
  })

  it('that a load has begun after is not loaded again', async () => {
    const { app, clock, requests, send, settled } = await page(app => [app.teams$])
    send({ type: 'team.updated', data: { id: opsId } })
    await settled(app.teams$.refresh())
    await clock.advance(5000)
    expect(requests).toEqual([teams])
  })
})

/** Stores that show more than events tell of. */
const beyond = /^(userApiKey|teamApiKey|notification|teamInvitations|oauthProviders|project\$)/

describe('a page that is told what happens', () => {
  // Promise: follow-changes
  it.each(toldWrites)('shows no less than a load would give: %s', async (_, { prepare, write }) => {
    const stage = await serverStage(ada.email)
    const tokens = await stage.platform.tokensFor(ada.email)
    const newPage = () => createClientApp({ ...stage.platform.options, tokens })
    const shown = new Map<Watched, Shown>()
    const stores = everyStore('client', valuesOf(stage)).filter(({ name }) => !beyond.test(name))
    const line = wire()
    const app = newPage()
    followChanges(app, line.source)
    for (const each of stores) each.open(app).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
    await stageClock.advance(1000)
    const prepared = (prepare && (await inTime(prepare(stage)))) as never
    await stageClock.advance(1000)
    line.send({ type: 'missed' })
    await stageClock.advance(2000)
    const events: Webhook[] = []
    stage.platform.webhooks$.subscribe(webhook => events.push(webhook))
    await inTime(write(stage, prepared))
    await stageClock.advance(100)
    for (const { type, data } of events) line.send({ type, data })
    await stageClock.advance(1000)
    const fresh = newPage()
    const complaints: string[] = []
    for (const each of stores) {
      const wrong = shortcoming(shown.get(each)!, await inTime(freshly(each.open(fresh))))
      if (wrong !== null) complaints.push(`${each.name} ${wrong}`.slice(0, 200))
    }
    expect(complaints).toEqual([])
    for (const each of [app, fresh, stage.app]) each.dispose()
    stage.platform.dispose()
  })
})

describe('the source', () => {
  // Promise: follow-changes
  it('is called for each session of a user, never while signed out, and ended with it', async () => {
    const one = await teamWorld()
    const { app, clock, settled } = one
    const { open, ever, source } = wire()
    followChanges(app, source)
    await clock.advance(0)
    expect([open.length, ever.length]).toEqual([1, 1])
    await settled(app.signOut())
    expect([open.length, ever.length]).toEqual([0, 1])
    await clock.advance(60_000)
    expect(ever).toHaveLength(1)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect([open.length, ever.length]).toEqual([1, 2])
    app.dispose()
    expect(open).toEqual([])
  })

  it('is not called again for new tokens of the same session', async () => {
    const { clock, ever, app, requests } = await page(app => [app.user$])
    await clock.advance(3_600_000)
    await clock.settled(app.user$.refresh())
    expect(requests).toContain('POST /auth/oauth/token')
    expect(ever).toHaveLength(1)
  })

  // Promise: follow-changes
  it('of the person before tells the next one nothing', async () => {
    const { app, clock, ever, settled, requests } = await page(app => [app.teams$])
    const [before] = ever
    await settled(app.signOut())
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await clock.advance(5000)
    requests.length = 0
    before!({ type: 'missed' })
    await clock.advance(5000)
    expect(requests).toEqual([])
  })

  it('that told shortly before a sign-out causes no request after it', async () => {
    const { app, clock, settled, requests, send } = await page(app => [app.teams$])
    send({ type: 'missed' })
    await settled(app.signOut())
    requests.length = 0
    await clock.advance(60_000)
    expect(requests).toEqual([])
  })

  it('ends with the returned function, once, which leaves nothing running', async () => {
    const { app, clock, send, ever, open, stop, requests } = await page(app => [app.teams$])
    const [listener] = ever
    send({ type: 'missed' })
    stop()
    stop()
    expect(open).toEqual([])
    listener!({ type: 'missed' })
    await clock.advance(10_000)
    expect(requests).toEqual([])
    expect(app.inspect().timers).toBe(0)
  })

  it.each<[string, (listener: (event: unknown) => void) => never]>([
    [
      'at once',
      () => {
        throw new Error('no line')
      },
    ],
    [
      'after an event',
      listener => {
        listener({ type: 'missed' })
        throw new Error('no line')
      },
    ],
  ])('that throws %s goes to onUnhandled, and the page goes on', async (_, source) => {
    const failed: unknown[] = []
    const { app, clock } = await world({ app: { onUnhandled: error => failed.push(error) } })
    app.user$.subscribe()
    followChanges(app, source)
    await clock.advance(1000)
    expect(failed).toMatchObject([{ code: 'CALLBACK_FAILED', cause: new Error('no line') }])
    expect(app.user$.snapshot.status).toBe('ready')
  })

  it('whose end throws goes to onUnhandled, and does not stop the sign-out', async () => {
    const failed: unknown[] = []
    const { app, clock, settled } = await world({ app: { onUnhandled: error => failed.push(error) } })
    followChanges(app, () => () => {
      throw new Error('no end')
    })
    await settled(app.signOut())
    await clock.advance(0)
    expect(failed).toMatchObject([{ code: 'CALLBACK_FAILED' }])
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it('may end everything inside its own call, and inside an event', async () => {
    const { app, clock } = await teamWorld()
    let ended = 0
    followChanges(app, listener => {
      listener({ type: 'missed' })
      app.dispose()
      listener({ type: 'missed' })
      return () => {
        ended++
      }
    })
    await clock.advance(1000)
    expect(ended).toBe(1)
  })

  it.each<[string, (all: { stop(): void; app: ClientApp }) => void]>([
    ['the returned function', ({ stop }) => stop()],
    ['the disposal of the app', ({ app }) => app.dispose()],
  ])('that %s ends at its second call leaves no connection open', async (_, end) => {
    const { app, clock, settled } = await teamWorld()
    let [begun, ended] = [0, 0]
    const stop: () => void = followChanges(app, () => {
      if (++begun === 2) end({ stop, app })
      return () => {
        ended++
      }
    })
    await clock.advance(0)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password })).catch(() => undefined)
    await clock.advance(1000)
    expect([begun, ended]).toEqual([2, 2])
  })

  it.each<[string, (all: { stop(): void; app: ClientApp }) => void]>([
    ['the returned function', ({ stop }) => stop()],
    ['the disposal of the app', ({ app }) => app.dispose()],
  ])('is not called again after %s, also if the end of a connection calls that', async (_, end) => {
    const { app, clock, settled } = await teamWorld()
    let [begun, ended] = [0, 0]
    const stop: () => void = followChanges(app, () => {
      begun++
      return () => {
        ended++
        end({ stop, app })
      }
    })
    await clock.advance(0)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password })).catch(() => undefined)
    await clock.advance(1000)
    expect([begun, ended]).toEqual([1, 1])
  })

  it('that is asynchronous is ended too, and its rejections go to onUnhandled', async () => {
    const failed: unknown[] = []
    const { app, clock, settled } = await world({ app: { onUnhandled: error => failed.push(error) } })
    let ended = 0
    const later = (run: () => unknown) => (async () => Promise.resolve().then(run)) as never
    const end = () => {
      ended++
    }
    followChanges(
      app,
      later(() => end),
    )
    followChanges(
      app,
      later(() => Promise.reject(new Error('no line'))),
    )
    followChanges(app, () => later(() => Promise.reject(new Error('no end'))))
    // Signed out before it has answered.
    const other = followChanges(
      app,
      later(() => end),
    )
    other()
    await clock.advance(0)
    expect([ended, failed]).toEqual([1, [expect.objectContaining({ cause: new Error('no line') })]])
    await settled(app.signOut())
    await clock.advance(0)
    expect(ended).toBe(2)
    expect(failed).toMatchObject([{ cause: new Error('no line') }, { cause: new Error('no end') }])
  })

  it('without a function that ends it is taken all the same', async () => {
    const { app, settled } = await teamWorld()
    followChanges(app, () => undefined as never)
    await settled(app.signOut())
  })

  it('is called when an asynchronous token store has been read', async () => {
    const { clock, newApp, platform } = await teamWorld()
    const app = newApp({
      tokens: slowTokens(clock, 500, await platform.tokensFor(ada.email).then(store => store.read())).store,
    })
    const { open, source } = wire()
    followChanges(app, source)
    expect(open).toHaveLength(0)
    await clock.advance(1000)
    expect(open).toHaveLength(1)
  })

  it('has to be a function, of a kit that is alive', async () => {
    const { app } = await teamWorld()
    expect(() => followChanges(app, new Observable() as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    )
    app.dispose()
    expect(() => followChanges(app, () => () => undefined)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })

  it('may be followed twice, each with its own end', async () => {
    const { app, clock, requests, source, send, stop } = await page(app => [app.teams$])
    const other = followChanges(app, source)
    stop()
    send({ type: 'missed' })
    await clock.advance(5000)
    expect(requests).toEqual([teams])
    other()
  })
})
