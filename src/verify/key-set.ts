import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose'
import type { AuthError } from '../errors/auth-error'

/** Finds the key that signed a token, by the token's header. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

/**
 * The keys of a set. A key in it that cannot be used says nothing about the token: `unusable` makes that error, which blames
 * the source of the set.
 */
export function keySet(set: JSONWebKeySet, unusable: (key: string, cause: unknown) => AuthError): FindKey {
  const find = createLocalJWKSet(set)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (cause) {
      const { kid } = header as { readonly kid?: unknown }
      // Several keys match a token that names none; a name that several keys have is a mistake in the set.
      const isVague = cause instanceof errors.JWKSMultipleMatchingKeys && typeof kid !== 'string'
      if (cause instanceof errors.JWKSNoMatchingKey || isVague) throw cause
      throw unusable(typeof kid === 'string' ? `the key "${kid}"` : 'the key', cause)
    }
  }
}
