import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose'
import type { AuthError } from '../errors/auth-error'

/** Finds the key that a token says it is signed with. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

/**
 * The keys of a set. A key that is there and cannot be used says nothing of the token that names it: `unusable` makes the
 * error of it, which names whoever gave the set.
 */
export function keySet(set: JSONWebKeySet, unusable: (key: string, cause: unknown) => AuthError): FindKey {
  const find = createLocalJWKSet(set)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause
      throw unusable(header.kid === undefined ? 'the key' : `the key "${header.kid}"`, cause)
    }
  }
}
