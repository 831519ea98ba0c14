import type { Clock } from '../../core/clock'
import { inProcess, isEdge } from '../../core/host'
import { version } from '../../core/version'
import { unlessAborted } from '../../errors/auth-error'
import { attempt, type Answer } from '../../transport/attempt'
import type { SharedRefreshes } from '../../transport/transport'
import { tokensIn } from '../refresh'

/** How long an answer serves requests that still bring the old access token. */
const freshMillis = 10_000

/** How long it does where the platform has replaced the refresh token, which a page that only renders cannot store. */
const replacedMillis = 60_000

interface SharedRefresh {
  readonly key: string
  answer: Promise<Answer>
  /** The hashes of the refresh token, and then of its successors. */
  readonly of: string[]
  /** The access token of the answer; null while there is no answer. */
  accessToken: string | null
  /** In monotonic time. */
  until: number
}

/** The refreshes of one fetch. Each request finds its own without looking at the others. */
interface FetchRefreshes {
  readonly byKey: Map<string, SharedRefresh>
  /** By each hash in `of`. */
  readonly byToken: Map<string, Set<SharedRefresh>>
  /** Refreshes with an answer, by how long it is kept: the first one ends first. */
  readonly ending: Readonly<Record<'fresh' | 'replaced', Set<SharedRefresh>>>
}

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
  async function keep(kept: FetchRefreshes, entry: SharedRefresh): Promise<void> {
    try {
      const answer = await entry.answer
      const tokens = answer.status === 200 ? tokensIn(answer) : null
      if (tokens && kept.byKey.get(entry.key) === entry) {
        const successor = tokens.refreshToken === null ? undefined : hash(tokens.refreshToken)
        const isReplaced = successor !== undefined && !entry.of.includes(successor)
        if (isReplaced) {
          // For requests that still bring the token before the one that is replaced here.
          for (const before of kept.byToken.get(entry.of[0] ?? '') ?? [])
            if (before !== entry && before.of[0] !== entry.of[0]) {
              before.answer = entry.answer
              before.accessToken = tokens.accessToken
              link(kept, before, successor)
            }
          link(kept, entry, successor)
        }
        entry.accessToken = tokens.accessToken
        entry.until = clock.monotonic() + (isReplaced ? replacedMillis : freshMillis)
        kept.ending[isReplaced ? 'replaced' : 'fresh'].add(entry)
        return
      }
    } catch {
      // Each kit reports the rejection.
    }
    drop(kept, entry)
  }

  return {
    attempt: held => (wire, url, init, limitMillis, signal) => {
      const kept = keptOf(fetchOf())
      const now = clock.monotonic()
      for (const entries of Object.values(kept.ending))
        for (const entry of entries) {
          if (entry.until > now) break
          drop(kept, entry)
        }
      // With the refresh token, the project and its key.
      const form = init.body as URLSearchParams
      const key = hash(`${version} ${url} ${form.toString()}`)
      let entry = kept.byKey.get(key)
      // By another clock than the one that it is behind, it may have ended.
      if (!entry || entry.until <= now || (entry.accessToken !== null && entry.accessToken === held)) {
        if (entry) drop(kept, entry)
        const answer = attempt(wire, url, init, limitMillis, undefined)
        entry = { key, answer, of: [], accessToken: null, until: Infinity }
        kept.byKey.set(key, entry)
        link(kept, entry, hash(form.get('refresh_token') ?? ''))
        void keep(kept, entry)
      }
      return unlessAborted(entry.answer, signal)
    },
    isKept(refreshToken) {
      const [now, successor] = [clock.monotonic(), hash(refreshToken)]
      const entries = [...(keptOf(fetchOf()).byToken.get(successor) ?? [])]
      return entries.some(({ of, until }) => of[0] !== successor && until > now)
    },
    forget(refreshToken) {
      const kept = keptOf(fetchOf())
      for (const entry of kept.byToken.get(hash(refreshToken)) ?? []) drop(kept, entry)
    },
  }
}

function link({ byToken }: FetchRefreshes, entry: SharedRefresh, hash: string): void {
  entry.of.push(hash)
  byToken.set(hash, (byToken.get(hash) ?? new Set()).add(entry))
}

function drop({ byKey, byToken, ending }: FetchRefreshes, entry: SharedRefresh): void {
  if (byKey.get(entry.key) === entry) byKey.delete(entry.key)
  ending.fresh.delete(entry)
  ending.replaced.delete(entry)
  for (const hash of entry.of) {
    const entries = byToken.get(hash)
    entries?.delete(entry)
    if (entries?.size === 0) byToken.delete(hash)
  }
}

function keptOf(fetch: object): FetchRefreshes {
  // Where the global is frozen, each kit refreshes on its own.
  const registry = inProcess('shared-refreshes', () => new WeakMap<object, FetchRefreshes>())
  let kept = registry.get(fetch)
  if (!kept) {
    kept = { byKey: new Map(), byToken: new Map(), ending: { fresh: new Set(), replaced: new Set() } }
    registry.set(fetch, kept)
  }
  return kept
}
