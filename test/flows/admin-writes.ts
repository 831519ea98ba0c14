import {
  createEmailDraft,
  createEmailTheme,
  createTsxEmailTemplate,
  deleteEmailDraft,
  deleteEmailTheme,
  deleteTsxEmailTemplate,
  replaceProjectConfig,
  resetProjectConfigKeys,
  unlinkProjectConfigSource,
  updateEmailDraft,
  updateEmailTheme,
  updateProjectConfig,
  updateTsxEmailTemplate,
} from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import type { Write } from './stage'

type AdminWrite = Write<AdminApp>

const emailConfig = {
  host: 'localhost',
  port: 2500,
  username: 'shop',
  password: 'a mail password',
  senderName: 'Shop',
  senderEmail: 'shop@example.com',
}
const withOwnServer = ({ app }: { readonly app: AdminApp }) =>
  app.updateProject({ config: { emailConfig: { type: 'standard', ...emailConfig } } })

const source = { type: 'pushed-from-unknown' } as const

const hello = `import { NotificationCategory, Subject } from '@stackframe/emails'
export function EmailTemplate() {
  return <p><Subject value="Hello" /><NotificationCategory value="Transactional" />Hello</p>
}`
const theme = 'export function EmailTheme({ children }) { return <main>{children}</main> }'

