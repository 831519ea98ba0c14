import {
  anyUser$,
  createOwnedProject,
  deleteOAuthProvider,
  oauthProviders$,
  orThrow,
  ownedProjects$,
  sessions$,
  updateOAuthProvider,
  view,
} from 'rxauth'
import type { ClientApp, Store } from 'rxauth'
import type { Platform, Wire } from 'rxauth/platform'
import { createOAuthProviderById, createServerApp } from 'rxauth/server'

export const opsId = 'b0c1d2e3-1111-4222-8333-444455556666'
const marketingId = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'
const callbackUrl = 'http://localhost:3000/handler/team-invitation'
const teamId = opsId

/** A row of any of the lists. */
type Row = object

/** A write to something that a user or a team owns. */
export interface Entity {
  readonly name: string
  /** The route on the platform. */
  readonly route: string
  /** Whether the request can be repeated, so that the kit sends it again after a lost answer. */
  readonly isRepeated: boolean
  /** The release that has the call; default 2.8.18. */
  readonly wire?: Wire
  /** Makes what the write needs; returns its id. */
  readonly prepare: (app: ClientApp, platform: Platform) => Promise<string>
  /** The list that shows the result. */
  readonly store: (app: ClientApp) => Store<readonly Row[]>
  readonly write: (app: ClientApp, id: string) => Promise<unknown>
  readonly isDone: (shown: readonly Row[], id: string) => boolean
}

const nothing = async () => Promise.resolve('')
const field = (row: Row | undefined, name: string) => (row as Readonly<Record<string, unknown>> | undefined)?.[name]
const one = (shown: readonly Row[], id: string) => shown.find(row => field(row, 'id') === id)

const keysOf = (app: ClientApp): Store<readonly Row[]> => app.userApiKeys$
const teamKeysOf = (app: ClientApp): Store<readonly Row[]> => app.teamApiKeys$({ teamId })
const channelsOf = (app: ClientApp): Store<readonly Row[]> => app.contactChannels$
const invitationsOf = (app: ClientApp): Store<readonly Row[]> => app.teamInvitations$({ teamId })

const teamsOf = (app: ClientApp): Store<readonly Row[]> => app.teams$
const membersOf = (app: ClientApp): Store<readonly Row[]> => app.teamMembers$({ teamId })

/** An older session of Ada. */
export const formerSession = { createdAt: new Date('2020-01-01') }
const formerSessions$ = view(sessions$, all =>
  all.filter(({ createdAt }) => createdAt.getTime() === formerSession.createdAt.getTime()),
)
const formerSessionsOf = (app: ClientApp): Store<readonly Row[]> => formerSessions$(app)

/** The selected team, as a list of one. */
const selection$ = view(anyUser$, user =>
  user ? [{ id: user.id, teamId: user.selectedTeamId, name: user.selectedTeam?.displayName }] : [],
)

const userKey = async (app: ClientApp) => (await app.createUserApiKey({ description: 'ci' })).id
const teamKey = async (app: ClientApp) => (await app.createTeamApiKey({ teamId, description: 'ci' })).id
const invitation = async (app: ClientApp) =>
  (await app.sendTeamInvitation({ teamId, email: 'eve@example.com', callbackUrl })).id

async function channel(app: ClientApp): Promise<string> {
  const added = await app.createContactChannel({ value: 'home@example.com' })
  if (!added.ok) throw added.error
  return added.value.id
}

/** Links an account of GitHub to the user; the link's id. */
async function link(app: ClientApp, { serverOptions }: Platform): Promise<string> {
  const { id: userId } = (await app.user$.get())!
  const account = { providerConfigId: 'github', accountId: '7', allowSignIn: true, allowConnectedAccounts: true }
  const server = createServerApp(serverOptions)
  const { id } = orThrow(await createOAuthProviderById(server, { ...account, userId }))
  server.dispose()
  return id
}

/** Invites the user, whose address is then verified, to another team; the invitation's id. */
async function ownInvitation(app: ClientApp, { serverOptions }: Platform): Promise<string> {
  const { id: userId, primaryEmail } = (await app.user$.get())!
  const server = createServerApp(serverOptions)
  await server.updateUserById({ userId, primaryEmailVerified: true })
  const { id: lab } = orThrow(await server.createTeamById({ displayName: 'Lab' }))
  const { id } = await server.sendTeamInvitationById({ teamId: lab, email: primaryEmail!, callbackUrl })
  server.dispose()
  return id
}

