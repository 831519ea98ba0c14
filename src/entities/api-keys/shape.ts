import * as v from 'valibot'
import { coreOf, millis, type Kit } from '../declare'
import { given } from '../../errors/auth-error'

/** The fields of an API key that every level may see, for keys of users and of teams. */
export const apiKeyFields = {
  id: v.string(),
  description: v.string(),
  expiresAt: v.optional(v.nullable(millis()), null),
  manuallyRevokedAt: v.optional(v.nullable(millis()), null),
  createdAt: millis(),
  isPublic: v.boolean(),
}

/** The value of a key in all answers except that of its creation, which has the whole text. */
export const lastFour = v.object({ lastFour: v.string() })

/** The fields of a new key. The platform requires an expiry: null means never. */
export const newApiKey = {
  description: v.string(),
  expiresAt: v.optional(v.nullable(millis()), null),
  isPublic: v.optional(v.boolean()),
}

/** A new key as stores show it: with the end of its value. */
export function withoutValue<K extends { readonly value: string }>(
  key: K,
): Omit<K, 'value'> & { value: { lastFour: string } } {
  return { ...key, value: { lastFour: key.value.slice(-4) } }
}

/** The complete input of a revocation. */
export function revoking<I>(_: unknown, input: I): I & { revoked: true } {
  return { ...input, revoked: true }
}

/** Why an API key no longer works. */
export type ApiKeyInvalidity = 'expired' | 'manually-revoked'

/** The fields that decide whether a key works, for keys of users and of teams. */
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
