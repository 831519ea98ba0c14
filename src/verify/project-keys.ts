import { errors } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { millisSince, momentOf } from '../core/clock'
import type { Clock, Moment } from '../core/clock'
import { isRecord } from '../core/is-record'
import { SingleFlight } from '../core/single-flight'
import { AuthError, invalidResponse, isAuthError, saidBy } from '../errors/auth-error'
import { attempt, NoAnswer, parse } from '../transport/attempt'
import { requestFailed } from '../transport/call'
import type { Config } from '../transport/config'
import { keySet } from './key-set'
import type { FindKey } from './key-set'

/** Older keys are fetched again. */
const maxAgeMillis = 600_000

/** A token with an unknown key causes a new fetch, but at most this often, because any caller can send one. */
const coolDownMillis = 30_000

const limitMillis = 5000

const route = '/projects/{projectId}/.well-known/jwks.json'

interface Source {
  readonly config: Config
  readonly url: string
  /** Parameters of newer releases; retried without them if the platform refuses them. */
  readonly query: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/**
 * The public keys of a project, fetched on first use and cached. An unknown key causes one more fetch. Keys that cannot be
 * refreshed stay in use, so that tokens with known keys are verified while the platform is unreachable.
 */
export class ProjectKeys {
  readonly #source: Source
  readonly #flights = new SingleFlight<FindKey>()
  #find: FindKey | undefined
  #renewed: Moment | undefined
  #asked: Moment | undefined

  constructor(source: Source) {
    this.#source = source
  }

  readonly find: FindKey = async (header, token) => {
    const find = await this.#current()
    try {
      return await find(header, token)
    } catch (error) {
      const mayBeOutdated = error instanceof errors.JWKSNoMatchingKey || isAuthError(error)
      if (!mayBeOutdated || !this.#mayAsk()) throw error
      return (await this.#renew())(header, token)
    }
  }

  async #current(): Promise<FindKey> {
    const find = this.#find
    if (!find || !this.#renewed) return this.#renew()
    if (millisSince(this.#renewed, this.#source.clock) < maxAgeMillis || !this.#mayAsk()) return find
    return this.#renew().catch(() => find)
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
    return this.#flights.run('', async () => {
      const { clock } = this.#source
      this.#asked = momentOf(clock)
      this.#find = keySet(await fetchKeys(this.#source), (key, cause) => {
        const { url } = this.#source
        return invalidResponse(`${key} at ${url} cannot be used: ${saidBy(cause)}`, { cause })
      })
      this.#renewed = momentOf(clock)
      return this.#find
    })
  }
}

async function fetchKeys(source: Source): Promise<JSONWebKeySet> {
  const first = await ask(source, source.url + source.query)
  const { status, text } = first.status === 400 && source.query !== '' ? await ask(source, source.url) : first
  // The platform's own 404 for an unknown project is a sentence, and has its true status here.
  const config = /^\s*(<|$)/.test(text) ? source.config : null
  if (status !== 200) throw requestFailed(config, 'GET', route, { ...first, status, text })
  const set = parse(text, status, source.config)
  if (isKeySet(set)) return set
  throw invalidResponse(`${source.url} does not answer with a list of keys`, { status })
}

async function ask({ fetch, clock }: Source, url: string) {
  try {
    return await attempt({ fetch, clock }, url, {}, limitMillis, undefined)
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause
    if (cause.timedOut)
      throw new AuthError('TIMED_OUT', `the keys at ${url} did not come within ${limitMillis} ms`, {
        details: { attempts: 1 },
        cause,
      })
    const diagnostics = `last failure: ${cause.description}`
    throw new AuthError(
      'NETWORK_ERROR',
      `the keys at ${url} cannot be fetched (${diagnostics}), so the token was not verified; check the connection and baseUrl`,
      { details: { offline: false, attempts: 1, diagnostics }, cause },
    )
  }
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']) && value['keys'].every(isRecord)
}
