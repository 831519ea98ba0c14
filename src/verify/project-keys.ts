import { errors, type JSONWebKeySet } from 'jose'
import { millisSince, momentOf, wait, type Clock, type Moment } from '../core/clock'
import { isEdge } from '../core/host'
import { SingleFlight } from '../core/promises'
import { AuthError, invalidResponse, isAuthError, saidBy } from '../errors/auth-error'
import { attempt, NoAnswer, parse } from '../transport/attempt'
import { requestFailed } from '../transport/call'
import type { Config } from '../transport/config'
import { httpHint } from '../transport/retry'
import { keySet, isKeySet, readCache, writeCache, type FindKey, type KeysCache } from './keys-cache'

/** Older keys are fetched again. */
const maxAgeMillis = 600_000

/** A token with an unknown key causes a new fetch, but at most this often, because any caller can send one. */
const coolDownMillis = 30_000

const limitMillis = 5000

const route = '/projects/{projectId}/.well-known/jwks.json'

interface KeySource {
  readonly config: Config
  readonly url: string
  /** Parameters of newer releases; retried without them if the platform refuses them. */
  readonly query: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly cache?: KeysCache | undefined
}

/** How often a request looks whether the fetch of another one has ended. */
const lookMillis = 50

/**
 * The public keys of a project, fetched on first use and cached. An unknown key causes one more fetch. Keys that cannot be
 * refreshed stay in use, so that tokens with known keys are verified while the platform is unreachable.
 *
 * On an edge runtime requests share the keys, and no fetch of them.
 */
export class ProjectKeys {
  readonly #source: KeySource
  readonly #flights = new SingleFlight<FindKey>()
  #find: FindKey | undefined
  #renewed: Moment | undefined
  #asked: Moment | undefined
  /** The last fetch, while it is under way. */
  #asking: object | undefined

  constructor(source: KeySource) {
    this.#source = source
  }

  readonly find: FindKey = async (header, token) => {
    const find = await this.#current()
    try {
      return await find(header, token)
    } catch (error) {
      const mayBeOutdated = error instanceof errors.JWKSNoMatchingKey || isAuthError(error)
      if (!mayBeOutdated) throw error
      const newer = this.#mayAsk() ? await this.#renew() : isEdge() && (await this.#fetchedElsewhere(find))
      if (!newer) throw error
      return newer(header, token)
    }
  }

  async #current(): Promise<FindKey> {
    const find = this.#find
    const isRecent = this.#renewed && millisSince(this.#renewed, this.#source.clock) < maxAgeMillis
    if (find && (isRecent || !this.#mayAsk())) return find
    const renewal = this.#shared('current', async () => (await this.#cached()) ?? this.#renew())
    return find ? renewal.catch(() => find) : renewal
  }

  /** The keys that another process has fetched. */
  async #cached(): Promise<FindKey | undefined> {
    const { cache, url, query, clock } = this.#source
    const found = cache && (await readCache(cache, url + query, clock, maxAgeMillis))
    if (!found) return undefined
    const { wall, monotonic } = momentOf(clock)
    const { ageMillis } = found
    return this.#keep(found.set, { wall: wall - ageMillis, monotonic: monotonic - ageMillis })
  }

  /** Keys fetched by another request, if any. That request's promise must not be awaited on an edge runtime. */
  async #fetchedElsewhere(known: FindKey): Promise<FindKey | undefined> {
    const { clock } = this.#source
    // A request that was cancelled never ends its fetch.
    while (this.#asking && this.#asked && millisSince(this.#asked, clock) < limitMillis) await wait(clock, lookMillis)
    return this.#find === known ? undefined : this.#find
  }

  /** Joining a fetch under way is not another request. */
  #mayAsk(): boolean {
    return (
      this.#flights.current('') !== undefined ||
      this.#asked === undefined ||
      millisSince(this.#asked, this.#source.clock) >= coolDownMillis
    )
  }

  #renew(): Promise<FindKey> {
    return this.#shared('', async () => {
      const { cache, url, query, clock } = this.#source
      this.#asked = momentOf(clock)
      const asking = (this.#asking = {})
      try {
        const set = await fetchKeys(this.#source)
        const find = this.#keep(set, momentOf(clock))
        if (cache) await writeCache(cache, url + query, clock, set)
        return find
      } finally {
        if (this.#asking === asking) this.#asking = undefined
      }
    })
  }

  #keep(set: JSONWebKeySet, renewed: Moment): FindKey {
    this.#renewed = renewed
    return (this.#find = keySet(set, (key, cause) => {
      const { url } = this.#source
      return invalidResponse(`${key} at ${url} cannot be used: ${saidBy(cause)}`, '', { cause })
    }))
  }

  #shared(name: string, run: () => Promise<FindKey>): Promise<FindKey> {
    return isEdge() ? run() : this.#flights.run(name, run)
  }
}

async function fetchKeys(source: KeySource): Promise<JSONWebKeySet> {
  const first = await ask(source, source.url + source.query)
  const { status, text } = first.status === 400 && source.query !== '' ? await ask(source, source.url) : first
  // The platform's own 404 for an unknown project is a sentence, and has its true status here.
  const config = /^\s*(<|$)/.test(text) ? source.config : null
  if (status !== 200) throw requestFailed(config, 'GET', route, { ...first, status, text })
  const set = parse(text, status, source.url, source.config)
  if (isKeySet(set)) return set
  throw invalidResponse(`${source.url} does not answer with a list of keys`, '', { status })
}

async function ask({ fetch, clock, config }: KeySource, url: string) {
  try {
    return await attempt({ fetch, clock }, url, {}, limitMillis, undefined)
  } catch (cause) {
    if (isAuthError(cause, 'REDIRECT_REFUSED', 'INVALID_RESPONSE')) throw cause
    const answer = cause instanceof NoAnswer ? cause : undefined
    if (answer?.timedOut)
      throw new AuthError('TIMED_OUT', `the keys at ${url} did not come within ${limitMillis} ms`, {
        details: { attempts: 1 },
        cause,
      })
    // The fetch of the app may throw anything, an error of another kit too.
    const diagnostics = `last failure: ${answer?.description ?? saidBy(cause)}`
    throw new AuthError(
      'NETWORK_ERROR',
      `the keys at ${url} cannot be fetched (${diagnostics}), so the token was not verified; check the connection and baseUrl${httpHint(config)}`,
      { details: { offline: false, attempts: 1, diagnostics }, cause },
    )
  }
}
