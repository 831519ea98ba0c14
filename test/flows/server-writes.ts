import { orThrow } from 'rxauth'
import {
  cancelEmail,
  createOAuthProviderById,
  deleteOAuthProviderById,
  pauseEmail,
  replaceBranchConfig,
  resumeEmail,
  retryEmail,
  updateBranchConfig,
  updateOAuthProviderById,
  updateOutboxEmail,
} from 'rxauth/server'
import type { RequestApp } from 'rxauth/server'
import { ada } from '../world'
import { callbackUrl, elseId, labId, marketingId, opsId } from './stage'
import type { Stage, Write } from './stage'

type ServerWrite = Write<RequestApp>

const account = { providerConfigId: 'github', accountId: '7', allowSignIn: true, allowConnectedAccounts: true }

/** Links an account to Ada; the link's id. */
const link = async ({ app, ids }: Stage<RequestApp>) =>
  orThrow(await createOAuthProviderById(app, { ...account, userId: ids.ada })).id

const grants = { teamId: labId, permissionId: 'team_admin' }

/** A change of the mail that waits in the outbox. */
const ofMail = (change: (app: RequestApp, mail: { readonly emailId: string }) => Promise<unknown>): ServerWrite => ({
  wire: '2026',
  write: ({ app, ids }) => change(app, { emailId: ids.email }),
})

/**
 * Every function of a server kit that changes something, done to the user whose tokens the kit has unless its name says
 * otherwise.
 */
