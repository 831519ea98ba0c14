import type { ProviderId } from '../../core/register'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { connectedAccountToken as tokenOfFirstAccount, providerAccountTokenEndpoint } from './endpoints'
import { joinScopes, wireProviderId } from './start'
import { given } from '../../errors/auth-error'

const ask = mutation(tokenOfFirstAccount, { refreshes: () => [] })

/**
 * An access token of the provider for the signed-in user, valid for five more minutes; null if the user has linked no
 * account of the provider, or none with all `scopes`: `connectAccount` changes both.
 *
 * Throws OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED and OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS, which concern
 * the project's settings.
 *
 * @example
 * const token = await app.connectedAccountToken({ provider: 'github', scopes: ['repo'] })
 * if (token !== null) await fetch('https://api.github.com/user', { headers: { authorization: `Bearer ${token}` } })
 */
export async function connectedAccountToken(
  kit: Kit,
  input: { readonly provider: ProviderId; readonly scopes?: readonly string[] },
  options?: CallOptions,
): Promise<string | null> {
  const { provider: named } = given(input)
  const provider = typeof named === 'string' ? wireProviderId(named) : named
  const scope = joinScopes(input.scopes ?? [])
  const result = await ask(kit, { provider, ...(scope && { scope }) }, options)
  return result.ok ? result.value.accessToken : null
}

const askForProvider = mutation(providerAccountTokenEndpoint, { refreshes: () => [] })

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
  const result = await askForProvider(kit, { provider, providerAccountId, ...(scope && { scope }) }, options)
  return result.ok ? result.value.accessToken : null
}
