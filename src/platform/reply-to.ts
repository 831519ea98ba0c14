import { logoFile } from './directory/projects'
import { perform } from './http/perform'
import { bareReply, jsonType, platformReply, textType } from './http/reply'
import type { Reply } from './http/reply'
import type { RouteMatch } from './http/router'
import { inUnit } from './model/engine'
import type { OpenEngine, PlatformServices } from './model/engine'
import { mailboxPage } from './pages/mailbox-page'
import { signInAs } from './pages/sign-in-as'
import { answerProvider } from './provider/provider'

/** Answers requests around the endpoints (preflight, redirects, unknown addresses); endpoints are handled by `perform`. */
export async function replyTo(host: PlatformServices, place: RouteMatch, request: Request): Promise<Reply> {
  switch (place.kind) {
    case 'address':
      return perform(host, place.address, place.params, request)
    case 'page':
      // A unit that waits for an index runs twice, and each run reads the body.
      return { ...(await inUnit(host, engine => answerPage(engine, place.path, request.clone()))), isPage: true }
    case 'preflight':
      return bareReply(200)
    case 'health':
      return platformReply(200, jsonType, JSON.stringify({ status: 'ok' }))
    case 'trailing slash':
      return bareReply(308, { location: place.location }, place.location)
    case 'wrong method':
      return bareReply(405)
    case 'unknown':
      return platformReply(404, textType, `The local platform has nothing at ${new URL(request.url).pathname}.`)
  }
}

/** Answers addresses outside the interface: HTML pages and the local provider. */
async function answerPage(engine: OpenEngine, path: string, request: Request): Promise<Reply> {
  try {
    if (path.startsWith('/files/')) return logoFile(engine, path)
    if (path.startsWith('/oauth-provider/')) return await answerProvider(engine, path, request)
    if (engine.isStrict)
      return bareReply(404, { 'content-type': textType }, 'A strict platform has no page of its own.')
    if (request.method !== 'GET') return bareReply(405)
    return (path === '/mailbox' ? mailboxPage : signInAs)(engine, new URL(request.url))
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return platformReply(500, textType, `The local platform itself failed. ${what}`)
  }
}
