// A backend of your own. It trusts the platform alone, whose public keys it fetches: notes of the signed-in user, the end of
// an account, the browsers of sessions, the roles of the people in a team, changes of users and teams, for the users who may know, and what
// happens in a project, for its owners.
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { changes, createServerApp } from 'rxauth/server'
import { account } from './account.mjs'
import { devices } from './devices.mjs'
import { notes } from './notes.mjs'
import { projectEvents } from './project-events.mjs'
import { teamRoles } from './team-roles.mjs'

const longestBody = 5000

/**
 * Starts the server; `platformUrl` and `projectId` say whose access tokens count. The platform sends its webhooks to
 * `/api/webhooks`, signed with `webhookSecret`. `ownerKey` and `webhooks$` are for the admin area: the publishable key of the project
 * "internal", and what the platform tells of its projects.
 */
export async function serveBackend({ platformUrl, projectId, webhookSecret, ownerKey, webhooks$, port }) {
  // On this machine the kit knows the local platform's secret key; elsewhere STACK_SECRET_SERVER_KEY says it.
  const app = createServerApp({ baseUrl: platformUrl, projectId })
  const live = changes(app, { webhookSecret })
  const events = projectEvents({ platformUrl, ownerKey, webhooks$ })
  const seen = devices()
  /** The parts by their names in addresses: the methods of each, whose answers are a status and a body. */
  const parts = { notes: notes(), account: account(app), devices: seen.list, 'team-roles': teamRoles(app) }

  async function answer(request) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, part, ...ids] = /^\/api\/([\w-]+)(?:\/([\w-]+))?(?:\/([\w-]+))?$/.exec(pathname) ?? []
    const { method, headers } = request
    if (!Object.hasOwn(parts, part)) return [404, { error: 'There is nothing at this address.' }]
    // Guests have no part in any of it, and a token of release 2.8.18 cannot say that its user is one.
    const { user, refusal } = await app.verifyAccessToken.request(request, { askAnonymous: true })
    if (refusal) return [refusal.status, await refusal.json(), Object.fromEntries(refusal.headers)]
    const { userId, sessionId } = user
    seen.see(user, headers)
    if (!Object.hasOwn(parts[part], method)) return [405, { error: `${method} is not supported here.` }]
    return parts[part][method]({ headers, ids, userId, sessionId, body: await bodyOf(request) })
  }

  async function respond(request, response) {
    const [, eventsOf] = /^\/api\/project-events\/([\w-]+)$/.exec(request.url ?? '') ?? []
    if (eventsOf !== undefined && request.method === 'GET') return events(request, response, eventsOf)
    if (request.url === '/api/webhooks' && request.method === 'POST') return send(await live.receive(request), response)
    if (request.url === '/api/changes' && request.method === 'GET') {
      const { user } = await app.verifyAccessToken.request(request)
      if (user) seen.see(user, request.headers)
      return send(await live.stream(request), response)
    }
    const [status, body, headers] = await answer(request)
    response.writeHead(status, { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(error => {
      console.error('backend:', error)
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'The server has failed.' }))
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
        live.close()
        app.dispose()
        server.close(closed)
        server.closeAllConnections()
      }),
  }
}

/** Writes the parts of an answer as fast as the other side reads them. */
async function send({ status, headers, body }, response) {
  response.writeHead(status, Object.fromEntries(headers))
  if (!body) return void response.end()
  // The pipeline fails if the page leaves.
  await pipeline(body, response).catch(() => undefined)
}

/** The body of a request, if it is JSON and no longer than any that is asked for here. */
async function bodyOf(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > longestBody) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