/** Every function of an admin kit that changes something; a name may stand here several times, with a note on the difference. */
export const adminWrites: Readonly<Record<string, AdminWrite>> = {
  updateProject: { write: ({ app }) => app.updateProject({ displayName: 'Shop', config: { passkeyEnabled: false } }) },
  createInternalApiKey: {
    write: ({ app }) =>
      app.createInternalApiKey({ description: 'new', expiresAt: new Date('2100-01-01'), hasSecretServerKey: true }),
  },
  updateInternalApiKey: {
    prepare: ({ app }) => app.createInternalApiKey({ description: 'ci', expiresAt: new Date('2100-01-01') }),
    write: ({ app }, { id: apiKeyId }: { readonly id: string }) =>
      app.updateInternalApiKey({ apiKeyId, description: 'cd' }),
  },
  revokeInternalApiKey: {
    prepare: ({ app }) => app.createInternalApiKey({ description: 'ci', expiresAt: new Date('2100-01-01') }),
    write: ({ app }, { id: apiKeyId }: { readonly id: string }) => app.revokeInternalApiKey({ apiKeyId }),
  },
  createTeamPermissionDefinition: {
    write: ({ app }) => app.createTeamPermissionDefinition({ id: 'edit', containedPermissionIds: ['$update_team'] }),
  },
  'updateTeamPermissionDefinition, what it contains': {
    write: ({ app }) =>
      app.updateTeamPermissionDefinition({ permissionId: 'team_member', containedPermissionIds: ['$update_team'] }),
  },
  'updateTeamPermissionDefinition, its id': {
    write: ({ app }) => app.updateTeamPermissionDefinition({ permissionId: 'team_member', id: 'mate' }),
  },
  deleteTeamPermissionDefinition: {
    write: ({ app }) => app.deleteTeamPermissionDefinition({ permissionId: 'team_member' }),
  },
  createProjectPermissionDefinition: { write: ({ app }) => app.createProjectPermissionDefinition({ id: 'draft' }) },
  'updateProjectPermissionDefinition, what it contains': {
    async prepare({ app, ids }) {
      await app.createProjectPermissionDefinition({ id: 'draft' })
      await app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' })
    },
    write: ({ app }) =>
      app.updateProjectPermissionDefinition({ permissionId: 'publish', containedPermissionIds: ['draft'] }),
  },
  'updateProjectPermissionDefinition, its id': {
    prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
    write: ({ app }) => app.updateProjectPermissionDefinition({ permissionId: 'publish', id: 'post' }),
  },
  deleteProjectPermissionDefinition: {
    prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
    write: ({ app }) => app.deleteProjectPermissionDefinition({ permissionId: 'publish' }),
  },
  updateEmailTemplate: {
    wire: '2.8.18',
    prepare: withOwnServer,
    write: ({ app }) => app.updateEmailTemplate({ type: 'magic_link', subject: 'Hello' }),
  },
  resetEmailTemplate: {
    wire: '2.8.18',
    async prepare(stage) {
      await withOwnServer(stage)
      await stage.app.updateEmailTemplate({ type: 'magic_link', subject: 'Hello' })
    },
    write: ({ app }) => app.resetEmailTemplate({ type: 'magic_link' }),
  },
  createTsxEmailTemplate: { wire: '2026', write: ({ app }) => createTsxEmailTemplate(app, { displayName: 'New' }) },
  updateTsxEmailTemplate: {
    wire: '2026',
    write: ({ app, ids }) =>
      updateTsxEmailTemplate(app, { emailTemplateId: ids.template, tsxSource: hello, themeId: ids.theme }),
  },
  deleteTsxEmailTemplate: {
    wire: '2026',
    write: ({ app, ids }) => deleteTsxEmailTemplate(app, { emailTemplateId: ids.template }),
  },
  createEmailTheme: { wire: '2026', write: ({ app }) => createEmailTheme(app, { displayName: 'New' }) },
  updateEmailTheme: {
    wire: '2026',
    write: ({ app, ids }) => updateEmailTheme(app, { emailThemeId: ids.theme, tsxSource: theme }),
  },
  deleteEmailTheme: {
    wire: '2026',
    write: ({ app, ids }) => deleteEmailTheme(app, { emailThemeId: ids.theme }),
  },
  createEmailDraft: { wire: '2026', write: ({ app }) => createEmailDraft(app, { displayName: 'New' }) },
  updateEmailDraft: {
    wire: '2026',
    write: ({ app, ids }) => updateEmailDraft(app, { emailDraftId: ids.draft, displayName: 'New', themeId: false }),
  },
  deleteEmailDraft: {
    wire: '2026',
    write: ({ app, ids }) => deleteEmailDraft(app, { emailDraftId: ids.draft }),
  },
  updateProjectConfig: {
    wire: '2026',
    write: ({ app }) =>
      updateProjectConfig(app, {
        changes: {
          'auth.allowSignUp': false,
          'auth.signUpRules.spam': { action: { type: 'reject' } },
          'onboarding.requireEmailVerification': true,
          'rbac.permissions.sell': { scope: 'team' },
          'rbac.permissions.publish': null,
        },
      }),
  },
  replaceProjectConfig: {
    wire: '2026',
    write: ({ app }) =>
      replaceProjectConfig(app, { level: 'branch', config: { auth: { allowSignUp: false } }, source }),
  },
  resetProjectConfigKeys: {
    wire: '2026',
    prepare: ({ app }) => updateProjectConfig(app, { changes: { 'auth.allowSignUp': false } }),
    write: ({ app }) => resetProjectConfigKeys(app, { level: 'environment', keys: ['auth'] }),
  },
  unlinkProjectConfigSource: {
    wire: '2026',
    prepare: ({ app }) => replaceProjectConfig(app, { level: 'branch', config: {}, source }),
    write: ({ app }) => unlinkProjectConfigSource(app),
  },
  sendTestEmail: { write: ({ app }) => app.sendTestEmail({ recipientEmail: 'ada@example.com', emailConfig }) },
  sendSignInInvitation: {
    write: ({ app }) => app.sendSignInInvitation({ email: 'new@example.com', callbackUrl: 'http://localhost:3000/' }),
  },
}

/** Functions that change no store, and those after which there is no project left to load. */
export const adminReaders: readonly (string | RegExp)[] = [
  /^(renderEmail|renderTsxEmail|sendTestWebhook|createWebhookToken|deleteProject)$/,
  /^(testSignUpRules|previewAffectedUsers)$/,
]
