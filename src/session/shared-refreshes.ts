import type { Clock } from '../core/clock'
import { isEdge } from '../core/edge'
import { version } from '../core/version'
import { unlessAborted } from '../errors/abort'
import { attempt } from '../transport/attempt'
import type { Answer } from '../transport/attempt'
import type { SharedRefreshes } from '../transport/transport'
import { tokensIn } from './refresh'

/** How long an answer serves requests that still bring the old access token. */
const freshMillis = 10_000

/** The same where the platform has replaced the refresh token, which a page that only renders cannot store. */
const replacedMillis = 60_000

interface Shared {
  answer: Promise<Answer>
  /** The hashes of the refresh token, and then of its successors. */
  readonly of: string[]
  /** Of the answer; null while there is none. */
  accessToken: string | null
  /** In monotonic time. */
  until: number
}

type Registry = WeakMap<object, Map<string, Shared>>

/** One for all copies of the package in a process: Next loads up to four. */
const registryKey = Symbol.for('rxauth.refreshes')

/** Newer Node's, Deno's and Bun's. */
interface HostGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: 'node:crypto') => Crypto }
}

interface Crypto {
  createHash(name: 'sha256'): { update(text: string): { digest(encoding: 'base64url'): string } }
}

/** The hash of a text; synchronous, since a refresh has to be found by the next request of the same turn. */
type Hash = (text: string) => string

/**
 * The hash of this process; undefined on edge runtimes, where a promise of one request must not be awaited by another, and
 * where there is none.
 */
export function processHash(): Hash | undefined {
  const { process } = globalThis as HostGlobal
  const crypto = isEdge() ? undefined : process?.getBuiltinModule?.('node:crypto')
  return crypto && (text => crypto.createHash('sha256').update(text).digest('base64url'))
}

/**
 * Makes an attempt to refresh once for all kits of a process that ask with the same refresh token, project, key and fetch:
 * renders of one page that begin at the same time, and those that begin before the browser has the new tokens.
 *
 * The request belongs to no kit, so that one that is disposed of costs the others nothing. Tokens are handed on for 10 s, or
 * for 60 s where the platform has replaced the refresh token, but never to a session that holds the same access token
 * already: the platform has refused it. A refusal or a failure is not kept, nor anything of a session that ends here.
 */
export function sharedRefreshes(fetchOf: () => object, clock: Clock, hash: Hash): SharedRefreshes {
  /** Keeps the answer for a while if it has tokens, else forgets it. */
  async function keep(entries: Map<string, Shared>, key: string, entry: Shared): Promise<void> {
    try {
      const answer = await entry.answer
      const tokens = answer.status === 200 ? tokensIn(answer) : null
      if (tokens) {
        const successor = tokens.refreshToken === null ? undefined : hash(tokens.refreshToken)
        const isReplaced = successor !== undefined && !entry.of.includes(successor)
        if (isReplaced) {
          // For requests that still bring the token before the one that is replaced here.
          for (const before of entries.values())
            if (before.of.includes(entry.of[0] ?? '', 1)) {
              before.answer = entry.answer
              before.accessToken = tokens.accessToken
              before.of.push(successor)
            }
          entry.of.push(successor)
        }
        entry.accessToken = tokens.accessToken
        entry.until = clock.monotonic() + (isReplaced ? replacedMillis : freshMillis)
        return
      }
    } catch {
      // Each kit reports it.
    }
    if (entries.get(key) === entry) entries.delete(key)
  }

  return {
    attempt: held => (wire, url, init, limitMillis, signal) => {
      const entries = entriesOf(fetchOf())
      const now = clock.monotonic()
      for (const [key, { until }] of entries) if (until <= now) entries.delete(key)
      // With the refresh token, the project and its key.
      const form = init.body as URLSearchParams
      const key = hash(`${version} ${url} ${form.toString()}`)
      let entry = entries.get(key)
      if (!entry || (entry.accessToken !== null && entry.accessToken === held)) {
        const answer = attempt(wire, url, init, limitMillis, undefined)
        entry = { answer, of: [hash(form.get('refresh_token') ?? '')], accessToken: null, until: Infinity }
        entries.set(key, entry)
        void keep(entries, key, entry)
      }
      return unlessAborted(entry.answer, signal)
    },
    isKept(refreshToken) {
      const [now, kept] = [clock.monotonic(), hash(refreshToken)]
      return [...entriesOf(fetchOf()).values()].some(({ of, until }) => of.includes(kept, 1) && until > now)
    },
    forget(refreshToken) {
      const entries = entriesOf(fetchOf())
      const ended = hash(refreshToken)
      for (const [key, { of }] of entries) if (of.includes(ended)) entries.delete(key)
    },
  }
}

function entriesOf(fetch: object): Map<string, Shared> {
  const registry = registryOf(globalThis as { [registryKey]?: Registry })
  const known = registry.get(fetch) ?? new Map<string, Shared>()
  registry.set(fetch, known)
  return known
}

function registryOf(host: { [registryKey]?: Registry }): Registry {
  try {
    return (host[registryKey] ??= new WeakMap())
  } catch {
    // A frozen global keeps nothing: each kit refreshes on its own.
    return new WeakMap()
  }
}
