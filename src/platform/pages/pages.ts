import { logoFile } from '../directory/projects'
import type { OpenEngine } from '../model/engine'
import { answerProvider } from '../provider/provider'
import { bareReply, platformReply, textType } from '../http/reply'
import type { Reply } from '../http/reply'
import { mailboxPage } from './mailbox-page'

/** Answers addresses outside the interface: HTML pages and the local provider. */
export async function answerPage(engine: OpenEngine, path: string, request: Request): Promise<Reply> {
  try {
    if (path.startsWith('/files/')) return logoFile(engine, path)
    if (path !== '/mailbox') return await answerProvider(engine, path, request)
    if (engine.isStrict) return bareReply(404, { 'content-type': textType }, 'A strict platform has no mailbox page.')
    return request.method === 'GET' ? mailboxPage(engine, new URL(request.url)) : bareReply(405)
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return platformReply(500, textType, `The local platform itself failed. ${what}`)
  }
}