export const serverWrites: Readonly<Record<string, ServerWrite>> = {
  createUser: { write: ({ app }) => app.createUser({ primaryEmail: 'born@example.com', displayName: 'Born' }) },
  updateUserById: { write: ({ app, ids }) => app.updateUserById({ userId: ids.ada, displayName: 'Countess' }) },
  'updateUserById, the address': {
    write: ({ app, ids }) =>
      app.updateUserById({ userId: ids.ada, primaryEmail: 'new@example.com', primaryEmailVerified: true }),
  },
  'updateUserById, the password': {
    write: ({ app, ids }) => app.updateUserById({ userId: ids.grace, password: 'battery staple' }),
  },
  'updateUserById, the selected team': {
    write: ({ app, ids }) => app.updateUserById({ userId: ids.ada, selectedTeamId: labId }),
  },
  deleteUserById: { write: ({ app, ids }) => app.deleteUserById({ userId: ids.grace }) },
  'deleteUserById, oneself': { write: ({ app, ids }) => app.deleteUserById({ userId: ids.ada }) },
  updateOwnUser: { write: ({ app }) => app.updateOwnUser({ displayName: 'Countess', serverMetadata: { plan: 1 } }) },
  'updateOwnUser, the address': { write: ({ app }) => app.updateOwnUser({ primaryEmail: 'new@example.com' }) },
  'updateOwnUser, the selected team': { write: ({ app }) => app.updateOwnUser({ selectedTeamId: labId }) },
  deleteOwnUser: { write: ({ app }) => app.deleteOwnUser() },
  createContactChannelById: {
    write: ({ app, ids }) =>
      app.createContactChannelById({ userId: ids.ada, value: 'home@example.com', isPrimary: true, isVerified: true }),
  },
  updateContactChannelById: {
    write: ({ app, ids }) =>
      app.updateContactChannelById({ userId: ids.ada, contactChannelId: ids.channel, isPrimary: true }),
  },
  deleteContactChannelById: {
    write: ({ app, ids }) => app.deleteContactChannelById({ userId: ids.ada, contactChannelId: ids.primary }),
  },
  createSession: { write: ({ app, ids }) => app.createSession({ userId: ids.ada }) },
  revokeSessionById: {
    write: ({ app, ids }) => app.revokeSessionById({ userId: ids.ada, sessionId: ids.session }),
  },
  updateNotificationPreferenceById: {
    write: ({ app, ids }) =>
      app.updateNotificationPreferenceById({
        userId: ids.ada,
        notificationCategoryId: marketingId,
        enabled: false,
      }),
  },
  createTeamById: { write: ({ app, ids }) => app.createTeamById({ displayName: 'New', creatorUserId: ids.ada }) },
  'createTeamById, without a creator': { write: ({ app }) => app.createTeamById({ displayName: 'New' }) },
  updateTeamById: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.updateTeamById({ teamId: opsId, displayName: 'Operations' }),
  },
  deleteTeamById: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.deleteTeamById({ teamId: opsId }),
  },
  addTeamMemberById: { write: ({ app, ids }) => app.addTeamMemberById({ teamId: elseId, userId: ids.ada }) },
  removeTeamMemberById: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app, ids }) => app.removeTeamMemberById({ teamId: opsId, userId: ids.ada }),
  },
  'removeTeamMemberById, of another user': {
    write: ({ app, ids }) => app.removeTeamMemberById({ teamId: opsId, userId: ids.grace }),
  },
  updateTeamMemberProfileById: {
    write: ({ app, ids }) =>
      app.updateTeamMemberProfileById({ teamId: opsId, userId: ids.ada, displayName: 'Admiral' }),
  },
  sendTeamInvitationById: {
    write: ({ app }) => app.sendTeamInvitationById({ teamId: opsId, email: 'eve@example.com', callbackUrl }),
  },
  revokeTeamInvitationById: {
    write: ({ app, ids }) => app.revokeTeamInvitationById({ teamId: opsId, invitationId: ids.invitation }),
  },
  acceptOwnTeamInvitationById: {
    wire: '2026',
    async prepare({ app, ids }) {
      await app.updateUserById({ userId: ids.ada, primaryEmailVerified: true })
      const { id } = await app.sendTeamInvitationById({ teamId: elseId, email: ada.email, callbackUrl })
      await app.ownTeamInvitationsOf$({ userId: ids.ada }).refresh()
      return id
    },
    write: ({ app, ids }, invitationId: string) => app.acceptOwnTeamInvitationById({ userId: ids.ada, invitationId }),
  },
  grantTeamPermission: { write: ({ app, ids }) => app.grantTeamPermission({ ...grants, userId: ids.ada }) },
  revokeTeamPermission: {
    write: ({ app, ids }) => app.revokeTeamPermission({ ...grants, teamId: opsId, userId: ids.ada }),
  },
  grantProjectPermission: {
    write: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
  },
  revokeProjectPermission: {
    prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
    write: ({ app, ids }) => app.revokeProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
  },
  createOAuthProviderById: {
    wire: '2026',
    write: ({ app, ids }) => createOAuthProviderById(app, { ...account, userId: ids.ada }),
  },
  updateOAuthProviderById: {
    wire: '2026',
    prepare: link,
    write: ({ app, ids }, oauthProviderId: string) =>
      updateOAuthProviderById(app, { userId: ids.ada, oauthProviderId, allowConnectedAccounts: false }),
  },
  deleteOAuthProviderById: {
    wire: '2026',
    prepare: link,
    write: ({ app, ids }, oauthProviderId: string) =>
      deleteOAuthProviderById(app, { userId: ids.ada, oauthProviderId }),
  },
  updateBranchConfig: {
    wire: '2026',
    write: ({ app }) => updateBranchConfig(app, { changes: { 'auth.passkey.allowSignIn': false } }),
  },
  replaceBranchConfig: {
    wire: '2026',
    write: ({ app }) =>
      replaceBranchConfig(app, {
        config: { rbac: { permissions: { sell: { scope: 'project' } } } },
        source: { type: 'pushed-from-unknown' },
      }),
  },
  createUserApiKeyById: {
    write: ({ app, ids }) => app.createUserApiKeyById({ userId: ids.ada, description: 'new' }),
  },
  updateUserApiKeyById: {
    write: ({ app, ids }) => app.updateUserApiKeyById({ apiKeyId: ids.userKey, description: 'cd' }),
  },
  revokeUserApiKeyById: { write: ({ app, ids }) => app.revokeUserApiKeyById({ apiKeyId: ids.userKey }) },
  createTeamApiKeyById: {
    write: ({ app }) => app.createTeamApiKeyById({ teamId: opsId, description: 'new' }),
  },
  updateTeamApiKeyById: {
    write: ({ app, ids }) => app.updateTeamApiKeyById({ teamId: opsId, apiKeyId: ids.teamKey, description: 'cd' }),
  },
  revokeTeamApiKeyById: {
    write: ({ app, ids }) => app.revokeTeamApiKeyById({ teamId: opsId, apiKeyId: ids.teamKey }),
  },
  'sendEmail, into the outbox': {
    wire: '2026',
    write: ({ app }) => app.sendEmail({ allUsers: true, html: '<p>News</p>' }),
  },
  pauseEmail: ofMail(pauseEmail),
  resumeEmail: {
    wire: '2026',
    prepare: ({ app, ids }) => pauseEmail(app, { emailId: ids.email }),
    write: ({ app, ids }) => resumeEmail(app, { emailId: ids.email }),
  },
  cancelEmail: ofMail(cancelEmail),
  retryEmail: ofMail(retryEmail),
  updateOutboxEmail: ofMail((app, mail) => updateOutboxEmail(app, { ...mail, scheduledAt: new Date('2101-01-01') })),
}

/** Functions that send mail: only admins can list sent mails. */
export const mailings: Readonly<Record<string, ServerWrite>> = {
  sendContactChannelVerificationById: {
    write: ({ app, ids }) =>
      app.sendContactChannelVerificationById({ userId: ids.ada, contactChannelId: ids.channel, callbackUrl }),
  },
  sendEmail: {
    write: ({ app, ids }) =>
      app.sendEmail({
        userIds: [ids.ada],
        subject: 'News',
        html: '<p>News</p>',
        notificationCategoryName: 'Marketing',
      }),
  },
}

/** Functions that read, send mail or take events, and change nothing on the platform. */
export const serverReaders: readonly (string | RegExp)[] = [
  /^(applyWebhook|isPermitted|listUsers|checkUserApiKey|checkTeamApiKey)$/,
  /^(connectedAccountTokenById|providerAccountTokenById|sendContactChannelVerificationById)$/,
]
