import {
  changePrimaryEmail,
  createClientApp,
  createOwnedProject,
  deleteOAuthProvider,
  oauthProviders$,
  orThrow,
  providerAccounts$,
  transferOwnedProject,
  updateOAuthProvider,
} from 'rxauth'
import type { ClientApp } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { createOAuthProviderById, createServerApp } from 'rxauth/server'
import { ada, grace } from '../world'
import { bare, callbackUrl, clock, codeFor, elseId, labId, marketingId, opsId } from './stage'
import type { Stage, Write } from './stage'

const device = ({ platform }: Stage) => ({ hostname: 'localhost', authenticator: platform.authenticator() })
const secret = new TextEncoder().encode('twenty bytes, secret')
const totpSecretBase64 = btoa('twenty bytes, secret')

/** The digits of an authenticator now; the clock waits for WebCrypto, which takes as long as the machine is busy. */
async function digitsNow(secret: Uint8Array): Promise<string> {
  const work = clock.begin()
  try {
    return await totpCode(secret, clock.now())
  } finally {
    work.end()
  }
}

/** A kit of a user at another place. */
async function elsewhere({ platform }: Stage, { email }: { readonly email: string }): Promise<ClientApp> {
  return createClientApp({ ...platform.options, tokens: await platform.tokensFor(email) })
}

/** Invites Ada to a team at her address, which is then verified. */
async function inviteAda(stage: Stage): Promise<string> {
  const server = createServerApp(stage.platform.serverOptions)
  await server.updateUserById({ userId: stage.ids.ada, primaryEmailVerified: true })
  const { id } = await server.sendTeamInvitationById({ teamId: elseId, email: ada.email, callbackUrl })
  server.dispose()
  const { contactChannels$, anyUser$, ownTeamInvitations$ } = stage.app
  // The reference release lacks the last one.
  await Promise.allSettled([contactChannels$, anyUser$, ownTeamInvitations$].map(async store => store.refresh()))
  return id
}

/** Links an account to Ada; the link's id. */
async function link(stage: Stage): Promise<string> {
  const server = createServerApp(stage.platform.serverOptions)
  const account = { providerConfigId: 'github', accountId: '7', allowSignIn: true, allowConnectedAccounts: true }
  const { id } = orThrow(await createOAuthProviderById(server, { ...account, userId: stage.ids.ada }))
  server.dispose()
  const { app } = stage
  await Promise.all([oauthProviders$(app), providerAccounts$(app), app.anyUser$].map(async store => store.refresh()))
  return id
}

const acceptByCode: Write = {
  async prepare(stage) {
    await inviteAda(stage)
    return codeFor(stage, ada.email)
  },
  write: ({ app }, code: string) => app.acceptTeamInvitation({ code }),
}

