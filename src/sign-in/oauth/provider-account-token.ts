import * as v from 'valibot'
import type { ProviderId } from '../../core/register'
import { tokenRefusals } from '../../entities/connected-accounts/shape'
import { given } from '../../errors/given'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { joinScopes } from './start'

/** A provider's token for one of the accounts that the user has connected. */
export const providerAccountTokenEndpoint = endpoint(
  'POST /connected-accounts/me/{provider}/{providerAccountId}/access-token',
  {
    access: 'client',
    body: { scope: v.optional(v.string()) },
    returns: v.object({ accessToken: v.string() }),
    fails: tokenRefusals,
    notOnPlatform: lacking(404),
  },
)

const ask = mutation(providerAccountTokenEndpoint, { refreshes: () => [] })

/**
 * An access token of the provider for one of the signed-in user's accounts there, as `connectedAccountToken` gives one for the
 * first. Null if the account is not linked, has no token with all `scopes`, or the provider gives no new one:
 * `connectAccount` changes each.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18, and what is wrong with the project as `connectedAccountToken` does.
 *
 * @example
 * const [account] = await providerAccounts$(app).get()
 * if (account) await providerAccountToken(app, { ...account, scopes: ['repo'] })
 */
export async function providerAccountToken(
  kit: Kit,
  input: { readonly provider: ProviderId; readonly providerAccountId: string; readonly scopes?: readonly string[] },
  options?: CallOptions,
): Promise<string | null> {
  const { provider, providerAccountId, scopes = [] } = given(input)
  const scope = joinScopes(scopes)
  const result = await ask(kit, { provider, providerAccountId, ...(scope && { scope }) }, options)
  return result.ok ? result.value.accessToken : null
}
