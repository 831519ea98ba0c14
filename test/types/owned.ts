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
import { createUserApiKeyById, userApiKeysOf$ } from 'rxauth/server'
import type { EmailResult, RequestApp, ServerApp, ServerTeamMember } from 'rxauth/server'
import type * as adminRegistry from '../../src/entities/admin'
import type * as serverRegistry from '../../src/entities/server'
import type { Equal, Expect } from './equal'

declare const client: Kit
declare const server: Kit<'client' | 'server'>
const [teamId, userId, description] = ['t', 'u', 'd']

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

/** The functions of a registry that accept a kit. */
type Accepting<K, Registry> = {
  [N in keyof Registry]: Registry[N] extends (kit: infer Of, ...rest: never[]) => unknown
    ? K extends Of
      ? N
      : never
    : never
}[keyof Registry]

export type Levels = [
  // What acts on any user or team is for kits with a secret key.
  Expect<Equal<Accepting<Kit, typeof serverRegistry>, never>>,
  Expect<Equal<Accepting<Kit<'client' | 'server'>, typeof adminRegistry>, never>>,
  Expect<
    Equal<
      Extract<
        'userApiKeysOf$' | 'createUserApiKeyById' | 'isPermitted',
        Accepting<typeof server, typeof serverRegistry>
      >,
      'userApiKeysOf$' | 'createUserApiKeyById' | 'isPermitted'
    >
  >,
]
void userApiKeysOf$(server, { userId })
void createUserApiKeyById(server, { userId, description })
// @ts-expect-error a client kit lists only its own user’s keys
void userApiKeysOf$(client, { userId })
// @ts-expect-error a client accepts for its own user
void acceptOwnTeamInvitation(client, { userId, invitationId: 'i' })

declare const serverMember: ServerTeamMember
declare const newKey: NewUserApiKey
// @ts-expect-error a server's view of a member does not fit where a client's is asked for
export const asMember: TeamMember = serverMember
// @ts-expect-error a key with its value is none that a store shows
export const asKey: UserApiKey = newKey
