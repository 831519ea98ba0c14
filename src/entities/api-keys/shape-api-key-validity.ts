import { coreOf } from '../../store/core'
import type { Kit } from '../../store/kit'
import { given } from '../../errors/given'

/**
 * Why an API key no longer works.
 *
 * @example
 * const words: Record<ApiKeyInvalidity, string> = { expired: 'Expired', 'manually-revoked': 'Revoked' }
 */
export type ApiKeyInvalidity = 'expired' | 'manually-revoked'

/**
 * The fields that decide whether a key works, for keys of users and of teams.
 *
 * @example
 * const lasts = ({ expiresAt }: ApiKeyLifetime) => expiresAt?.toLocaleDateString() ?? 'for ever'
 */
export interface ApiKeyLifetime {
  readonly expiresAt: Date | null
  readonly manuallyRevokedAt: Date | null
}

/**
 * Why the key does not work now, by the platform's estimated time; null: it works. Expiry comes first.
 *
 * @example
 * const keys = await app.userApiKeys$.get()
 * const working = keys.filter(key => app.whyApiKeyInvalid(key) === null)
 */
export function whyApiKeyInvalid(kit: Kit<never>, key: ApiKeyLifetime): ApiKeyInvalidity | null {
  const { expiresAt, manuallyRevokedAt } = given(key)
  if (expiresAt && expiresAt.getTime() <= coreOf(kit).session.serverClock.now()) return 'expired'
  return manuallyRevokedAt ? 'manually-revoked' : null
}
