import * as v from 'valibot'
import { localKeys, localProject } from '../../core/defaults'
import { isRecord, parseJson } from '../../core/values'
import { saidBy } from '../../errors/auth-error'
import { isLoopback } from '../banner'
import { printable } from '../terminal'

/** Twenty times the data of a usual platform; the whole answer is held in memory. */
const maxBytes = 50_000_000

/** The longest part of a refusal that is passed on: its text may be of another program. */
const maxReason = 1000

/** Longer than any answer takes, save that of events. */
const answerMillis = 30_000

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: object
  readonly signal?: AbortSignal
}

/** The address of a local platform. Throws for an address of another machine, or one that is more than an origin. */
export function localAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'http:' && isLoopback(url.hostname) && url.href === `${url.origin}/`) return url.origin
  throw new Error(
    `"${shown(text)}" is no address of a platform on this machine: give one such as http://localhost:8102`,
  )
}

/**
 * The local platform that runs, by the addresses that its console uses. Only an answer of the expected shape is passed on: another
 * program may listen at the port.
 */
export class RunningPlatform {
  readonly #find: () => Promise<string>

  /** `find` is asked before each call: the platform may have been started anew at another port. */
  constructor(find: () => Promise<string>) {
    this.#find = find
  }

  /** An address of the console, by its path below `/__local__/`. */
  local<T>(answers: v.GenericSchema<unknown, T>, path: string, asked: Asked = {}): Promise<T> {
    return this.#ask(answers, `/__local__/${path}`, {}, asked)
  }

  /** An endpoint, with the access of an administrator. */
  api<T>(answers: v.GenericSchema<unknown, T>, path: string, asked: Asked = {}): Promise<T> {
    const headers = {
      'x-stack-project-id': localProject.projectId,
      'x-stack-access-type': 'admin',
      'x-stack-super-secret-admin-key': localKeys.superSecretAdminKey,
    }
    return this.#ask(answers, `/api/v1/${path}`, headers, asked)
  }

  /** The address that signs the user in at the app, after the platform has said that it does. */
  async signInAddress(user: string, to: string): Promise<string> {
    const query = `?${new URLSearchParams({ to }).toString()}`
    const url = await this.#find()
    const path = `/as/${encodeURIComponent(user)}${query}`
    const response = await this.#send(url, path, {}, {})
    await response.body?.cancel()
    if (response.status !== 303) throw noPlatform(url, path)
    return url + path
  }

  /** The text of each event as it arrives. */
  async *events(signal: AbortSignal): AsyncGenerator<string, undefined, undefined> {
    const url = await this.#find()
    const path = '/__local__/events'
    const response = await this.#send(url, path, {}, { signal })
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw noPlatform(url, path)
    yield* partsOf(response, url)
  }

  async #ask<T>(answers: v.GenericSchema<unknown, T>, path: string, headers: object, asked: Asked): Promise<T> {
    const url = await this.#find()
    const response = await this.#send(url, path, headers, asked)
    const value = parseJson(await wholeOf(response, url))
    const result = v.safeParse(answers, value)
    if (!result.success) throw noPlatform(url, path)
    return result.output
  }

  async #send(url: string, path: string, headers: object, { method = 'GET', body, signal }: Asked): Promise<Response> {
    let response: Response
    try {
      response = await fetch(url + path, {
        method,
        // The console's requests are not in the log, and no fault applies to them.
        headers: { ...headers, 'x-rxauth-console': '1', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect may lead to another machine.
        redirect: 'manual',
        signal: signal ?? AbortSignal.timeout(answerMillis),
      })
    } catch (error) {
      throw gone(url, error)
    }
    if (response.status < 400) return response
    const text = await wholeOf(response, url)
    const answer = parseJson(text)
    const reason = isRecord(answer) && typeof answer['error'] === 'string' ? answer['error'] : text
    throw new Error(`${url} refused ${method} ${path} with ${response.status}: ${shown(reason)}`)
  }
}

async function wholeOf(response: Response, url: string): Promise<string> {
  let text = ''
  for await (const part of partsOf(response, url)) text += part
  return text
}

/** The parts of the body; rejects if they are too long together, or if the platform ends meanwhile. */
async function* partsOf({ body }: Response, url: string): AsyncGenerator<string, undefined, undefined> {
  const decoder = new TextDecoder()
  let length = 0
  const reader = body?.getReader()
  try {
    for (;;) {
      const part = await reader?.read().catch((error: unknown) => {
        throw gone(url, error)
      })
      if (!part || part.done) return
      length += part.value.length
      if (length > maxBytes) throw new Error(`the answer of ${url} is longer than ${maxBytes / 1_000_000} MB`)
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

/** The beginning of a text of another program, without characters that hide or direct. */
function shown(text: string): string {
  return text
    .trim()
    .slice(0, maxReason)
    .replace(/[^\n]+/g, printable)
}

function gone(url: string, error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new Error(`no answer of ${url} (${shown(saidBy(cause))}): start the platform by \`npx rxauth dev\``, {
    cause: error,
  })
}

function noPlatform(url: string, path: string): Error {
  return new Error(
    `${url} is no platform of this rxauth: its answer to ${path} has another shape. Name the address of \`npx rxauth dev\` by --url`,
  )
}
