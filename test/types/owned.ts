// Compiled, never run: the things of users and teams, and the kits that may read and change them.
import type {
  ClientApp,
  ConnectedAccount,
  Kit,
  NewTeamApiKey,
  NewUserApiKey,
  NotificationPreference,
  OwnTeamInvitation,
  OwnedProject,
  ownedProjects$,
  Store,
  TeamApiKey,
  TeamInvitation,
  TeamMember,
  TeamPermission,
  UserApiKey,
} from 'rxauth'
import {
  acceptOwnTeamInvitation,
  can,
  createTeamApiKey,
  createUserApiKey,
  leaveTeam,
  selectTeam,
  userApiKeys$,
} from 'rxauth'
import {
  acceptOwnTeamInvitationById,
  addTeamMemberById,
  allTeams$,
  checkUserApiKey,
  connectedAccountTokenById,
  createTeamApiKeyById,
  createUserApiKeyById,
  deleteTeamById,
  grantTeamPermission,
  isPermitted,
  notificationPreferencesOf$,
  ownTeamInvitationsOf$,
  projectPermissionsOf$,
  revokeProjectPermission,
  revokeUserApiKeyById,
  sendEmail,
  sendTeamInvitationById,
  teamApiKeysOf$,
  teamInvitationsOf$,
  teamMembersOf$,
  teamPermissionsOf$,
  updateNotificationPreferenceById,
  updateTeamMemberProfileById,
  userApiKeysOf$,
} from 'rxauth/server'
import type { EmailResult, RequestApp, ServerApp, ServerTeamMember } from 'rxauth/server'
import type { Equal, Expect } from './equal'

declare const client: Kit
declare const server: Kit<'client' | 'server'>
const [teamId, userId, description] = ['t', 'u', 'd']
const member = { teamId, userId }

type RefusalsOf<F extends (...input: never[]) => unknown> =
  Awaited<ReturnType<F>> extends infer R ? (R extends { ok: false; error: { code: infer C } } ? C : never) : never

export type Pinned = [
  Expect<Equal<ClientApp['userApiKeys$'], Store<UserApiKey[]>>>,
  Expect<Equal<ReturnType<ClientApp['teamApiKeys$']>, Store<TeamApiKey[]>>>,
  Expect<Equal<ReturnType<ClientApp['teamApiKey$']>, Store<TeamApiKey | null>>>,
  // The whole key is in the answer that creates it, and in no other.
  Expect<Equal<Awaited<ReturnType<ClientApp['createUserApiKey']>>, NewUserApiKey>>,
  Expect<Equal<Awaited<ReturnType<ClientApp['createTeamApiKey']>>, NewTeamApiKey>>,
  Expect<Equal<NewUserApiKey['value'], string>>,
  Expect<Equal<UserApiKey['value'], { lastFour: string }>>,
  Expect<Equal<Awaited<ReturnType<ClientApp['updateUserApiKey']>>, UserApiKey>>,
  Expect<Equal<ReturnType<ClientApp['teamInvitations$']>, Store<TeamInvitation[]>>>,
  Expect<Equal<ClientApp['ownTeamInvitations$'], Store<OwnTeamInvitation[]>>>,
  Expect<
    Equal<
      RefusalsOf<ClientApp['acceptOwnTeamInvitation']>,
      'VERIFICATION_CODE_NOT_FOUND' | 'VERIFICATION_ERROR' | 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'
    >
  >,
  Expect<Equal<ReturnType<ClientApp['teamPermissions$']>, Store<TeamPermission[]>>>,
  Expect<Equal<ReturnType<ClientApp['can']>, boolean | undefined>>,
  Expect<Equal<ReturnType<ClientApp['can$']>, Store<boolean>>>,
  Expect<Equal<ClientApp['notificationPreferences$'], Store<NotificationPreference[]>>>,
  Expect<Equal<ClientApp['connectedAccounts$'], Store<readonly ConnectedAccount[]>>>,
  Expect<Equal<Awaited<ReturnType<ClientApp['connectedAccountToken']>>, string | null>>,
  Expect<Equal<ReturnType<typeof ownedProjects$>, Store<OwnedProject[]>>>,
  // Functions of a kit, and members of no app.
  Expect<Equal<Extract<keyof ClientApp, 'ownedProjects$' | 'createOwnedProject'>, never>>,
  // There is nothing to look into: it is done, or it throws.
  Expect<Equal<ReturnType<ClientApp['leaveTeam']>, Promise<void>>>,
  Expect<Equal<ReturnType<ClientApp['revokeTeamInvitation']>, Promise<void>>>,
  Expect<Equal<Parameters<ClientApp['selectTeam']>[0], { readonly teamId: string | null }>>,
  Expect<Equal<Awaited<ReturnType<ServerApp['sendEmail']>>['results'], EmailResult[]>>,
  Expect<Equal<ReturnType<RequestApp['teamMembersOf$']>, Store<ServerTeamMember[]>>>,
]

