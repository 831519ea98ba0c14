import * as v from 'valibot'
import { email } from '../../core/wire'
import { allOf } from '../../store/definition'
import { mutation } from '../../store/write/mutation'
import { renewToken } from '../../store/session'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { contactChannels$ } from './client-contact-channels'
import { anyUser$, CurrentUser } from '../users/client-current-user'

/**
 * Makes an address the primary one of the signed-in user, also of a restricted one: the contact channel with this address,
 * verified or not, else a new one, which `sendVerificationEmail` verifies. The former primary address stays as a channel.
 * Null: the user has no primary address any more.
 *
 * A restriction that demands a verified address begins or ends with the change, without a reload. INVALID_INPUT is returned
 * for text that is no e-mail address, and USER_EMAIL_ALREADY_EXISTS for an address by which any user signs in: also for an older
 * one of the user, which `updateContactChannel({ isPrimary: true })` makes primary again. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where
 * `updateContactChannel({ isPrimary: true })` does it for an unrestricted user.
 *
 * @example
 * const result = await changePrimaryEmail(app, { primaryEmail: 'ada@example.com' })
 * if (result.ok && !result.value.primaryEmailVerified) await app.sendVerificationEmail()
 */
export const changePrimaryEmail = mutation(
  endpoint('PATCH /users/me', {
    access: 'client',
    body: { primaryEmail: v.nullable(email()) },
    returns: CurrentUser,
    fails: ['INVALID_INPUT', 'USER_EMAIL_ALREADY_EXISTS'],
    notOnPlatform: lacking('primary_email'),
  }),
  {
    // The access token names the address, and whether the user is restricted.
    settled: kit => renewToken(kit),
    refreshes: () => [anyUser$, contactChannels$, allOf('user', {}), allOf('users', {})],
  },
)
