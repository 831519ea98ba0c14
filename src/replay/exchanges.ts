import { fromJson } from '../core/json-form'
import type { DecisionOf, InputEventOf } from './checked'
import { restored } from './restored'

/** A request of a recording. */
export type SendEvent = DecisionOf<'send'>

/** The end of a promise that an event of the recording settles. */
interface PlayedEnd<T> {
  resolve(value: T): void
  reject(error: Error): void
}

export const baseUrl = 'https://platform.invalid'
export const base = `${baseUrl}/api/v1`

/** The promises of the requests and of the outside works of a played kit, each of which ends as the recording has it. */
export class PlayedExchanges {
  /** The number that the kit has given to its last request. */
  lastSent = -1
  readonly #sends: SendEvent[]
  /** Access tokens by their names. */
  readonly #tokens: ReadonlyMap<string, string>
  readonly #requests = new Map<number, PlayedEnd<Response>>()
  readonly #works = new Map<number, PlayedEnd<unknown>>()
  /** The numbers of requests in the recording, by those that they have here. */
  readonly #ids = new Map<number, number>()

  constructor(sends: readonly SendEvent[], tokens: ReadonlyMap<string, string>) {
    this.#sends = [...sends]
    this.#tokens = tokens
  }

  /** The number in the recording of a request of the kit. */
  idOf(id: number): number {
    return this.#ids.get(id) ?? -1
  }

  sent(url: string, init: RequestInit | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const method = init?.method ?? 'GET'
      const index = this.#sends.findIndex(send => send.method === method && base + send.path === url)
      const [send] = index < 0 ? [] : this.#sends.splice(index, 1)
      if (send) {
        this.#requests.set(send.id, { resolve, reject })
        this.#ids.set(this.lastSent, send.id)
      }
      init?.signal?.addEventListener('abort', () => {
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
  }

  /** The kit has begun the work of this number. */
  began(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => void this.#works.set(id, { resolve, reject }))
  }

  answer(event: InputEventOf<'answer'>): void {
    const request = this.#requests.get(event.id)
    this.#requests.delete(event.id)
    if (event.failure === 'TypeError') request?.reject(new TypeError('fetch failed'))
    else if (event.failure) request?.reject(new DOMException('aborted', 'AbortError'))
    else request?.resolve(responseOf(event, this.#tokens))
  }

  come({ id, value, failure }: InputEventOf<'came'>): void {
    const work = this.#works.get(id)
    if (failure === undefined) work?.resolve(fromJson(restored(value, this.#tokens)))
    else work?.reject(new DOMException('as recorded', failure))
  }
}

const nullBodies = new Set([204, 205, 304])

/** The answer as the recording has it. Its text is there at once: time passes by the recording alone. */
function responseOf(answer: InputEventOf<'answer'>, texts: ReadonlyMap<string, string>) {
  const { status, headers, json, text } = answer
  const body = json === undefined ? (text ?? '') : JSON.stringify(restored(json, texts))
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = new Response(nullBodies.has(status) ? null : body, { status, headers: given })
  return Object.defineProperty(response, 'text', { configurable: true, value: () => Promise.resolve(body) })
}
