import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose'
import type { AuthError } from '../errors/auth-error'
import { wait, type Clock } from '../core/clock'
import { isRecord } from '../core/values'

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

/**
 * A memory for the platform's public keys that outlives this process, such as a KV of an edge runtime, where each isolate
 * would fetch them again. What can write to it decides which tokens are accepted.
 *
 * `at` is the time of the fetch, in milliseconds since the Unix epoch. Keys older than ten minutes, and values that are no
 * keys, are fetched again. A cache that fails, or takes more than a second, is passed over.
 */
export interface KeysCache {
  get(url: string): Promise<{ readonly keys: readonly object[]; readonly at: number } | null>
  set(url: string, value: { readonly keys: readonly object[]; readonly at: number }): Promise<void>
}

/** How long a verification waits for the cache. */
const limitMillis = 1_000

/** How far the clock of the process that has written may be ahead. */
const toleranceMillis = 60_000

/** Far above the number of keys of any project. */
const maxKeys = 100

/** The keys in the cache and their age; null: none that are usable. */
export async function readCache(
  cache: KeysCache,
  url: string,
  clock: Clock,
  maxAgeMillis: number,
): Promise<{ readonly set: JSONWebKeySet; readonly ageMillis: number } | null> {
  // As JSON: a row of a database may have methods, which cannot be cloned.
  const value = await inTime(clock, async () => JSON.parse(JSON.stringify(await cache.get(url))) as unknown)
  if (!isKeySet(value) || value.keys.length > maxKeys || !('at' in value) || typeof value.at !== 'number') return null
  const ageMillis = clock.now() - value.at
  // The comparison also refuses NaN.
  if (!(ageMillis < maxAgeMillis && ageMillis >= -toleranceMillis)) return null
  return { set: { keys: value.keys }, ageMillis: Math.max(ageMillis, 0) }
}

/** Waits for the cache, since an edge runtime drops what its request has not awaited. */
export async function writeCache(cache: KeysCache, url: string, clock: Clock, { keys }: JSONWebKeySet): Promise<void> {
  await inTime(clock, () => cache.set(url, { keys, at: clock.now() }))
}

/** Undefined if it fails or takes too long. */
async function inTime<T>(clock: Clock, run: () => Promise<T>): Promise<T | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([run(), wait(clock, limitMillis, done.signal).then(() => undefined)])
  } catch {
    return undefined
  } finally {
    done.abort()
  }
}

export function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']) && value['keys'].every(isRecord)
}
