import { createOwnedProject, memoryTokens, ownedProjects$ } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import { createAdminApp } from 'rxauth/admin'
import { ada, grace } from '../world'
import { ways } from './way'
import type { Way } from './way'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const seed = {
  users: [ada, grace],
  teams: [{ id: teamId, displayName: 'Ops', members: [ada] }],
}
const emailConfig = {
  type: 'standard' as const,
  host: 'mail.example.com',
  port: 25,
  username: 'shop',
  password: 'a mail password',
  senderName: 'Shop',
  senderEmail: 'shop@example.com',
}

/** A user who has just signed up to own projects, with a project that has keys. */
async function owned(way: Way) {
  const { projectId, publishableClientKey } = way.platform.ownerOptions
  const owner = way.newApp({ projectId, publishableClientKey, tokens: memoryTokens() })
  const signedUp = await owner.signUpWithPassword({
    email: 'owner@example.com',
    password: 'correct horse',
    verificationCallbackUrl: 'http://localhost:3000/v',
  })
  if (!signedUp.ok) throw signedUp.error
  const project = await createOwnedProject(owner, { displayName: 'Shop' })
  const admin = createAdminApp({ owner, projectId: project.id })
  const keys = await admin.createInternalApiKey({
    description: 'web',
    expiresAt: new Date('2100-01-01'),
    hasPublishableClientKey: true,
  })
  const visit = () =>
    way.newApp({ projectId: project.id, publishableClientKey: keys.publishableClientKey!, tokens: memoryTokens() })
  return { owner, admin, project, keys, visit }
}

