import { known } from './refusal'

/** The request's body by its content type; undefined without one. Source: protocol §4. */
export async function readBody(request: Request): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (!type) return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
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
  try {
    return JSON.parse(text)
  } catch {
    throw known(
      'BODY_PARSING_ERROR',
      text === '' ? 'The body is empty, which is not JSON.' : 'The body is not valid JSON.',
    )
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw known('BODY_PARSING_ERROR', 'The body is not valid UTF-8.')
  }
}
