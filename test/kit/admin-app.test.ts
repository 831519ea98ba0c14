import { createOwnedProject, ownedProjects$, type OwnedProject } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp } from 'rxauth/server'
import { leavePages, showPage } from '../page'
import { world } from '../world'
import { ownerWorld, signUp } from './admin-world'

describe('an admin app with keys', () => {
  it('administers its project: its changes are shown at once, to clients too', async () => {
    const { platform, app, settled, inTime } = await world()
    const admin = createAdminApp(platform.adminOptions)
    const shown: (string | undefined)[] = []
    admin.adminProject$.subscribe(({ displayName }) => shown.push(displayName))
    await settled(admin.adminProject$.get())
    const updating = admin.updateProject({ displayName: 'Shop' })
    await inTime(updating)
    expect(shown.at(-1)).toBe('Shop')
    expect(shown).toHaveLength(2)
    expect(await settled(app.project$.get())).toMatchObject({ displayName: 'Shop' })
    admin.dispose()
  })

  it('sends both keys with admin requests, the server key with server requests, none with others', async () => {
    const { platform, settled, requests } = await world()
    const sent: Headers[] = []
    const { fetch } = platform.options
    const admin = createAdminApp({
      ...platform.adminOptions,
      fetch(input, init) {
        sent.push(new Headers(init?.headers))
        return fetch(input, init)
      },
    })
    await settled(admin.adminProject$.get())
    await settled(admin.allTeams$.get())
    expect(requests).toEqual(['GET /internal/projects/current', 'GET /teams'])
    const { secretServerKey, superSecretAdminKey } = platform.adminOptions
    expect(
      sent.map(headers => [
        headers.get('x-stack-access-type'),
        headers.get('x-stack-secret-server-key'),
        headers.get('x-stack-super-secret-admin-key'),
      ]),
    ).toEqual([
      ['admin', secretServerKey, superSecretAdminKey],
      ['server', secretServerKey, null],
    ])
  })

  it('names the missing key', () => {
    const options = { projectId: 'p', baseUrl: 'https://auth.example.com' }
    expect(() => createAdminApp(options)).toThrow(/secretServerKey is missing; .*STACK_SECRET_SERVER_KEY/)
    expect(() => createAdminApp({ ...options, secretServerKey: 'ssk' })).toThrow(
      /superSecretAdminKey is missing; .*STACK_SUPER_SECRET_ADMIN_KEY/,
    )
  })

  it.each([
    ['STACK_SUPER_SECRET_ADMIN_KEY', 'INVALID_SUPER_SECRET_ADMIN_KEY'],
    ['HEXCLAVE_SUPER_SECRET_ADMIN_KEY', 'INVALID_SUPER_SECRET_ADMIN_KEY'],
    ['STACK_SECRET_SERVER_KEY', 'INVALID_SECRET_SERVER_KEY'],
    ['HEXCLAVE_SECRET_SERVER_KEY', 'INVALID_SECRET_SERVER_KEY'],
  ])('reads %s from the environment', async (name, code) => {
    const { platform, settled } = await world()
    const { secretServerKey, superSecretAdminKey, ...options } = platform.adminOptions
    const isAdmin = name.endsWith('ADMIN_KEY')
    process.env[name] = `${isAdmin ? superSecretAdminKey : secretServerKey}x`
    try {
      const rejected = { code }
      if (!isAdmin) await expect(settled(createServerApp(options).users$().get())).rejects.toMatchObject(rejected)
      const admin = createAdminApp(options)
      await expect(settled<unknown>((isAdmin ? admin.adminProject$ : admin.users$()).get())).rejects.toMatchObject(
        rejected,
      )
    } finally {
      Reflect.deleteProperty(process.env, name)
    }
  })
})

