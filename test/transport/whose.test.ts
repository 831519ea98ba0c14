import { memoryTokens, orThrow, type ClientApp } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { intercept, isRefresh } from '../session/intercept'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'

const wires = ['2.8.18', '2026'] as const

/** A world in which a proxy between Ada's app and the platform answers from its cache for Grace. */
async function mixedUp(wire: (typeof wires)[number], field = 'user_id') {
  const given = await world({
    platform: {
      wire,
      seed: {
        project: { config: { clientTeamCreationEnabled: true, allowUserApiKeys: true } },
        users: [ada, grace],
        permissions: [{ id: 'publish', scope: 'project' }],
      },
    },
  })
  const graces = given.newApp({ tokens: await given.tokensOf(grace) })
  const { id } = (await given.settled(graces.user$.get()))!
  let isMixedUp = true
  const name = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? { ...value, [field]: id } : value
  const fetch = intercept(given.platform.options.fetch, async request => {
    const answer = await given.platform.options.fetch(request)
    if (!isMixedUp || isRefresh(request) || !answer.ok) return answer
    const body = (await answer.json()) as { readonly items?: readonly unknown[] }
    const mixed = body.items ? { ...body, items: body.items.map(name) } : name(body)
    return new Response(JSON.stringify(mixed), { status: answer.status, headers: answer.headers })
  })
  const app = given.newApp({ tokens: await given.tokensOf(ada), fetch })
  return { ...given, app, fetch, begin: () => (isMixedUp = true), end: () => (isMixedUp = false) }
}

describe.each(wires)('an answer of another user (%s)', wire => {
  // Promise: answer-names-the-user
  it('is no user: user$ fails, auth$ stays unknown, and both recover', async () => {
    const { app, clock, end } = await mixedUp(wire, 'id')
    const shown: unknown[] = []
    app.user$.snapshot$.subscribe(snapshot =>
      shown.push(snapshot.status === 'ready' ? snapshot.value : snapshot.status),
    )
    await clock.advance(0)
    expect(shown).toEqual(['pending', 'failed'])
    expect(app.auth$.value).toMatchObject({ status: 'unknown', error: { code: 'INVALID_RESPONSE' } })
    end()
    const user = app.user$.refresh()
    await clock.advance(1000)
    expect(await user).toMatchObject({ displayName: 'Ada' })
  })

  it('does not take the place of what a running kit shows', async () => {
    const { app, begin, clock, end } = await mixedUp(wire, 'id')
    end()
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(1000)
    begin()
    const refreshed = app.user$.refresh()
    await expect(clock.settled(refreshed)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(names).toEqual(['Ada'])
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { displayName: 'Ada' } })
  })

  // Promise: answer-names-the-user
  it.each<[string, string, (app: ClientApp) => Promise<unknown>]>([
    ['updateUser', 'id', app => app.updateUser({ displayName: 'Mine' })],
    ['sessions$', 'user_id', app => app.sessions$.get()],
    ['contactChannels$', 'user_id', app => app.contactChannels$.get()],
    ['notificationPreferences$', 'user_id', app => app.notificationPreferences$.get()],
    ['signInWithPassword', 'user_id', app => app.signInWithPassword(credentialsOf(ada))],
  ])('is INVALID_RESPONSE of %s, by its field %s', async (_, field, ask) => {
    const { app, settled } = await mixedUp(wire, field)
    await expect(settled(ask(app))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  // Promise: answer-names-the-user
  it.each<[string, (app: ClientApp, apiKeyId: string) => Promise<unknown>]>([
    ['userApiKeys$', app => app.userApiKeys$.get()],
    ['createUserApiKey', app => app.createUserApiKey({ description: 'phone' })],
    ['userApiKey$', (app, apiKeyId) => app.userApiKey$({ apiKeyId }).get()],
    ['updateUserApiKey', (app, apiKeyId) => app.updateUserApiKey({ apiKeyId, description: 'old' })],
    ['revokeUserApiKey', async (app, apiKeyId) => orThrow(await app.revokeUserApiKey({ apiKeyId }))],
    ['teamPermissions$', app => app.teamPermissions$().get()],
    ['projectPermissions$', app => app.projectPermissions$().get()],
  ])('is INVALID_RESPONSE of %s, until an answer names the right user', async (_, ask) => {
    const { app, begin, end, fetch, inTime, newApp, platform, tokensOf } = await mixedUp(wire)
    end()
    const { id: userId } = (await inTime(app.user$.get()))!
    const { id: apiKeyId } = await inTime(app.createUserApiKey({ description: 'laptop' }))
    await inTime(app.createTeam({ displayName: 'Ops' }))
    const server = createServerApp(platform.serverOptions)
    await inTime(server.grantProjectPermission({ userId, permissionId: 'publish' }))
    const one = newApp({ tokens: await tokensOf(ada), fetch })
    begin()
    await expect(inTime(ask(one, apiKeyId))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    end()
    const answer = await inTime(ask(one, apiKeyId))
    for (const item of [answer].flat()) expect(item).toMatchObject({ userId })
    expect(answer).not.toEqual([])
  })

  it('is INVALID_RESPONSE of ownUser$ of a server', async () => {
    const { platform, fetch, settled, tokensOf } = await mixedUp(wire, 'id')
    const server = createServerApp({ ...platform.serverOptions, fetch })
    await expect(settled(server.withTokens(await tokensOf(ada)).ownUser$.get())).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
    })
  })

  // Promise: answer-names-the-user
  it('to a refresh is transient: it signs no other user in', async () => {
    const { clock, newApp, platform, settled } = await world({ platform: { wire, seed: { users: [ada, grace] } } })
    const graces = (await platform.tokensFor(grace.email)).read()!
    const fetch = intercept(platform.options.fetch, request =>
      isRefresh(request) ? Response.json({ access_token: graces.accessToken }) : undefined,
    )
    const tokens = memoryTokens((await platform.tokensFor(ada.email)).read()!)
    const app = newApp({ tokens, fetch })
    await clock.advance(590_000)
    const held = tokens.read()
    await expect(settled(app.user$.get())).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(tokens.read()).toEqual(held)
  })

  it('may name others beside: members of a team, and its creator', async () => {
    const { app, inTime } = await mixedUp(wire, 'creator_user_id')
    await inTime(app.createTeam({ displayName: 'Ops' }))
    expect(await inTime(app.teams$.get())).toHaveLength(1)
  })
})
