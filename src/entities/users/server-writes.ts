import * as v from 'valibot'
import { email, json, newer } from '../../core/wire'
import {
  allOf,
  checkedInput,
  endpoint,
  lacking,
  mutation,
  only,
  patch,
  renewToken,
  serverWrite,
  withFields,
} from '../declare'
import type { Kit, Target } from '../declare'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { contactChannels$ } from '../contact-channels/client'
import { refusalOfPassword } from '../password-limits'
import { doneBefore } from '../rows'
import { sessions$ } from '../sessions/client'
import { anyPicture, selectedTeamId, userChanges } from './shape'
import { deletedBefore, endSession, renewTeamClaim } from '../../store/session-effects'
import type { FailCode } from '../../errors/codes'
import type { Access, Endpoint } from '../../transport/endpoint'
import { contactChannelsOf$ } from '../contact-channels/server'
import { sessionsOf$ } from '../sessions/server'
import { changedUser, wholeUser } from '../server-touched'
import { ServerUser, userById$, users$ } from './server'

/** Two letters (ISO 3166-1), in upper case on the wire. */
function countryCode() {
  const isCode = (text: unknown) => typeof text === 'string' && /^[A-Z]{2}$/.test(text)
  return v.pipe(v.string(), v.trim(), v.toUpperCase(), v.custom<string>(isCode, 'is not two letters, such as "AT"'))
}

/** The fields that servers may set, of new and existing users. */
const changesByServers = withFields(withFields(userChanges, anyPicture), {
  clientReadOnlyMetadata: v.optional(json<ClientReadOnlyMetadata>()),
  serverMetadata: v.optional(json<ServerMetadata>()),
  primaryEmail: v.optional(v.nullable(email())),
  primaryEmailVerified: v.optional(v.boolean()),
  primaryEmailAuthEnabled: v.optional(v.boolean()),
  password: v.optional(v.nullable(v.string())),
  passwordHash: v.optional(v.string()),
  restrictedByAdmin: newer(v.optional(v.boolean())),
  restrictedByAdminReason: newer(v.optional(v.nullable(v.string()))),
  restrictedByAdminPrivateDetails: newer(v.optional(v.nullable(v.string()))),
  countryCode: newer(v.optional(v.nullable(countryCode()))),
  riskScores: newer(v.optional(v.object({ signUp: v.object({ bot: score(), freeTrialAbuse: score() }) }))),
})

function score() {
  return v.pipe(v.number(), v.minValue(0), v.maxValue(100))
}

interface RestrictionFields {
  readonly restrictedByAdmin?: boolean | undefined
  readonly restrictedByAdminReason?: string | null | undefined
  readonly restrictedByAdminPrivateDetails?: string | null | undefined
}

/** A reason says why a user is restricted, and ends with the restriction. */
function withReason<A extends Access, I extends RestrictionFields, O, F extends FailCode>(
  declared: Endpoint<A, I, O, F>,
) {
  return checkedInput(
    declared,
    'restrictedByAdmin',
    ({ restrictedByAdmin, restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: details }) =>
      restrictedByAdmin !== false || (reason ?? details ?? null) === null,
    'must be true for a reason or private details',
  )
}

/** Throws PASSWORD_TOO_SHORT or PASSWORD_TOO_LONG: of a server the platform checks no minimum, and it names no maximum. */
function withinLimits<I extends { readonly password?: unknown }>(kit: Kit<never>, input: I): I {
  const refusal = refusalOfPassword(kit, input.password)
  if (refusal) throw refusal
  return input
}

const wrongAddress = ['INVALID_INPUT', 'USER_EMAIL_ALREADY_EXISTS'] as const

/**
 * Creates a user; all fields are optional. The team that the project creates for new users appears with the next read.
 * INVALID_INPUT is returned for a `primaryEmail` that is no e-mail address.
 *
 * Throws PASSWORD_TOO_SHORT and PASSWORD_TOO_LONG, before a request, by `passwordLimits` and by the platform's maximum: it checks no
 * minimum here. A TOTP secret is stored, but required at sign-in only after it was set again with `updateUserById`.
 *
 * @example
 * const result = await server.createUser({ primaryEmail: 'ada@example.com', primaryEmailVerified: true, password: 'correct horse' })
 * if (result.ok) console.log(result.value.id)
 */
export const createUser = mutation(
  withReason(
    endpoint('POST /users', {
      access: 'server',
      body: withFields(changesByServers, {
        isAnonymous: v.optional(v.boolean()),
        oauthProviders: v.optional(
          v.array(v.object({ id: v.string(), accountId: v.string(), email: v.nullable(v.string()) })),
        ),
      }),
      returns: ServerUser,
      notOnPlatform: lacking(),
      fails: wrongAddress,
    }),
  ),
  // The new user's team is one of all teams.
  { prepare: withinLimits, refreshes: () => [users$, allOf('teams', {})] },
)

