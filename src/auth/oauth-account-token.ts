import type { ProviderId } from '../core/register'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { connectedAccountToken as endpoint } from './oauth-endpoints'
import { joinScopes } from './oauth-start'

const ask = mutation(endpoint, { refreshes: () => [] })

/**
 * A token of the provider to act for the signed-in user there, good for five minutes more; null if the user has linked no
 * account of it, or none with all of `scopes`: `connectAccount` changes both.
 *
 * Throws what is wrong with the project: OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED, and
 * OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS.
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
  const provider = typeof input.provider === 'string' ? input.provider.toLowerCase() : input.provider
  const scope = joinScopes(input.scopes ?? [])
  const result = await ask(kit, { provider, ...(scope && { scope }) }, options)
  return result.ok ? result.value.accessToken : null
}
