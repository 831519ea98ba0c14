// Compiled, never run: the calls that each kit may make, and the assignability of levels.
import * as v from 'valibot'
import { CurrentUser, endpoint, memoryTokens, mutation, query, user$, view } from 'rxauth'
import type { CurrentUser as User, Kit, Mutation, Outcome, Query, Store, Team } from 'rxauth'
import {
  createAdminApp,
  metrics$,
  renderEmail,
  renderTsxEmail,
  updateEmailTemplate,
  updateTeamPermissionDefinition,
} from 'rxauth/admin'
import { contactChannelsOf$, createServerApp, sendEmail, updateUserById, users$ } from 'rxauth/server'
import type { ServerTeam, ServerUser } from 'rxauth/server'
import type { Equal, Expect } from './equal'

declare const client: Kit
declare const server: Kit<'client' | 'server'>
declare const serverOnly: Kit<'server'>

const serverThing$ = query(endpoint('GET /things/{thingId}', { access: 'server', returns: CurrentUser }))
const updateThing = mutation(
  endpoint('PATCH /things/{thingId}', {
    access: 'server',
    body: { note: v.optional(v.string()) },
    returns: CurrentUser,
    fails: ['USER_NOT_FOUND'],
  }),
  { refreshes: () => [serverThing$] },
)
const thingView$ = view(serverThing$, thing => thing.displayName)

void serverThing$(server, { thingId: 'x' })
void serverThing$(serverOnly, { thingId: 'x' })
void user$(server)
// @ts-expect-error a client kit cannot call a server query
void serverThing$(client, { thingId: 'x' })
// @ts-expect-error nor a view of one
void thingView$(client, { thingId: 'x' })
// @ts-expect-error nor a server mutation
void updateThing(client, { thingId: 'x' })
// @ts-expect-error a kit of the server level alone has no user of its own
void user$(serverOnly)

// @ts-expect-error the path has a parameter
void serverThing$(server)
// @ts-expect-error it is a text
void serverThing$(server, { thingId: 7 })
// @ts-expect-error and has this name
void updateThing(server, { id: 'x' })

export type Pinned = [
  Expect<Equal<ReturnType<typeof serverThing$>, Store<User>>>,
  Expect<Equal<ReturnType<typeof thingView$>, Store<string | null>>>,
  Expect<typeof user$ extends Query<'client', {}, User | null> ? true : false>,
  Expect<
    typeof updateThing extends Mutation<
      'server',
      { thingId: string; note?: string | undefined },
      User,
      'USER_NOT_FOUND'
    >
      ? true
      : false
  >,
  Expect<Equal<Outcome<string, never>, string>>,
]

declare const serverUser: Omit<User, 'serverMetadata'> & { serverMetadata: { secret: number } }
declare const serverTeam: Omit<Team, 'serverMetadata'> & { serverMetadata: { secret: number } }
// @ts-expect-error a server user is not assignable to a client's user
export const user: User = serverUser
// @ts-expect-error the same for teams
export const team: Team = serverTeam

// @ts-expect-error a session-owned query needs its signed-out value
query(async () => 'x', { key: 'x', ownedBy: 'session' })
// @ts-expect-error and that is of its own type
query(async () => 'x', { key: 'x', ownedBy: 'session', signedOut: 7 })
// @ts-expect-error only errors that the endpoint declares can mean "there is none"
query(endpoint('GET /things', { access: 'client', fails: ['USER_NOT_FOUND'] }), { absent: ['TEAM_NOT_FOUND'] })
// @ts-expect-error what only stores of the kit have is no option of an app's query
query(endpoint('GET /things', { access: 'client' }), { '~follows': [user$] })

const serverApp = createServerApp()
void users$(serverApp)
void user$(serverApp)
export const requestUser$ = serverApp.withTokens(memoryTokens()).user$
// @ts-expect-error a client kit calls no server definition: a list
void users$(client)
// @ts-expect-error one that takes a user's id
void contactChannelsOf$(client, { userId: 'x' })
// @ts-expect-error a write of the server level
void updateUserById(client, { userId: 'x' })
// @ts-expect-error an app of the server has no user by itself
export const nobody$ = serverApp.user$
declare const realServerUser: ServerUser
declare const realServerTeam: ServerTeam
// @ts-expect-error a value of the server level is not assignable either
export const serverUserAsUser: User = realServerUser
// @ts-expect-error nor a team
export const serverTeamAsTeam: Team = realServerTeam
// @ts-expect-error a query that the endpoint owns takes statuses and its own codes
query(endpoint('GET /things', { access: 'client', fails: ['USER_NOT_FOUND'] }), { absent: [404, 'TEAM_NOT_FOUND'] })
query(endpoint('GET /things', { access: 'client', fails: ['USER_NOT_FOUND'] }), { absent: [404, 'USER_NOT_FOUND'] })

const prepared = mutation(endpoint('POST /things', { access: 'client', body: { note: v.string() } }), {
  prepare: (_, input: { readonly note?: string }) => ({ note: input.note ?? '' }),
  refreshes: () => [],
})
void prepared(client)
// @ts-expect-error its input is that of prepare
void prepared(client, { note: 7 })

const adminApp = createAdminApp()
declare const admin: Kit<'client' | 'server' | 'admin'>
void metrics$(adminApp)
void metrics$(admin)
// An admin app has every definition of a server's, bound and not.
void adminApp.users$()
void users$(adminApp)
// @ts-expect-error a client kit calls no admin definition: a store
void metrics$(client)
// @ts-expect-error nor does a server kit
void metrics$(server)
// @ts-expect-error nor one of the server level alone
void metrics$(serverOnly)
// @ts-expect-error nor an app of a server
void metrics$(serverApp)
// @ts-expect-error a write, by a client kit
void updateEmailTemplate(client, { type: 'magic_link', subject: 'x' })
// @ts-expect-error and by a server kit
void updateEmailTemplate(server, { type: 'magic_link', subject: 'x' })
// @ts-expect-error one that completes its input
void updateTeamPermissionDefinition(server, { permissionId: 'x' })
// @ts-expect-error an app for one request has the rights of a server, and no more
void metrics$(adminApp.withTokens(memoryTokens()))
// @ts-expect-error an admin app has no user by itself
export const noUser$ = adminApp.user$
// @ts-expect-error a template is one of five
void updateEmailTemplate(admin, { type: 'newsletter', subject: 'x' })
// @ts-expect-error a theme is one of two
void renderEmail(admin, { theme: 'default', previewHtml: '' })
// @ts-expect-error an owner is an app of a client, not a key
createAdminApp({ owner: 'key', projectId: 'x' })
// @ts-expect-error keys and a session are two ways, not one
createAdminApp({ owner: null, superSecretAdminKey: 'x', projectId: 'x' })
// @ts-expect-error two themes
void renderTsxEmail(admin, { templateId: 't', themeId: 'one', themeTsxSource: 'x' })
// @ts-expect-error variables are for a template
void sendEmail(admin, { userIds: ['u'], draftId: 'one', variables: { a: 1 } })
// @ts-expect-error variables are for a template
void sendEmail(admin, { userIds: ['u'], html: '<p>', variables: { a: 1 } })
