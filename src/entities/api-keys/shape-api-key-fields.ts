import * as v from 'valibot'
import { millis } from '../../core/wire'

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