describe('an admin app of an owner', () => {
  it('works in a browser', async () => {
    const { owner, projectId, settled } = await ownerWorld()
    showPage({})
    try {
      const admin = createAdminApp({ owner, projectId })
      expect(await settled(admin.adminProject$.get())).toMatchObject({ id: projectId })
      admin.dispose()
    } finally {
      leavePages()
    }
  })

  it('sends the access token of the owner, and no key', async () => {
    const { owner, admin, projectId, sent, settled } = await ownerWorld()
    expect(await settled(admin.adminProject$.get())).toMatchObject({ id: projectId, displayName: 'Shop' })
    await settled(admin.allTeams$.get())
    const token = await settled(owner.accessToken())
    expect(sent).toHaveLength(2)
    for (const headers of sent) {
      expect(headers.get('x-stack-admin-access-token')).toBe(token)
      expect(headers.get('x-stack-project-id')).toBe(projectId)
      expect(headers.get('x-stack-secret-server-key')).toBe('')
      expect(headers.has('x-stack-publishable-client-key')).toBe(false)
      expect(headers.has('x-stack-access-token')).toBe(false)
    }
  })

  it("shows its changes in the owner's list, too", async () => {
    const { owner, admin, inTime, settled } = await ownerWorld()
    const shown: string[][] = []
    ownedProjects$(owner).subscribe(all => shown.push(all.map(({ displayName }) => displayName)))
    await settled(ownedProjects$(owner).get())
    await inTime(admin.updateProject({ displayName: 'Store' }))
    expect(shown.at(-1)).toEqual(['Store'])
    await inTime(admin.deleteProject())
    expect(shown.at(-1)).toEqual([])
  })

  it('of a project that has just been created finds the permissions that every project begins with', async () => {
    const { admin, owner, platform, settled } = await ownerWorld()
    const first = createAdminApp(platform.adminOptions)
    const { id: projectId } = await settled(createOwnedProject(owner, { displayName: 'Another' }))
    const second = createAdminApp({ owner, projectId })
    const [expected, ...found] = await settled(
      Promise.all([first, admin, second].map(app => app.teamPermissionDefinitions$.get())),
    )
    expect(expected!.map(({ id }) => id)).toEqual(expect.arrayContaining(['team_admin', 'team_member', '$update_team']))
    expect(found).toEqual([expected, expected])
    const given = ({ config }: OwnedProject) => [
      config.teamCreatorDefaultPermissions,
      config.teamMemberDefaultPermissions,
    ]
    const [of, ...ofNew] = await settled(Promise.all([first, admin, second].map(app => app.adminProject$.get())))
    expect(given(of!)).toEqual([[{ id: 'team_admin' }], [{ id: 'team_member' }]])
    expect(ofNew.map(given)).toEqual([given(of!), given(of!)])
  })

  it('rejects with USER_AUTHENTICATION_REQUIRED when the owner has signed out', async () => {
    const { owner, admin, inTime } = await ownerWorld()
    await inTime(admin.adminProject$.get())
    await inTime(owner.signOut())
    await expect(inTime(admin.adminProject$.refresh())).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
  })

  it('ends with the first request after another user has signed in', async () => {
    const { owner, admin, inTime, sent } = await ownerWorld()
    await inTime(admin.adminProject$.get())
    await inTime(owner.signOut())
    await inTime(signUp(owner, { email: 'joan@example.com', password: 'battery staple' }))
    sent.length = 0
    await expect(inTime(admin.adminProject$.refresh())).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(inTime(admin.allTeams$.get())).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(sent).toEqual([])
  })

  it('reloads watched stores as often as configured', async () => {
    const { owner, admin, projectId, clock, inTime } = await ownerWorld()
    const watching = createAdminApp({ owner, projectId, refreshOn: { everyMillis: 10_000 } })
    const shown: number[] = []
    watching.users$().subscribe(({ items }) => shown.push(items.length))
    await clock.advance(0)
    await inTime(admin.createUser({ displayName: 'Jean' }))
    await clock.advance(10_000)
    expect(shown).toEqual([0, 1])
    watching.dispose()
  })

  it('of another project than internal is refused before anything is sent', async () => {
    const { app, projectId } = await ownerWorld()
    expect(() => createAdminApp({ owner: app, projectId })).toThrow(/"internal"/)
  })
})
