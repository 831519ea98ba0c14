import { orThrow, succeeded } from '../core/result'
import { anyUser$ } from '../resources/current-user'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { startSession } from '../store/session'
import { anonymousSignUp } from './anonymous-endpoints'
import { firstFactor, known } from './first-factor'
import { share } from './share'
import { signedIn } from './signed-in'
import type { SignedIn } from './signed-in'

const signUp = mutation(anonymousSignUp, { refreshes: () => [anyUser$], settled: startSession })

/**
 * Makes a user who has neither name nor address, and signs in, unless somebody is signed in already: then it gives that one.
 * Calls at the same time share one request, and make one user.
 *
 * An anonymous user is there in `anyUser$` and `auth$` and counts as signed out in `user$`. Signing up later makes another
 * user; to keep this one, a server turns it into a normal one. Throws ANONYMOUS_ACCOUNTS_NOT_ENABLED where the project does
 * not have them.
 *
 * @example
 * const { userId } = await app.signUpAnonymously()
 */
export function signUpAnonymously(kit: Kit, options?: CallOptions): Promise<SignedIn> {
  return share(kit, options, () => begin(kit), 'anonymous')
}

async function begin(kit: Kit): Promise<SignedIn> {
  const present = await anyUser$(kit).get()
  if (present) return signedIn(kit, present.id, false)
  return orThrow(await firstFactor<never>(kit, { run: async () => known(succeeded(await signUp(kit)), true) }))
}
