import type { Signal } from '../../core/web-types'
import { loadAhead } from '../../store/load-ahead'
import type { Snapshot } from '../../store/snapshot'
import * as v from 'valibot'
import { allOf, clientStore, clientWrite, coreOf, patch, view, withFields, type Kit, type Shape } from '../declare'
import { deletedBefore, dropToken, endSession, renewTeamClaim } from '../../store/session-effects'
import { learn } from '../../session/identity'
import { claimsOf } from '../../transport/access-token'
import { noUser, ownPicture, selectedTeamId, userChanges, userFields } from './shape'
import { Team, teams$ } from '../teams/client'

/**
 * Loads, for the team that the user is about to be shown with, every watched store of the team that is `shown`. Undefined:
 * there is none, or it is the same team.
 */
export function teamAhead(
  kit: Kit,
  shown: Snapshot<{ readonly selectedTeamId: string | null } | null>,
  teamId: string | null | undefined,
  signal?: Signal,
): Promise<void> | undefined {
  const before = shown.status === 'ready' ? shown.value?.selectedTeamId : null
  if (!before || !teamId || before === teamId) return undefined
  return loadAhead(kit, allOf('team', { teamId: before }), { teamId }, signal)
}

const currentUser = v.object(
  v.entriesFromObjects([
    v.object(userFields),
    v.object({
      selectedTeam: v.nullable(Team),
      /** As the platform says; `restriction` has what apps need. Release 2.8.18 lacks these three fields. */
      isRestricted: v.optional(v.boolean()),
      restrictedReason: v.optional(v.nullable(v.object({ type: v.string() }))),
      restrictedByAdminReason: v.optional(v.nullable(v.string())),
    }),
  ]),
)

/** A requirement of the project that a signed-in user has yet to meet; until then the platform refuses most calls. */
export interface Restriction {
  /** `unknown`: the platform does not say. Later platforms may have other reasons. */
  readonly type: 'email_not_verified' | 'restricted_by_administrator' | 'unknown' | (string & {})
  /** The administrator's text for the user; absent if there is none. */
  readonly reason?: string
}

/** The signed-in user, as client apps may see it. */
export interface CurrentUser extends v.InferOutput<typeof currentUser> {
  /** Present while the user is restricted, in every store that shows the user; only newer releases restrict users. */
  readonly restriction?: Restriction
  /** Never present: a server user is not assignable to a client user. */
  readonly serverMetadata?: never
}
export const CurrentUser: Shape<CurrentUser> = currentUser

/**
 * The session's user, also an anonymous one; null while signed out.
 *
 * @example
 * app.anyUser$.subscribe(user => console.log(user?.isAnonymous))
 */
export const anyUser$ = clientStore('GET /users/me', {
  returns: CurrentUser,
  fails: [noUser],
  partOf: 'users',
  signedOut: null,
  absent: [noUser],
  shown: (user, { restriction: type }) => {
    const reason = user?.restrictedByAdminReason
    return user && type ? { ...user, restriction: { type, ...(reason && { reason }) } } : user
  },
  heard: correctIdentity,
  answered(kit, user, { signal }) {
    // A team selected elsewhere, in another tab or on a server.
    return teamAhead(kit, shownTo(kit), user?.selectedTeamId, signal)
  },
})

function shownTo(kit: Kit): Snapshot<CurrentUser | null> {
  return anyUser$(kit).snapshot
}

/**
 * The access token may say other than the platform: a restriction began or ended after it was issued, perhaps by a verification
 * on another device, or a server has made an anonymous user an ordinary one.
 */
function correctIdentity(kit: Kit, user: CurrentUser | null): void {
  if (!user) return
  const { commits, cells, session } = coreOf(kit)
  const { identity, tokens } = session
  const { isRestricted, isAnonymous, restrictedReason, primaryEmailVerified } = user
  const named = identity.restriction ?? undefined
  const isOver = isRestricted === false || (named === 'email_not_verified' && primaryEmailVerified)
  const restriction =
    // Without a refresh token, no other access token could replace it.
    isAnonymous || !tokens?.refreshToken
      ? named
      : isRestricted
        ? (restrictedReason?.type ?? named ?? 'unknown')
        : isOver
          ? undefined
          : named
  if (restriction !== named || (claimsOf(tokens)?.isAnonymous && !isAnonymous)) dropToken(session)
  else if (isAnonymous === identity.isAnonymous) return
  session.identity = learn(identity, { restriction, isAnonymous })
  for (const cell of cells) commits.touch(cell)
}

/**
 * The signed-in user, also a restricted one (`restriction`); null while signed out, and for an anonymous user.
 *
 * @example
 * app.user$.subscribe(user => console.log(user === null ? 'signed out' : `hello ${user.displayName}`))
 */
export const user$ = view(anyUser$, user => (user?.isAnonymous ? null : user))

/**
 * Changes fields of the signed-in user; fields left out stay.
 *
 * `profileImageUrl` takes a base64 data URL of an image, or null; another text is thrown as INVALID_INPUT, before a request.
 * `totpSecretBase64` takes effect at once: check a code against it before you save it. All stores that show the user change
 * before the platform has answered.
 *
 * @example
 * await app.updateUser({ displayName: 'Ada Lovelace' })
 */
export const updateUser = clientWrite('PATCH /users/me', {
  body: withFields(withFields(userChanges, ownPicture), { selectedTeamId }),
  returns: CurrentUser,
  // A member profile shows the user's own name and picture unless it has its own.
  refreshes: ({ displayName, profileImageUrl }) =>
    displayName === undefined && profileImageUrl === undefined
      ? [anyUser$]
      : [anyUser$, allOf('user', {}), allOf('users', {})],
  optimistic: ({ displayName, profileImageUrl, clientMetadata, selectedTeamId: teamId }, kit) => [
    patch(
      anyUser$,
      {},
      user =>
        user && {
          ...user,
          // The platform stores an empty name as null.
          ...(displayName !== undefined && { displayName: displayName === '' ? null : displayName }),
          ...(profileImageUrl !== undefined && { profileImageUrl }),
          ...(clientMetadata !== undefined && { clientMetadata }),
          ...selected(teamId, kit),
        },
    ),
  ],
  writes: (_, user) => [patch(anyUser$, {}, () => user)],
  settled(kit, user) {
    correctIdentity(kit, user)
    renewTeamClaim(kit, user.selectedTeamId)
    const { slots } = coreOf(kit)
    ;(slots.get(userUpdated) as ((user: CurrentUser) => void) | undefined)?.(user)
  },
})

/** The slot of a function that `updateUser` calls with the platform's answer. */
export const userUpdated = {}

/**
 * The user fields of the newly selected team; empty if the kit does not know the team, since id and team change together.
 */
function selected(teamId: string | null | undefined, kit: Kit): Partial<CurrentUser> {
  if (teamId === undefined) return {}
  if (teamId === null) return { selectedTeamId: null, selectedTeam: null }
  const { snapshot } = teams$(kit)
  const selectedTeam = snapshot.status === 'ready' ? snapshot.value.find(({ id }) => id === teamId) : undefined
  return selectedTeam ? { selectedTeamId: teamId, selectedTeam } : {}
}

/**
 * Deletes the signed-in user permanently and ends the session. If the project does not allow it, throws REQUEST_FAILED with
 * status 400, and the session stays as it is.
 *
 * @example
 * await app.deleteUser()
 */
export const deleteUser = clientWrite('DELETE /users/me', {
  done: deletedBefore,
  refreshes: () => [],
  settled: kit => endSession(kit, 'deleted'),
})
