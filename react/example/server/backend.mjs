// A backend of your own: notes of the signed-in user. It believes nobody but the platform, whose public keys it fetches.
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

const longest = 500

/** Starts the server; `platformUrl` and `projectId` say whose access tokens count. */
export async function serveNotes({ platformUrl, projectId, port }) {
  const issuer = `${platformUrl}/api/v1/projects/${projectId}`
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  /** Per user, newest first. A real server has a database here. */
  const notes = new Map()

  /** The id of the user whose access token came along; undefined if none did that is good. */
  async function userOf(request) {
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!token) return undefined
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: projectId })
      return payload.sub
    } catch (error) {
      // Expired, forged or of another project. That the keys cannot be fetched is another matter, and a 500.
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error
      return undefined
    }
  }

  async function answer(request) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, id] = /^\/api\/notes(?:\/([\w-]+))?$/.exec(pathname) ?? [undefined]
    if (!pathname.startsWith('/api/notes')) return [404, { error: 'There is nothing at this address.' }]
    const user = await userOf(request)
    if (user === undefined) return [401, { error: 'Sign in first.' }]
    const own = notes.get(user) ?? []
    switch (request.method) {
      case 'GET':
        return [200, own]
      case 'POST': {
        const text = textOf(await bodyOf(request))
        if (text === undefined) return [400, { error: `A note has 1 to ${longest} characters.` }]
        const note = { id: randomUUID(), text, createdAt: new Date().toISOString() }
        notes.set(user, [note, ...own])
        return [201, note]
      }
      case 'DELETE':
        notes.set(
          user,
          own.filter(note => note.id !== id),
        )
        return [204]
      default:
        return [405, { error: `${request.method} is not supported here.` }]
    }
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(error => {
        console.error('notes server:', error)
        return [500, { error: 'The server has failed.' }]
      })
      .then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      })
  })
  await new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise(closed => {
        server.close(closed)
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > 10 * longest) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(body) {
  const text = typeof body?.text === 'string' ? body.text.trim() : ''
  return text.length > 0 && text.length <= longest ? text : undefined
}