describe.each(ways)('an admin, %s', (_, open) => {
  let way: Way
  let admin: AdminApp
  beforeEach(async () => {
    way = await open({ seed })
    admin = way.newAdminApp()
  })
  afterEach(async () => {
    await way.close()
  })

  it('creates the keys of a project, and sees its users in metrics and mails', async () => {
    const { owner, admin, project, keys, visit } = await owned(way)
    const visitor = visit()
    const signUp = await visitor.signUpWithPassword({
      email: 'visitor@example.com',
      password: 'correct horse',
      verificationCallbackUrl: 'http://localhost:3000/v',
    })
    expect(signUp.ok).toBe(true)
    expect((await admin.users$().get()).items.map(({ primaryEmail }) => primaryEmail)).toEqual(['visitor@example.com'])
    const { totalUsers, recentlyActive } = await admin.metrics$.get()
    expect([totalUsers, recentlyActive[0]?.primaryEmail]).toEqual([1, 'visitor@example.com'])
    expect((await admin.sentEmails$.get()).map(({ recipient }) => recipient)).toEqual(['visitor@example.com'])
    await admin.updateProject({ displayName: 'Market' })
    expect((await ownedProjects$(owner).get()).map(({ displayName }) => displayName)).toEqual(['Market'])
    await admin.revokeInternalApiKey({ apiKeyId: keys.id })
    await expect(visit().project$.get()).rejects.toMatchObject({ code: 'INVALID_PUBLISHABLE_CLIENT_KEY' })
    expect(project.id).toBe((await admin.adminProject$.get()).id)
    admin.dispose()
  })

  it('renews the token of the owner when the platform refuses it', async () => {
    const { admin, owner } = await owned(way)
    await admin.metrics$.get()
    // An access token expires after ten minutes.
    await way.pass(601_000)
    expect((await admin.emailTemplates$.get()).length).toBe(5)
    await owner.signOut()
    await expect(admin.sentEmails$.refresh()).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    admin.dispose()
  })

  it('changes what a permission contains, and a user has it in the next answer', async () => {
    const tokens = await way.platform.tokensFor(ada.email)
    const app = way.newApp({ tokens })
    const may = async (permissionId: string) =>
      (await app.teamPermissions$({ teamId }).refresh()).some(({ id }) => id === permissionId)
    expect(await may('$update_team')).toBe(false)
    await admin.updateTeamPermissionDefinition({
      permissionId: 'team_member',
      containedPermissionIds: ['$read_members', '$update_team'],
    })
    expect(await may('$update_team')).toBe(true)
    await app.updateTeam({ teamId, displayName: 'Operations' })
    await admin.updateTeamPermissionDefinition({ permissionId: 'team_member', id: 'mate' })
    expect([await may('team_member'), await may('mate')]).toEqual([false, true])
    await admin.deleteTeamPermissionDefinition({ permissionId: 'mate' })
    expect(await may('$update_team')).toBe(false)
    await expect(app.updateTeam({ teamId, displayName: 'x' })).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
    })
  })

  it('changes the templates of the mails that users get', async () => {
    const app = way.newApp()
    await admin.updateProject({ config: { emailConfig } })
    await admin.updateEmailTemplate({ type: 'password_reset', subject: 'New password, {{ userDisplayName }}?' })
    const mailbox = way.platform.mailbox(ada.email)
    const reset = () => app.sendPasswordResetEmail({ email: ada.email, callbackUrl: 'http://localhost:3000/r' })
    await reset()
    expect((await mailbox.next()).subject).toBe('New password, Ada?')
    await admin.resetEmailTemplate({ type: 'password_reset' })
    await reset()
    expect((await mailbox.next()).subject).toBe('Reset your password at Local project')
    expect((await admin.sentEmails$.get()).map(({ subject }) => subject)).toEqual([
      'Reset your password at Local project',
      'New password, Ada?',
    ])
  })

  describe('whose answers get lost', () => {
    it('defines a permission once: the second call returns PERMISSION_ID_ALREADY_EXISTS', async () => {
      way.platform.faults.next('POST /team-permission-definitions', { loseResponse: true })
      const lost = admin.createTeamPermissionDefinition({ id: 'edit' })
      await expect(lost).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
      expect((await admin.teamPermissionDefinitions$.refresh()).filter(({ id }) => id === 'edit')).toHaveLength(1)
      expect(await admin.createTeamPermissionDefinition({ id: 'edit' })).toMatchObject({
        ok: false,
        error: { code: 'PERMISSION_ID_ALREADY_EXISTS' },
      })
      expect(way.answersTo('POST /team-permission-definitions')).toHaveLength(2)
    })

    it('resets a template once: the second attempt finds it reset', async () => {
      await admin.updateProject({ config: { emailConfig } })
      await admin.updateEmailTemplate({ type: 'magic_link', subject: 'x' })
      way.platform.faults.next('DELETE /email-templates/{type}', { loseResponse: true })
      await admin.resetEmailTemplate({ type: 'magic_link' })
      expect(way.answersTo('DELETE /email-templates')).toEqual([
        'DELETE /email-templates/magic_link 200',
        'DELETE /email-templates/magic_link 404',
      ])
      expect((await admin.emailTemplate$({ type: 'magic_link' }).get()).isDefault).toBe(true)
    })

    it('takes the optimistic change back, and shows what the platform has after the next load', async () => {
      const shown: string[][] = []
      admin.teamPermissionDefinitions$.subscribe(all => shown.push(all.slice(6).map(({ id }) => id)))
      await admin.teamPermissionDefinitions$.get()
      way.platform.faults.next('PATCH /team-permission-definitions/{permissionId}', { loseResponse: true })
      const renaming = admin.updateTeamPermissionDefinition({
        permissionId: 'team_member',
        id: 'mate',
        containedPermissionIds: [],
        description: null,
      })
      await expect(renaming).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
      await admin.teamPermissionDefinitions$.refresh()
      const before = ['team_admin', 'team_member']
      const after = ['mate', 'team_admin']
      // The optimistic change, then the value after it is taken back, then the loaded value.
      expect(shown).toEqual([before, after, before, after])
    })
  })

  it.each([429, 503])('loads after %i: by itself, or with the next refresh', async status => {
    way.platform.faults.next('GET /internal/metrics', { status: 429 })
    if (status === 429) {
      expect((await admin.metrics$.get()).totalUsers).toBe(2)
      expect(way.answersTo('GET /internal/metrics')).toHaveLength(2)
    } else {
      way.platform.faults.next('GET /internal/emails', { status })
      await expect(admin.sentEmails$.get()).rejects.toMatchObject({ code: 'REQUEST_FAILED', status })
      expect((await admin.sentEmails$.refresh()).length).toBe(0)
    }
  })
})
