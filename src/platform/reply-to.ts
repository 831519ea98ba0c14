import type { PlatformServices } from './model/engine'
import { inUnit } from './model/engine'
import { answerPage } from './pages/pages'
import { perform } from './http/perform'
import { bareReply, jsonType, platformReply, textType } from './http/reply'
import type { Reply } from './http/reply'
import type { RouteMatch } from './http/router'

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
