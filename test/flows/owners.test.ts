import { createOwnedProject, ownedProjects$, transferOwnedProject } from 'rxauth'
import type { Result } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../world'
import { emailConfig } from '../mail-server'

const letter = { subject: 'News', html: '<p>Hello</p>', notificationCategoryName: 'Marketing' }

const wires = ['2.8.18', '2.8.86', '2026'] as const

/** An admin and a server of a project with a mail server, and Ada as an owner where the project is the internal one. */
async function make(wire: Wire = '2026', config: object = { emailConfig }, id?: 'internal') {
  const one = await world({
    platform: {
      wire,
      seed: {
        project: { config: { clientTeamCreationEnabled: true, ...config }, ...(id && { id }) },
        users: [ada, grace],
      },
    },
  })
  const admin = createAdminApp(one.platform.adminOptions)
  const server = createServerApp(one.platform.serverOptions)
  const userIds = (await one.inTime(server.users$().get())).items.map(user => user.id)
  one.requests.length = 0
  return { ...one, admin, server, userIds }
}

/** The error with which the promise rejects. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )

describe.each(wires)('an owner on wire %s', wire => {
  // Promise: sparse-answers
  it('reads and changes the project, and gets its production mode errors', async () => {
    const { admin, inTime } = await make(wire)
    admin.adminProject$.subscribe()
    const before = await inTime(admin.adminProject$.get())
    expect(before.userCount).toBe(wire !== '2.8.18' ? undefined : 2)
    expect('userCount' in before).toBe(wire === '2.8.18')
    const changed = await inTime(admin.updateProject({ displayName: 'Shop', config: { passkeyEnabled: true } }))
    expect(changed).toEqual({ ...before, displayName: 'Shop', config: { ...before.config, passkeyEnabled: true } })
    expect(admin.adminProject$.snapshot).toMatchObject({ status: 'ready', value: changed })
    expect((await inTime(admin.productionModeErrors$.get())).map(({ problem }) => problem)).toEqual([
      'localhost-allowed',
    ])
  })

  // Promise: sparse-answers
  it('creates one project by one call, lists it, and runs it', async () => {
    const { app, inTime, requests } = await make(wire, {}, 'internal')
    if (wire !== '2.8.18') {
      const { id: teamId } = await inTime(app.createTeam({ displayName: 'Lab' }))
      await inTime(app.selectTeam({ teamId }))
    }
    requests.length = 0
    const project = await inTime(createOwnedProject(app, { displayName: 'Engine' }))
    expect(project).toMatchObject({ displayName: 'Engine', config: { signUpEnabled: true } })
    expect(requests.filter(line => line.endsWith('/internal/projects'))).toEqual(['POST /internal/projects'])
    expect(await inTime(ownedProjects$(app).refresh())).toEqual([project])
    const admin = createAdminApp({ owner: app, projectId: project.id })
    expect(await inTime(admin.adminProject$.get())).toEqual(project)
    await inTime(admin.updateProject({ displayName: 'Loom' }))
    expect((await inTime(ownedProjects$(app).refresh())).map(({ displayName }) => displayName)).toEqual(['Loom'])
  })

  // Promise: sparse-answers
  it('sends mails by one call, which lists their users, and sees them among the sent mails', async () => {
    const { admin, server, userIds, inTime, platform, requests } = await make(wire)
    admin.sentEmails$.subscribe()
    await inTime(admin.sentEmails$.get())
    requests.length = 0
    const { results } = await inTime(server.sendEmail({ ...letter, userIds }))
    expect(results.map(({ userId }) => userId)).toEqual(userIds)
    // A release that queues mails does not report their outcome.
    expect(results.map(({ success }) => success)).toEqual(wire !== '2.8.18' ? [undefined, undefined] : [true, true])
    expect(requests).toEqual(['POST /emails/send-email'])
    expect(platform.mailbox(grace.email).messages).toHaveLength(1)
    const sent = await inTime(admin.sentEmails$.refresh())
    // A release of 2026 names the users of the mails.
    const mailedTo = wire === '2.8.18' ? [ada.email, grace.email] : userIds.map(each => `User ID: ${each}`).sort()
    expect(sent.map(({ subject, recipient }) => [subject, recipient]).sort()).toEqual(
      mailedTo.map(each => ['News', each]),
    )
    expect(sent.map(({ senderConfig }) => senderConfig?.senderName)).toEqual(
      Array(2).fill(wire !== '2.8.18' ? undefined : 'Analytical'),
    )
  })

  it('sees metrics and invitations', async () => {
    const { admin, app, inTime } = await make(wire)
    expect((await inTime(admin.metrics$.get())).totalUsers).toBe(2)
    const { id: teamId } = await inTime(app.createTeam({ displayName: 'Lab' }))
    await inTime(app.sendTeamInvitation({ teamId, email: 'new@example.com', callbackUrl: 'http://localhost:3000/' }))
    expect(await inTime(app.teamInvitations$({ teamId }).get())).toMatchObject([{ recipientEmail: 'new@example.com' }])
  })
})

const looks = {
  onboardingStatus: 'config_choice',
  logoUrl: 'https://shop.example.com/logo.png',
  logoFullUrl: 'https://shop.example.com/full.png',
  logoDarkModeUrl: 'https://shop.example.com/dark.png',
  logoFullDarkModeUrl: 'https://shop.example.com/full-dark.png',
}

describe('the logos and the onboarding of a project', () => {
  // Promise: project-logos
  it('are read and written on the newer wire; what a change leaves out stays', async () => {
    const { admin, inTime, clock, platform } = await make()
    admin.adminProject$.subscribe()
    const before = await inTime(admin.adminProject$.get())
    expect(before).toMatchObject({ onboardingStatus: 'completed', logoUrl: null, ownerTeamId: null })
    platform.faults.next('PATCH /internal/projects/current', { delayMillis: 1000 })
    const updating = admin.updateProject(looks)
    await clock.advance(0)
    expect(admin.adminProject$.snapshot).toMatchObject({ unconfirmed: 1, value: looks })
    expect(await inTime(updating)).toEqual({ ...before, ...looks })
    await inTime(admin.updateProject({ logoUrl: null }))
    expect(await inTime(admin.adminProject$.refresh())).toEqual({ ...before, ...looks, logoUrl: null })
  })

  // Promise: project-logos
  it.each(Object.entries(looks))('are NOT_ON_THIS_PLATFORM on the reference wire: %s', async (name, value) => {
    const { admin, inTime } = await make('2.8.18')
    const call = 'PATCH /internal/projects/current'
    expect(await inTime(rejection(admin.updateProject({ [name]: value })))).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call },
    })
    expect(await inTime(admin.updateProject({ displayName: 'Shop' }))).not.toHaveProperty(name)
  })
})

describe('the transfer of a project', () => {
  async function withTwoTeams() {
    const one = await make('2026', {}, 'internal')
    const grace$ = one.newApp({ tokens: await one.tokensOf(grace) })
    const [own, other] = [
      await one.inTime(one.app.createTeam({ displayName: 'Lab' })),
      await one.inTime(one.app.createTeam({ displayName: 'Shop' })),
    ]
    for (const { id: teamId } of [other])
      for (const userId of one.userIds) await one.inTime(one.server.addTeamMemberById({ teamId, userId }))
    const project = await one.inTime(createOwnedProject(one.app, { displayName: 'Engine', ownerTeamId: own.id }))
    const shown: Record<string, unknown> = {}
    for (const [name, kit] of [
      ['ada', one.app],
      ['grace', grace$],
    ] as const) {
      ownedProjects$(kit).subscribe(
        all => (shown[name] = all.map(({ displayName, ownerTeamId }) => [displayName, ownerTeamId])),
      )
      await one.inTime(ownedProjects$(kit).get())
    }
    return { ...one, graceApp: grace$, own, other, project, shown }
  }

  // Promise: project-transfer
  it('is shown when its promise resolves, to the members of the new team too, and goes with a membership', async () => {
    const { app, graceApp, inTime, own, other, project, shown } = await withTwoTeams()
    expect(shown).toEqual({ ada: [['Engine', own.id]], grace: [] })
    await inTime(transferOwnedProject(app, { projectId: project.id, newTeamId: other.id }))
    await inTime(ownedProjects$(graceApp).refresh())
    expect(shown).toEqual({ ada: [['Engine', other.id]], grace: [['Engine', other.id]] })
    await inTime(app.leaveTeam({ teamId: other.id }))
    expect(shown['ada']).toEqual([])
  })

  // Promise: project-transfer
  it('is refused for a project or a team of others, and nothing changes', async () => {
    const { app, graceApp, inTime, own, other, project, shown } = await withTwoTeams()
    const before = { ...shown }
    const refused = [
      [graceApp, { projectId: project.id, newTeamId: other.id }],
      [app, { projectId: project.id, newTeamId: '00000000-0000-4000-8000-000000000000' }],
      [app, { projectId: 'unknown', newTeamId: own.id }],
    ] as const
    for (const [kit, input] of refused) {
      const error = await inTime(rejection(transferOwnedProject(kit, input)))
      expect(error).toMatchObject({
        code: input.projectId === 'unknown' ? 'PROJECT_NOT_FOUND' : 'TEAM_MEMBERSHIP_NOT_FOUND',
      })
    }
    expect(shown).toEqual(before)
  })

  // Promise: project-transfer
  it('is loaded again after a lost answer', async () => {
    const { app, inTime, other, project, platform, shown } = await withTwoTeams()
    platform.faults.next('POST /internal/projects/transfer', { loseResponse: true })
    const write = transferOwnedProject(app, { projectId: project.id, newTeamId: other.id })
    expect(await inTime(rejection(write))).toMatchObject({ code: 'NETWORK_ERROR' })
    await inTime(ownedProjects$(app).refresh())
    expect(shown['ada']).toEqual([['Engine', other.id]])
  })

  // Promise: project-transfer
  it('needs the internal project, and a release with teams of owners', async () => {
    const input = { projectId: 'project-1', newTeamId: 'team-1' }
    const outside = await make()
    outside.requests.length = 0
    expect(await outside.inTime(rejection(transferOwnedProject(outside.app, input)))).toMatchObject({
      code: 'EXPECTED_INTERNAL_PROJECT',
    })
    expect(outside.requests).toEqual([])
    const older = await make('2.8.18', {}, 'internal')
    expect(await older.inTime(rejection(transferOwnedProject(older.app, input)))).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call: 'POST /internal/projects/transfer' },
    })
  })
})

describe('mails on the newer wire', () => {
  it('reach no user if one of the ids is unknown: the error names the first', async () => {
    const { server, userIds, inTime, platform } = await make()
    const sending = server.sendEmail({ ...letter, userIds: [...userIds, 'unknown-1', 'unknown-2'] })
    expect(await inTime(rejection(sending))).toMatchObject({
      code: 'USER_ID_DOES_NOT_EXIST',
      details: { userId: 'unknown-1' },
    })
    expect(platform.mailbox(grace.email).messages).toEqual([])
  })

  it('need a mail server of the project, and a category that exists', async () => {
    const { server, userIds, inTime } = await make('2026', {})
    expect(await inTime(rejection(server.sendEmail({ ...letter, userIds })))).toMatchObject({
      code: 'REQUIRES_CUSTOM_EMAIL_SERVER',
    })
    const other = await make()
    const unknown = { ...letter, userIds: other.userIds, notificationCategoryName: 'News' }
    expect(await other.inTime(rejection(other.server.sendEmail(unknown)))).toMatchObject({
      code: 'REQUEST_FAILED',
      status: 400,
    })
  })
})

describe('the mails that a platform writes by itself, where it has no templates by type', () => {
  const type = 'magic_link'
  type Admin = Awaited<ReturnType<typeof make>>['admin']
  // Promise: not-on-this-platform
  it.each<[call: string, run: (admin: Admin) => Promise<unknown>]>([
    ['GET /email-templates/{type}', admin => admin.emailTemplate$({ type }).get()],
    ['PATCH /email-templates/{type}', admin => admin.updateEmailTemplate({ type, subject: 'Hello' })],
    // A reset loads the template if the refusal may also mean that there is nothing to reset.
    ['GET /email-templates/{type}', admin => admin.resetEmailTemplate({ type })],
    ['POST /emails/render-email', admin => admin.renderEmail({ theme: 'default-dark', previewHtml: '<p>Hi</p>' })],
  ])('%s is NOT_ON_THIS_PLATFORM', async (call, run) => {
    const { admin, inTime } = await make()
    expect(await inTime(rejection(run(admin)))).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call },
      message: expect.stringContaining(call) as string,
    })
  })

  // Promise: not-on-this-platform
  it('are reset where there are templates, and where there is nothing to reset', async () => {
    const { admin, inTime, requests } = await make('2.8.18')
    await inTime(admin.updateEmailTemplate({ type, subject: 'Hello' }))
    requests.length = 0
    await inTime(admin.resetEmailTemplate({ type }))
    expect(requests).toEqual(['DELETE /email-templates/magic_link'])
    await inTime(admin.resetEmailTemplate({ type }))
    expect((await inTime(admin.emailTemplate$({ type }).get())).isDefault).toBe(true)
  })

  it('are not rendered from invalid HTML, where they are rendered', async () => {
    const { admin, inTime } = await make('2.8.18')
    const result: Result<unknown, { readonly code: string }> = await inTime(
      admin.renderEmail({ theme: 'default-dark', previewHtml: '<p>Hi<!-- </p>' }),
    )
    expect(result).toMatchObject({ ok: false, error: { code: 'EMAIL_RENDERING_ERROR' } })
  })
})

describe('the team that owns a new project on the newer wire', () => {
  async function withTeams(...names: readonly string[]) {
    const one = await make('2026', {}, 'internal')
    const sent: { readonly owner_team_id?: string }[] = []
    const { fetch } = one.platform.options
    const app = one.newApp({
      tokens: await one.tokensOf(ada),
      fetch(input, init) {
        if ((input as string).endsWith('/internal/projects')) sent.push(JSON.parse(init?.body as string) as object)
        return fetch(input, init)
      },
    })
    const ids: string[] = []
    for (const displayName of names) ids.push((await one.inTime(app.createTeam({ displayName }))).id)
    return { ...one, app, ids, sent }
  }

  // Promise: project-team
  it('is the only one that the user has, where none is selected', async () => {
    const { app, inTime, ids, sent } = await withTeams('Lab')
    await inTime(createOwnedProject(app, { displayName: 'Engine' }))
    expect(sent).toMatchObject([{ owner_team_id: ids[0] }])
  })

  // Promise: project-team
  it('is the selected one of several, and the one that is named before that', async () => {
    const { app, inTime, ids, sent } = await withTeams('Lab', 'Shop')
    await inTime(app.selectTeam({ teamId: ids[1]! }))
    await inTime(createOwnedProject(app, { displayName: 'Engine' }))
    await inTime(createOwnedProject(app, { displayName: 'Loom', ownerTeamId: ids[0]! }))
    expect(sent.map(body => body.owner_team_id)).toEqual([ids[1], ids[0]])
  })

  it.each([[[]], [['Lab', 'Shop']]])(
    'is required where the user has the teams %j and has selected none',
    async names => {
      const { app, inTime, sent } = await withTeams(...names)
      expect(await inTime(rejection(createOwnedProject(app, { displayName: 'Engine' })))).toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'ownerTeamId' },
      })
      expect(sent).toEqual([])
    },
  )
})
