import * as v from 'valibot'
import { anyUser$ } from '../../entities/users/client'
import { failed, succeeded, type Result } from '../../core/result'
import { misuse, type AuthErrorOf } from '../../errors/auth-error'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { assertBegins } from '../../store/session-effects'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { sessionStart } from '../session-start'
import { loginCodeOf, uselessLoginCode } from './input'

const check = mutation(
  endpoint('POST /auth/cli/complete', {
    access: 'client',
    fixed: { mode: 'check' },
    body: { loginCode: v.string() },
    returns: v.object({ cliSessionState: v.picklist(['anonymous', 'none']) }),
    ownedBy: 'app',
    notOnPlatform: lacking('mode'),
  }),
  { refreshes: () => [] },
)

const claim = sessionStart(
  endpoint('POST /auth/cli/complete', {
    access: 'client',
    fixed: { mode: 'claim-anon-session' },
    body: { loginCode: v.string() },
    returns: v.object({ accessToken: v.string(), refreshToken: v.string() }),
    ownedBy: 'app',
    notOnPlatform: lacking('mode'),
  }),
)

/**
 * Whether the program that created `loginCode` has been used by an anonymous user, whose session `claimCliSession` takes
 * over. `none`: there is no such session, or it was taken over already.
 *
 * SCHEMA_ERROR is returned if the code is unknown, has expired or was used. Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const loginCode = new URLSearchParams(location.search).get('login_code') ?? ''
 * const result = await cliSessionState(app, { loginCode })
 */
export async function cliSessionState(
  kit: Kit,
  input: { readonly loginCode: string },
  options?: CallOptions,
): Promise<Result<'anonymous' | 'none', AuthErrorOf<'SCHEMA_ERROR'>>> {
  const loginCode = loginCodeOf(input)
  return orUseless(check(kit, { loginCode }, options).then(({ cliSessionState }) => cliSessionState))
}

/**
 * Signs in here as the anonymous user of the program that created `loginCode`, which works once. A sign-up then keeps the id
 * and all that the user did in the program.
 *
 * The program keeps its session of this user. The next sign-up here makes that user an account, and the program has the
 * account at that moment, before `completeCliLogin` and without it. Anyone can send such a link: let the user compare the
 * code with that of the program before this call, and call it only when the user presses a button that says so.
 *
 * SCHEMA_ERROR is returned if there is nothing to take over. Throws INVALID_INPUT, before `loginCode` is sent, while a user
 * who is not anonymous is signed in, and NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const loginCode = new URLSearchParams(location.search).get('login_code') ?? ''
 * if (confirm(`Does your program show the code ${loginCode.slice(0, 6)}?`)) {
 *   const result = await claimCliSession(app, { loginCode })
 *   if (result.ok) await app.redirectTo('signUp')
 * }
 */
export async function claimCliSession(
  kit: Kit,
  input: { readonly loginCode: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>> {
  const loginCode = loginCodeOf(input)
  await assertBegins(kit, options?.signal)
  const present = await anyUser$(kit).get(options)
  if (present && !present.isAnonymous)
    throw misuse('loginCode', 'cannot be claimed while a user is signed in; sign out first')
  return orUseless(claim(kit, { loginCode }, options).then(() => undefined))
}

/** A refusal without a code concerns the login code. */
async function orUseless<T>(answer: Promise<T>): Promise<Result<T, AuthErrorOf<'SCHEMA_ERROR'>>> {
  try {
    return succeeded(await answer)
  } catch (cause) {
    const error = uselessLoginCode(cause)
    if (!error) throw cause
    return failed(error)
  }
}
