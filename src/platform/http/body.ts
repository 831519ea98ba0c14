import { throwIfAborted } from '../../core/signals'
import { known } from '../model/refusal'

/** A `fetch` that passes every request to one handler. Rejects with the signal's reason on abort, like the real one. */
export function inProcessFetch(handle: (request: Request) => Promise<Response>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    throwIfAborted(signal)
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      handle(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort))
    })
  }
}

/** Far deeper than any metadata, and shallow enough for the call stack. */
const maxDepth = 2000

/** Parses the request's body by its content type; undefined without one. Calls `note` with its bytes. */
export async function readBody(request: Request, note?: (bytes: Uint8Array) => void): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (!type) return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
  note?.(bytes)
  switch (type) {
    case 'application/json':
      return parseJson(decode(bytes))
    case 'application/x-www-form-urlencoded':
      return Object.fromEntries(new URLSearchParams(decode(bytes)))
    case 'text/plain':
      return decode(bytes)
    case 'application/octet-stream':
      return bytes
    default:
      throw known('BODY_PARSING_ERROR', `The content type ${type} is not supported.`)
  }
}

function parseJson(text: string): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw known(
      'BODY_PARSING_ERROR',
      text === '' ? 'The body is empty, which is not JSON.' : 'The body is not valid JSON.',
    )
  }
  if (isDeeperThan(maxDepth, parsed))
    throw known('BODY_PARSING_ERROR', `The body is nested deeper than ${maxDepth} levels.`)
  return parsed
}

/** Checks level by level instead of recursively: deep nesting must not overflow the call stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const nested = level.filter((item): item is object => typeof item === 'object' && item !== null)
    if (nested.length > 0 && depth >= levels) return true
    level = nested.flatMap((item): unknown[] => Object.values(item))
  }
  return false
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw known('BODY_PARSING_ERROR', 'The body is not valid UTF-8.')
  }
}
