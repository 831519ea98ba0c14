import { createOwnedProject, ownedProjects$ } from 'rxauth'
import { ada, grace, world } from '../../world'
import type { World } from '../../world'
import { watch } from '../teams/team-world'

/** Ada's kit of the internal project. */
async function make(): Promise<World> {
  return world({ platform: { seed: { project: { id: 'internal' }, users: [ada, grace] } } })
}

describe('the projects of the signed-in user', () => {
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

  it('are gone from the screen when the user signs out', async () => {
    const one = await make()
    await one.inTime(createOwnedProject(one.app, { displayName: 'Engine' }))
    const shown = await watch(one, ownedProjects$(one.app), all => all.length)
    await one.inTime(one.app.signOut())
    expect(shown).toEqual([1, 0])
  })

  it('need a kit of the internal project: others reject, before a write is sent', async () => {
    const { app, settled, requests } = await world()
    await expect(settled(createOwnedProject(app, { displayName: 'x' }))).rejects.toMatchObject({
      code: 'EXPECTED_INTERNAL_PROJECT',
    })
    expect(requests).toEqual([])
    await expect(settled(ownedProjects$(app).get())).rejects.toMatchObject({ code: 'EXPECTED_INTERNAL_PROJECT' })
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

  it('belong to a team of the user on newer platforms: the selected one, or the one that is named', async () => {
    const one = await world({
      platform: {
        wire: '2026',
        seed: { project: { id: 'internal', config: { clientTeamCreationEnabled: true } }, users: [ada] },
      },
    })
    const { app, inTime } = one
    await expect(inTime(createOwnedProject(app, { displayName: 'Engine' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'ownerTeamId' },
    })
    const lab = await inTime(app.createTeam({ displayName: 'Lab' }))
    expect(await inTime(createOwnedProject(app, { displayName: 'Engine', ownerTeamId: lab.id }))).toMatchObject({
      displayName: 'Engine',
    })
    await inTime(app.selectTeam({ teamId: lab.id }))
    await inTime(createOwnedProject(app, { displayName: 'Loom' }))
    expect((await inTime(ownedProjects$(app).refresh())).map(({ displayName }) => displayName)).toEqual([
      'Engine',
      'Loom',
    ])
  })
})
