import { createOwnedProject, ownedProjects$, transferOwnedProject, type ClientApp } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world, type World } from '../../world'
import { watch } from '../teams/team-world'

/** Ada's kit of the internal project. */
async function make(): Promise<World> {
  return world({ platform: { seed: { project: { id: 'internal' }, users: [ada, grace] } } })
}

describe('the projects of the signed-in user', () => {
  // Promise: sparse-answers
  it('are shown as created, with the given fields and the defaults', async () => {
    const one = await make()
    const shown = await watch(one, ownedProjects$(one.app), all => all.map(({ displayName }) => displayName))
    one.requests.length = 0
    const project = await one.inTime(
      createOwnedProject(one.app, { displayName: 'Engine', config: { magicLinkEnabled: true } }),
    )
    expect(project).toMatchObject({
      displayName: 'Engine',
      userCount: 0,
      createdAt: new Date(one.clock.now() - 10_000),
      config: { magicLinkEnabled: true, signUpEnabled: true, emailConfig: { type: 'shared' } },
    })
    expect(shown).toEqual([[], ['Engine']])
    expect(one.requests).toEqual(['POST /internal/projects'])
    expect(await one.inTime(ownedProjects$(one.app).refresh())).toEqual([project])
  })

  it('are not shown to another user', async () => {
    const one = await make()
    await one.inTime(createOwnedProject(one.app, { displayName: 'Engine' }))
    const graces = one.newApp({ tokens: await one.tokensOf(grace) })
    expect(await one.inTime(ownedProjects$(graces).get())).toEqual([])
  })

  it('are none while signed out, without a request, and none can be created', async () => {
    const { newApp, settled, requests } = await make()
    const app = newApp()
    expect(await settled(ownedProjects$(app).get())).toEqual([])
    await expect(settled(createOwnedProject(app, { displayName: 'x' }))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(requests).toEqual([])
  })

  it('are created with complete providers and mail servers only, and nothing is sent of shared ones', async () => {
    const { app, inTime, settled, requests } = await make()
    const incomplete = { displayName: 'Engine', config: { emailConfig: { type: 'standard', host: 'h' } } } as const
    await expect(settled(createOwnedProject(app, incomplete))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'config.emailConfig.port' },
    })
    const server = { host: 'h', port: 25, username: 'u', password: 'p', senderName: 'Engine', senderEmail: 'engine' }
    await expect(
      settled(
        createOwnedProject(app, { displayName: 'Engine', config: { emailConfig: { type: 'standard', ...server } } }),
      ),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'config.emailConfig.senderEmail' } })
    const domains = [{ domain: 'engine.example.com', handlerPath: '/handler' }]
    await expect(
      settled(createOwnedProject(app, { displayName: 'Engine', config: { domains } })),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'config.domains.0.domain' } })
    expect(requests).toEqual([])
    const oauthProviders = [{ id: 'google', type: 'shared', clientId: 'kept from before' }] as const
    const emailConfig = { type: 'shared', host: 'kept from before' } as const
    const created = createOwnedProject(app, {
      displayName: 'Engine',
      config: { oauthProviders: [...oauthProviders], emailConfig },
    })
    expect((await inTime(created)).config).toMatchObject({
      oauthProviders: [{ id: 'google', type: 'shared' }],
      emailConfig: { type: 'shared' },
    })
  })
})

/** Ada on a release whose projects belong to teams, and the teams that own the projects of each user. */
async function inTeams() {
  const config = { clientTeamCreationEnabled: true }
  const one = await world({
    platform: { wire: '2026', seed: { project: { id: 'internal', config }, users: [ada, grace] } },
  })
  const newTeam = async (displayName: string) => (await one.inTime(one.app.createTeam({ displayName }))).id
  const owners = (app: ClientApp) => watch(one, ownedProjects$(app), all => all.map(each => each.ownerTeamId))
  return { ...one, newTeam, owners }
}

describe('the team that owns a new project', () => {
  // Promise: project-team
  it('is the only one of the user, else the selected one, and the one that is named before these', async () => {
    const { app, inTime, newTeam, owners } = await inTeams()
    const shown = await owners(app)
    const required = { code: 'INVALID_INPUT', details: { field: 'ownerTeamId' } }
    await expect(inTime(createOwnedProject(app, { displayName: 'Engine' }))).rejects.toMatchObject(required)
    const lab = await newTeam('Lab')
    await inTime(createOwnedProject(app, { displayName: 'Engine' }))
    const shop = await newTeam('Shop')
    await expect(inTime(createOwnedProject(app, { displayName: 'Loom' }))).rejects.toMatchObject(required)
    await inTime(app.selectTeam({ teamId: shop }))
    await inTime(createOwnedProject(app, { displayName: 'Loom' }))
    await inTime(createOwnedProject(app, { displayName: 'Mill', ownerTeamId: lab }))
    expect(shown.at(-1)).toEqual([lab, shop, lab])
  })
})

describe('the transfer of a project', () => {
  // Promise: project-transfer
  it('is shown to both users of the new team, and goes with a membership', async () => {
    const { app, inTime, newApp, newTeam, owners, platform, tokensOf } = await inTeams()
    const [own, other] = [await newTeam('Lab'), await newTeam('Shop')]
    const graces = newApp({ tokens: await tokensOf(grace) })
    const userId = (await inTime(graces.user$.get()))!.id
    await inTime(createServerApp(platform.serverOptions).addTeamMemberById({ teamId: other, userId }))
    const { id: projectId } = await inTime(createOwnedProject(app, { displayName: 'Engine', ownerTeamId: own }))
    const shown = [await owners(app), await owners(graces)]
    const unknown = '00000000-0000-4000-8000-000000000000'
    for (const [kit, input, code] of [
      [graces, { projectId, newTeamId: other }, 'TEAM_MEMBERSHIP_NOT_FOUND'],
      [app, { projectId, newTeamId: unknown }, 'TEAM_MEMBERSHIP_NOT_FOUND'],
      [app, { projectId: 'unknown', newTeamId: own }, 'PROJECT_NOT_FOUND'],
    ] as const)
      await expect(inTime(transferOwnedProject(kit, input))).rejects.toMatchObject({ code })
    platform.faults.next('POST /internal/projects/transfer', { loseResponse: true })
    const lost = transferOwnedProject(app, { projectId, newTeamId: other })
    await expect(inTime(lost)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await inTime(ownedProjects$(graces).refresh())
    expect(shown).toEqual([
      [[own], [other]],
      [[], [other]],
    ])
    await inTime(app.leaveTeam({ teamId: other }))
    expect(shown[0]!.at(-1)).toEqual([])
  })

  it('needs the internal project', async () => {
    const { app, settled, requests } = await world({ platform: { wire: '2026' } })
    const transfer = transferOwnedProject(app, { projectId: 'project-1', newTeamId: 'team-1' })
    await expect(settled(transfer)).rejects.toMatchObject({ code: 'EXPECTED_INTERNAL_PROJECT' })
    expect(requests).toEqual([])
  })
})