const links = '/oauth-providers/{userId}/{oauthProviderId}'
const keys = '/user-api-keys'
const channels = '/contact-channels/{userId}/{contactChannelId}'

export const entities: readonly Entity[] = [
  {
    name: 'who creates an API key',
    route: `POST ${keys}`,
    isRepeated: false,
    prepare: nothing,
    store: keysOf,
    write: app => app.createUserApiKey({ description: 'new' }),
    isDone: shown => shown.some(row => field(row, 'description') === 'new'),
  },
  {
    name: 'who renames an API key',
    route: `PATCH ${keys}/{apiKeyId}`,
    isRepeated: false,
    prepare: userKey,
    store: keysOf,
    write: (app, apiKeyId) => app.updateUserApiKey({ apiKeyId, description: 'cd' }),
    isDone: (shown, id) => field(one(shown, id), 'description') === 'cd',
  },
  {
    name: 'who revokes an API key',
    route: `PATCH ${keys}/{apiKeyId}`,
    isRepeated: false,
    prepare: userKey,
    store: keysOf,
    write: (app, apiKeyId) => app.revokeUserApiKey({ apiKeyId }),
    isDone: (shown, id) => field(one(shown, id), 'manuallyRevokedAt') instanceof Date,
  },
  {
    name: "who creates a team's API key",
    route: 'POST /team-api-keys',
    isRepeated: false,
    prepare: nothing,
    store: teamKeysOf,
    write: app => app.createTeamApiKey({ teamId, description: 'new' }),
    isDone: shown => shown.some(row => field(row, 'description') === 'new'),
  },
  {
    name: "who revokes a team's API key",
    route: 'PATCH /team-api-keys/{apiKeyId}',
    isRepeated: false,
    prepare: teamKey,
    store: teamKeysOf,
    write: (app, apiKeyId) => app.revokeTeamApiKey({ teamId, apiKeyId }),
    isDone: (shown, id) => field(one(shown, id), 'manuallyRevokedAt') instanceof Date,
  },
  {
    name: "who renames a team's API key",
    route: 'PATCH /team-api-keys/{apiKeyId}',
    isRepeated: false,
    prepare: teamKey,
    store: teamKeysOf,
    write: (app, apiKeyId) => app.updateTeamApiKey({ teamId, apiKeyId, description: 'cd' }),
    isDone: (shown, id) => field(one(shown, id), 'description') === 'cd',
  },
  {
    name: 'who ends another session',
    route: 'DELETE /auth/sessions/{sessionId}',
    isRepeated: true,
    prepare: async app => (await formerSessions$(app).get())[0]!.id,
    store: formerSessionsOf,
    write: (app, sessionId) => app.revokeSession({ sessionId }),
    isDone: (shown, id) => one(shown, id) === undefined,
  },
  {
    name: 'who wants no more mails of a category',
    route: 'PATCH /emails/notification-preference/{userId}/{notificationCategoryId}',
    isRepeated: false,
    prepare: nothing,
    store: app => app.notificationPreferences$,
    write: app => app.updateNotificationPreference({ notificationCategoryId: marketingId, enabled: false }),
    isDone: shown =>
      shown.some(row => field(row, 'notificationCategoryId') === marketingId && field(row, 'enabled') === false),
  },
  {
    name: 'who creates a project',
    route: 'POST /internal/projects',
    isRepeated: false,
    prepare: nothing,
    store: app => ownedProjects$(app),
    write: app => createOwnedProject(app, { displayName: 'New' }),
    isDone: shown => shown.some(row => field(row, 'displayName') === 'New'),
  },
  {
    name: 'who adds an address',
    route: 'POST /contact-channels',
    isRepeated: false,
    prepare: nothing,
    store: channelsOf,
    write: app => app.createContactChannel({ value: 'new@example.com' }),
    isDone: shown => shown.some(row => field(row, 'value') === 'new@example.com'),
  },
  {
    name: 'who makes an address the primary one',
    route: `PATCH ${channels}`,
    isRepeated: false,
    prepare: channel,
    store: channelsOf,
    write: (app, contactChannelId) => app.updateContactChannel({ contactChannelId, isPrimary: true }),
    isDone: (shown, id) => field(one(shown, id), 'isPrimary') === true,
  },
  {
    name: 'who takes an address away',
    route: `DELETE ${channels}`,
    isRepeated: true,
    prepare: channel,
    store: channelsOf,
    write: (app, contactChannelId) => app.deleteContactChannel({ contactChannelId }),
    isDone: (shown, id) => one(shown, id) === undefined,
  },
  {
    name: 'who invites a user to a team',
    route: 'POST /team-invitations/send-code',
    isRepeated: false,
    prepare: nothing,
    store: invitationsOf,
    write: app => app.sendTeamInvitation({ teamId, email: 'new@example.com', callbackUrl }),
    isDone: shown => shown.some(row => field(row, 'recipientEmail') === 'new@example.com'),
  },
  {
    name: 'who takes an invitation back',
    route: 'DELETE /team-invitations/{invitationId}',
    isRepeated: true,
    prepare: invitation,
    store: invitationsOf,
    write: (app, invitationId) => app.revokeTeamInvitation({ teamId, invitationId }),
    isDone: (shown, id) => one(shown, id) === undefined,
  },
  {
    name: 'who accepts an invitation in the app',
    route: 'POST /team-invitations/{invitationId}/accept',
    isRepeated: false,
    wire: '2026',
    prepare: ownInvitation,
    store: teamsOf,
    write: (app, invitationId) => app.acceptOwnTeamInvitation({ invitationId }),
    isDone: shown => shown.some(row => field(row, 'displayName') === 'Lab'),
  },
  {
    name: 'who signs in with an account at a provider no more',
    route: `PATCH ${links}`,
    isRepeated: false,
    wire: '2026',
    prepare: link,
    store: app => oauthProviders$(app),
    write: (app, oauthProviderId) => updateOAuthProvider(app, { oauthProviderId, allowSignIn: false }),
    isDone: (shown, id) => field(one(shown, id), 'allowSignIn') === false,
  },
  {
    name: 'who unlinks an account at a provider',
    route: `DELETE ${links}`,
    isRepeated: true,
    wire: '2026',
    prepare: link,
    store: app => oauthProviders$(app),
    write: (app, oauthProviderId) => deleteOAuthProvider(app, { oauthProviderId }),
    isDone: (shown, id) => one(shown, id) === undefined,
  },
  {
    name: 'who creates a team',
    route: 'POST /teams',
    isRepeated: false,
    prepare: nothing,
    store: teamsOf,
    write: app => app.createTeam({ displayName: 'New' }),
    isDone: shown => shown.some(row => field(row, 'displayName') === 'New'),
  },
  {
    name: 'who renames a team',
    route: 'PATCH /teams/{teamId}',
    isRepeated: false,
    prepare: nothing,
    store: teamsOf,
    write: app => app.updateTeam({ teamId, displayName: 'Operations' }),
    isDone: shown => field(one(shown, teamId), 'displayName') === 'Operations',
  },
  {
    name: 'who selects a team',
    route: 'PATCH /users/me',
    isRepeated: false,
    // A team that the kit knows is shown at once.
    prepare: async app => (await app.teams$.get())[0]!.id,
    store: app => selection$(app),
    write: (app, id) => app.selectTeam({ teamId: id }),
    isDone: (shown, id) => field(shown[0], 'teamId') === id && field(shown[0], 'name') === 'Ops',
  },
  {
    name: 'who deletes a team',
    route: 'DELETE /teams/{teamId}',
    isRepeated: true,
    prepare: nothing,
    store: teamsOf,
    write: app => app.deleteTeam({ teamId }),
    isDone: shown => one(shown, teamId) === undefined,
  },
  {
    name: 'who leaves a team',
    route: 'DELETE /team-memberships/{teamId}/{userId}',
    isRepeated: true,
    prepare: nothing,
    store: teamsOf,
    write: app => app.leaveTeam({ teamId }),
    isDone: shown => one(shown, teamId) === undefined,
  },
  {
    name: 'who removes a user from a team',
    route: 'DELETE /team-memberships/{teamId}/{userId}',
    isRepeated: true,
    prepare: async app => (await app.teamMembers$({ teamId }).get()).at(-1)!.userId,
    store: membersOf,
    write: (app, userId) => app.removeTeamMember({ teamId, userId }),
    isDone: (shown, userId) => !shown.some(row => field(row, 'userId') === userId),
  },
  {
    name: 'who has another name in a team',
    route: 'PATCH /team-member-profiles/{teamId}/{userId}',
    isRepeated: false,
    prepare: nothing,
    store: membersOf,
    write: app => app.updateOwnTeamProfile({ teamId, displayName: 'Admiral' }),
    isDone: shown => shown.some(row => field(row, 'displayName') === 'Admiral'),
  },
]