type CredentialChanges = Partial<
  Record<'primaryEmail' | 'primaryEmailVerified' | 'primaryEmailAuthEnabled' | 'password' | 'passwordHash', unknown>
>

/** The lists that change with a user: the primary address is a contact channel, and a password ends sessions. */
function listsOf(change: CredentialChanges, userId?: string): readonly Target[] {
  const user = userId === undefined ? {} : { userId }
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled, password, passwordHash } = change
  const isAddress = [primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled].some(each => each !== undefined)
  const isPassword = password !== undefined || passwordHash !== undefined
  return [
    ...(isAddress ? [only(contactChannelsOf$, user), contactChannels$] : []),
    ...(isPassword ? [only(sessionsOf$, user), sessions$] : []),
  ]
}

const changes = withFields(changesByServers, { selectedTeamId, isAnonymous: v.optional(v.literal(false)) })

/** The access token may contain the old value. */
function renewClaims(
  kit: Kit,
  { selectedTeamId, restrictedByAdmin }: { selectedTeamId?: string | null | undefined; restrictedByAdmin?: unknown },
  userId?: string,
): Promise<void> | undefined {
  if (restrictedByAdmin !== undefined) return renewToken(kit, userId)
  renewTeamClaim(kit, selectedTeamId, userId)
  return undefined
}

/**
 * Changes fields of a user; fields left out stay. A new password ends every session of the user, including the present one.
 * `isAnonymous: false` turns an anonymous user into a normal one.
 *
 * After release 2.8.18 the former address stays as a contact channel that signs in where `primaryEmail` is changed, the new one is
 * unverified unless `primaryEmailVerified` says otherwise, and `null` only takes "primary" from it: `deleteContactChannelById`
 * removes it. Release 2.8.18 replaces the address.
 *
 * `restrictedByAdmin` restricts the user or ends the restriction, with `restrictedByAdminReason` for the user and
 * `restrictedByAdminPrivateDetails` for the project's team; both end with it. `countryCode` (two letters) and `riskScores` (0
 * to 100) replace what the platform found out at the sign-up. Release 2.8.18 has none of the five: NOT_ON_THIS_PLATFORM.
 *
 * Returns INVALID_INPUT, with `details.field` "primaryEmail", before a request, for text that is no e-mail address. Passwords are
 * checked as by `createUser`.
 *
 * @example
 * await server.updateUserById({ userId: 'user-1', serverMetadata: { customerId: 'c-17' } })
 */
export const updateUserById = mutation(
  withReason(
    endpoint('PATCH /users/{userId}', {
      access: 'server',
      body: changes,
      returns: ServerUser,
      notOnPlatform: lacking(),
      fails: ['USER_NOT_FOUND', ...wrongAddress],
    }),
  ),
  {
    prepare: withinLimits,
    refreshes: ({ userId, ...change }) => [...changedUser({ userId }), ...listsOf(change, userId)],
    writes: ({ userId }, user) => [patch(userById$, { userId }, () => user)],
    settled: (kit, _, input) => renewClaims(kit, input, input.userId),
  },
)

/**
 * Deletes a user permanently.
 *
 * @example
 * const result = await server.deleteUserById({ userId: 'user-1' })
 */
export const deleteUserById = serverWrite('DELETE /users/{userId}', {
  fails: ['USER_NOT_FOUND'],
  done: doneBefore('USER_NOT_FOUND'),
  refreshes: ({ userId }) => wholeUser({ userId }),
})

/**
 * Changes the user whose tokens this kit has, including fields that only servers may change.
 *
 * Returns INVALID_INPUT, with `details.field` "primaryEmail", before a request, for text that is no e-mail address.
 *
 * @example
 * await server.withTokens(requestTokens(request)).updateOwnUser({ clientReadOnlyMetadata: { plan: 'pro' } })
 */
export const updateOwnUser = mutation(
  withReason(
    endpoint('PATCH /users/me', {
      access: 'server',
      body: changes,
      returns: ServerUser,
      notOnPlatform: lacking(),
      fails: wrongAddress,
      ownedBy: 'session',
    }),
  ),
  {
    prepare: withinLimits,
    refreshes: change => [...changedUser({}), ...listsOf(change)],
    settled: (kit, _, input) => renewClaims(kit, input),
  },
)

/**
 * Deletes the user whose tokens this kit has, whatever the project allows its users, and ends the session.
 *
 * @example
 * await server.withTokens(requestTokens(request)).deleteOwnUser()
 */
export const deleteOwnUser = serverWrite('DELETE /users/me', {
  ownedBy: 'session',
  done: deletedBefore,
  refreshes: () => wholeUser({}),
  settled: kit => endSession(kit, 'deleted'),
})
