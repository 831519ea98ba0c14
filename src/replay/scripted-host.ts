import { BehaviorSubject } from 'rxjs'
import { toBase64Url } from '../core/encoding'
import type { Host } from '../core/host'
import { isRecord } from '../core/values'
import { onAbort } from '../core/signals'
import type { Locks } from '../core/web-types'
import type { TokenStore } from '../session/token-store'
import { holdsSame } from '../session/token-store'
import type { Tokens } from '../transport/access-token'
import type { EventOf } from './checked'

/** A request of the played kit that has no answer yet. */
export interface Waiting {
  readonly method: string
  /** Below `/api/v1`, with the query. */
  readonly path: string
  answer(response: Response): void
  fail(error: Error): void
}

/** The platform of a recording: a request waits until the recording has an answer for it. */
export class ScriptedPlatform {
  readonly waiting = new Set<Waiting>()
  /** Those that the recording has not named yet. */
  readonly #unnamed = new Set<Waiting>()
  readonly #base: string

  constructor(baseUrl: string) {
    this.#base = `${baseUrl}/api/v1`
  }

  readonly fetch: typeof globalThis.fetch = (input, init) =>
    new Promise((resolve, reject) => {
      // The kit calls it with a text.
      const path = (input as string).slice(this.#base.length)
      const leave = onAbort(init?.signal ?? undefined, () => {
        request.fail(new DOMException('aborted', 'AbortError'))
      })
      const end = () => {
        this.waiting.delete(request)
        this.#unnamed.delete(request)
        leave?.()
      }
      const request: Waiting = {
        method: init?.method ?? 'GET',
        path,
        answer(response) {
          end()
          resolve(response)
        },
        fail(error) {
          end()
          reject(error)
        },
      }
      this.waiting.add(request)
      this.#unnamed.add(request)
    })

  /** Takes the oldest request of this method and path that has not been taken. */
  take({ method, path }: Pick<Waiting, 'method' | 'path'>): Waiting | undefined {
    for (const each of this.#unnamed)
      if (each.method === method && each.path === path) {
        this.#unnamed.delete(each)
        return each
      }
    return undefined
  }
}

const nullBodies = new Set([204, 205, 304])

/** The answer as the recording has it. Its text is there at once: time passes by the recording alone. */
export function responseOf({ status, headers, json, text }: EventOf<'answer'>, restore: (json: unknown) => unknown) {
  const body = json === undefined ? (text ?? '') : JSON.stringify(restore(json))
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = new Response(nullBodies.has(status) ? null : body, { status, headers: given })
  return Object.defineProperty(response, 'text', { configurable: true, value: () => Promise.resolve(body) })
}

/** The token store of the recording, which other tabs write too. */
export class ScriptedTokens {
  held: Tokens | null = null
  readonly store: TokenStore

  constructor(isShared: boolean) {
    this.store = {
      read: () => this.held,
      replace: (expected, next) => {
        if (!holdsSame(this.held, expected)) return false
        this.held = next
        return true
      },
      ...(isShared && { sharedAs: 'replay' }),
    }
  }
}

/** A host whose locks are granted when the recording says that this tab, or another one, has had its turn. */
export class ScriptedHost {
  readonly #online$ = new BehaviorSubject(true)
  readonly host: Host
  readonly #asking = new Set<() => void>()

  constructor(isLocked: boolean) {
    const request = (_name: string, options: object, run: () => unknown) =>
      new Promise<unknown>((resolve, reject) => {
        const { signal } = options as { readonly signal?: AbortSignal }
        const grant = () => {
          leave?.()
          this.#asking.delete(grant)
          Promise.resolve().then(run).then(resolve, reject)
        }
        const leave = onAbort(signal, () => {
          this.#asking.delete(grant)
          reject(new DOMException('aborted', 'AbortError'))
        })
        this.#asking.add(grant)
      })
    // Of the overloads of `request`, the kit uses the one with options.
    this.host = { online$: this.#online$, ...(isLocked && { locks: { request } as unknown as Locks }) }
  }

  setOnline(is: boolean): void {
    this.#online$.next(is)
  }

  /** Grants each lock that the kit waits for; false: it waits for none. */
  grantLocks(): boolean {
    const asking = [...this.#asking]
    for (const grant of asking) grant()
    return asking.length > 0
  }
}

/** The value with an access token in the place of each name of one. */
export function restored(json: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof json === 'string') return texts.get(json) ?? json
  if (Array.isArray(json)) return json.map(item => restored(item, texts))
  if (!isRecord(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, restored(part, texts)]))
}

/** An access token with these claims, which no platform has signed. */
export function tokenOf(claims: Readonly<Record<string, unknown>>): string {
  const part = (json: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(json)))
  return `${part({ alg: 'none' })}.${part(claims)}.unsigned`
}