void createUserApiKey(client, { description })
void createUserApiKey(server, { description, expiresAt: new Date(0), isPublic: true })
// @ts-expect-error a key is always the signed-in user's
void createUserApiKey(client, { description, userId })
// @ts-expect-error nor a team's
void createUserApiKey(client, { description, teamId })
// @ts-expect-error a key of a team needs its team
void createTeamApiKey(client, { description })
// @ts-expect-error and is of no user
void createTeamApiKey(client, { description, teamId, userId })
// @ts-expect-error an instant is a Date
void createUserApiKey(client, { description, expiresAt: 5 })
// @ts-expect-error the list is the signed-in user's
void userApiKeys$(client, { userId })
// @ts-expect-error leaving is for oneself
void leaveTeam(client, { teamId, userId })
// @ts-expect-error no team is null, not left out
void selectTeam(client, {})
// @ts-expect-error a check is of one permission
void can(client, { teamId })

void userApiKeysOf$(server, { userId })
void createUserApiKeyById(server, { userId, description })
// @ts-expect-error a client kit lists only its own user’s keys
void userApiKeysOf$(client, { userId })
// @ts-expect-error creates none for another
void createUserApiKeyById(client, { userId, description })
// @ts-expect-error revokes none of another
void revokeUserApiKeyById(client, { apiKeyId: 'k' })
// @ts-expect-error checks none
void checkUserApiKey(client, { apiKey: 'k' })
// @ts-expect-error the same for keys of teams
void teamApiKeysOf$(client, { teamId })
// @ts-expect-error which a server creates for a team
void createTeamApiKeyById(client, { teamId, description })
// @ts-expect-error all teams are for servers
void allTeams$(client)
// @ts-expect-error and so is deleting any of them
void deleteTeamById(client, { teamId })
// @ts-expect-error adding a member
void addTeamMemberById(client, member)
// @ts-expect-error the members with their users
void teamMembersOf$(client, { teamId })
// @ts-expect-error the profile of another user
void updateTeamMemberProfileById(client, { ...member, displayName: 'x' })
// @ts-expect-error the permissions of another user in teams
void teamPermissionsOf$(client, { userId })
// @ts-expect-error and in the project
void projectPermissionsOf$(client, { userId })
// @ts-expect-error granting a permission
void grantTeamPermission(client, { ...member, permissionId: 'p' })
// @ts-expect-error revoking a permission
void revokeProjectPermission(client, { userId, permissionId: 'p' })
// @ts-expect-error asking for another user
void isPermitted(client, { userId, permissionId: 'p' })
// @ts-expect-error invitations of any team
void teamInvitationsOf$(client, { teamId })
// @ts-expect-error invitations to any user
void ownTeamInvitationsOf$(client, { userId })
// @ts-expect-error accepting for any user
void acceptOwnTeamInvitationById(client, { userId, invitationId: 'i' })
// @ts-expect-error a client accepts for its own user
void acceptOwnTeamInvitation(client, { userId, invitationId: 'i' })
// @ts-expect-error inviting to any team
void sendTeamInvitationById(client, { teamId, email: 'x@example.com' })
// @ts-expect-error the mail settings of another user
void notificationPreferencesOf$(client, { userId })
// @ts-expect-error and changing it
void updateNotificationPreferenceById(client, { userId, notificationCategoryId: 'c', enabled: true })
// @ts-expect-error mailing users
void sendEmail(client, { userIds: [userId], subject: 's', html: 'h', notificationCategoryName: 'c' })
// @ts-expect-error acting at a provider for another user
void connectedAccountTokenById(client, { userId, provider: 'github' })

declare const serverMember: ServerTeamMember
declare const newKey: NewUserApiKey
// @ts-expect-error a server's view of a member does not fit where a client's is asked for
export const asMember: TeamMember = serverMember
// @ts-expect-error a key with its value is none that a store shows
export const asKey: UserApiKey = newKey
