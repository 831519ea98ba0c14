import type { ProviderId } from '../../core/register'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { connectedAccountToken as endpoint } from './endpoints'
import { joinScopes, wireProviderId } from './start'
import { given } from '../../errors/given'

const ask = mutation(endpoint, { refreshes: () => [] })

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