/** Every function of a client kit that changes something; a name may stand here several times, with a note on the difference. */
export const clientWrites: Readonly<Record<string, Write>> = {
  updateUser: { write: ({ app }) => app.updateUser({ displayName: 'Countess', clientMetadata: { theme: 'dark' } }) },
  changePrimaryEmail: {
    wire: '2026',
    write: ({ app }) => changePrimaryEmail(app, { primaryEmail: 'lovelace@example.com' }),
  },
  'changePrimaryEmail, an address of the user': {
    wire: '2026',
    write: ({ app }) => changePrimaryEmail(app, { primaryEmail: 'countess@example.com' }),
  },
  deleteUser: { write: ({ app }) => app.deleteUser() },
  signOut: { write: ({ app }) => app.signOut() },
  setPassword: { as: bare.email, write: ({ app }) => app.setPassword({ password: 'battery staple' }) },
  updatePassword: {
    write: ({ app }) => app.updatePassword({ oldPassword: ada.password, newPassword: 'battery staple' }),
  },
  verifyEmail: {
    async prepare(stage) {
      await stage.app.sendVerificationEmail({ callbackUrl })
      return codeFor(stage, ada.email)
    },
    write: ({ app }, code: string) => app.verifyEmail({ code }),
  },
  resetPassword: {
    as: bare.email,
    async prepare(stage) {
      await stage.app.sendPasswordResetEmail({ email: bare.email, callbackUrl })
      return codeFor(stage, bare.email)
    },
    write: ({ app }, code: string) => app.resetPassword({ code, password: 'battery staple' }),
  },
  enableTotp: {
    prepare: ({ app }) => app.startTotpEnrolment(),
    write: async ({ app }, enrolment: { readonly secret: Uint8Array<ArrayBuffer> }) =>
      app.enableTotp({ ...enrolment, totp: await digitsNow(enrolment.secret) }),
  },
  disableTotp: {
    prepare: ({ app }) => app.updateUser({ totpSecretBase64 }),
    write: ({ app }) => app.disableTotp(),
  },
  registerPasskey: { write: stage => stage.app.registerPasskey(device(stage)) },
  signInWithPassword: {
    as: grace.email,
    write: ({ app }) => app.signInWithPassword({ email: ada.email, password: ada.password }),
  },
  signUpWithPassword: {
    as: grace.email,
    write: ({ app }) =>
      app.signUpWithPassword({
        email: 'born@example.com',
        password: 'battery staple',
        verificationCallbackUrl: callbackUrl,
      }),
  },
  signUpAnonymously: { as: null, write: ({ app }) => app.signUpAnonymously() },
  signInWithMagicLink: {
    as: grace.email,
    async prepare(stage) {
      await stage.app.sendMagicLinkEmail({ email: bare.email, callbackUrl })
      return codeFor(stage, bare.email)
    },
    write: ({ app }, code: string) => app.signInWithMagicLink({ code }),
  },
  signInWithPasskey: {
    as: grace.email,
    async prepare(stage) {
      const input = device(stage)
      await (await elsewhere(stage, ada)).registerPasskey(input)
      return input
    },
    write: ({ app }, input: ReturnType<typeof device>) => app.signInWithPasskey(input),
  },
  continueSignIn: {
    as: grace.email,
    async prepare(stage) {
      await (await elsewhere(stage, ada)).updateUser({ totpSecretBase64 })
      await stage.app.signInWithPassword({ email: ada.email, password: ada.password })
    },
    write: async ({ app }) => app.continueSignIn({ totp: await digitsNow(secret) }),
  },
  revokeSession: { write: ({ app, ids }) => app.revokeSession({ sessionId: ids.session }) },
  createTeam: { write: ({ app }) => app.createTeam({ displayName: 'New' }) },
  updateTeam: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.updateTeam({ teamId: opsId, displayName: 'Operations' }),
  },
  deleteTeam: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.deleteTeam({ teamId: opsId }),
  },
  selectTeam: { write: ({ app }) => app.selectTeam({ teamId: labId }) },
  'selectTeam, none': {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.selectTeam({ teamId: null }),
  },
  leaveTeam: {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app }) => app.leaveTeam({ teamId: opsId }),
  },
  removeTeamMember: { write: ({ app, ids }) => app.removeTeamMember({ teamId: opsId, userId: ids.grace }) },
  'removeTeamMember, oneself': {
    prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
    write: ({ app, ids }) => app.removeTeamMember({ teamId: opsId, userId: ids.ada }),
  },
  updateOwnTeamProfile: { write: ({ app }) => app.updateOwnTeamProfile({ teamId: opsId, displayName: 'Admiral' }) },
  sendTeamInvitation: {
    write: ({ app }) => app.sendTeamInvitation({ teamId: opsId, email: 'eve@example.com', callbackUrl }),
  },
  revokeTeamInvitation: {
    write: ({ app, ids }) => app.revokeTeamInvitation({ teamId: opsId, invitationId: ids.invitation }),
  },
  acceptTeamInvitation: acceptByCode,
  'acceptTeamInvitation, of 2026': { ...acceptByCode, wire: '2026' },
  acceptOwnTeamInvitation: {
    wire: '2026',
    prepare: inviteAda,
    write: ({ app }, invitationId: string) => app.acceptOwnTeamInvitation({ invitationId }),
  },
  updateOAuthProvider: {
    wire: '2026',
    prepare: link,
    write: ({ app }, oauthProviderId: string) =>
      updateOAuthProvider(app, { oauthProviderId, allowConnectedAccounts: false }),
  },
  deleteOAuthProvider: {
    wire: '2026',
    prepare: link,
    write: ({ app }, oauthProviderId: string) => deleteOAuthProvider(app, { oauthProviderId }),
  },
  createUserApiKey: { write: ({ app }) => app.createUserApiKey({ description: 'new' }) },
  updateUserApiKey: { write: ({ app, ids }) => app.updateUserApiKey({ apiKeyId: ids.userKey, description: 'cd' }) },
  revokeUserApiKey: { write: ({ app, ids }) => app.revokeUserApiKey({ apiKeyId: ids.userKey }) },
  createTeamApiKey: { write: ({ app }) => app.createTeamApiKey({ teamId: opsId, description: 'new' }) },
  updateTeamApiKey: {
    write: ({ app, ids }) => app.updateTeamApiKey({ teamId: opsId, apiKeyId: ids.teamKey, description: 'cd' }),
  },
  revokeTeamApiKey: { write: ({ app, ids }) => app.revokeTeamApiKey({ teamId: opsId, apiKeyId: ids.teamKey }) },
  createContactChannel: {
    write: ({ app }) => app.createContactChannel({ value: 'home@example.com', isPrimary: true }),
  },
  updateContactChannel: {
    write: ({ app, ids }) => app.updateContactChannel({ contactChannelId: ids.channel, isPrimary: true }),
  },
  deleteContactChannel: { write: ({ app, ids }) => app.deleteContactChannel({ contactChannelId: ids.primary }) },
  updateNotificationPreference: {
    write: ({ app }) => app.updateNotificationPreference({ notificationCategoryId: marketingId, enabled: false }),
  },
  transferOwnedProject: {
    wire: '2026',
    prepare: async ({ app }) => (await createOwnedProject(app, { displayName: 'Engine', ownerTeamId: opsId })).id,
    write: ({ app }, projectId: string) => transferOwnedProject(app, { projectId, newTeamId: labId }),
  },
  createOwnedProject: { write: ({ app }) => createOwnedProject(app, { displayName: 'New' }) },
}

/** Functions that read, send mail or navigate, and change no store. */
export const clientReaders: readonly (string | RegExp)[] = [
  /^redirectTo/,
  /^check[A-Z]/,
  /^send(VerificationEmail|MagicLinkEmail|PasswordResetEmail|ContactChannelVerification)$/,
  /^(can|whyApiKeyInvalid|inspect|navigateAfterAuth|accessToken|authHeaders)$/,
  /^(startTotpEnrolment|teamInvitationDetails|connectedAccountToken)$/,
  // Tested elsewhere: navigation in oauth.test.ts and connected-accounts.test.ts, waiting for another program in cli.test.ts.
  /^(signInWithOAuth|signInWithOAuthPopup|handleOAuthCallback|connectAccount|connectAccountPopup)$/,
  /^(promptCliLogin|completeCliLogin)$/,
]
