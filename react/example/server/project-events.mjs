import { createClientApp, ownedProjects$, requestTokens } from 'rxauth'

/** Whether the reader still owns the project is asked again this often: its browser connects anew by itself. */
const longestMillis = 5 * 60_000

/** A reader that is so many bytes behind has gone, or is too slow: it connects anew, and its page loads everything. */
const mostWaiting = 1_000_000

/**
 * The events of a project, while they happen, for the people who own it: server-sent events, each `{ id, sentAt, type, data }`.
 * `webhooks$` has what the platform tells; of a hosted one, a route of this backend takes it with `verifyWebhook`.
 */
export function projectEvents({ platformUrl, ownerKey, webhooks$ }) {
  /** Whether the owner whose cookies come along owns the project. */
  async function owns(request, projectId) {
    const owner = createClientApp({
      baseUrl: platformUrl,
      projectId: 'internal',
      publishableClientKey: ownerKey,
      tokens: requestTokens(request),
    })
    try {
      return (await ownedProjects$(owner).get()).some(({ id }) => id === projectId)
    } finally {
      owner.dispose()
    }
  }

  return async (request, response, projectId) => {
    if (!(await owns(request, projectId))) {
      response.writeHead(403).end()
      return
    }
    // The reader has left meanwhile, and nothing would tell of that again.
    if (response.destroyed) return
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    // A proxy on the way passes headers on with the first bytes only.
    response.write('retry: 2000\n\n')
    const subscription = webhooks$.subscribe(webhook => {
      if (webhook.projectId !== projectId) return
      const { id, type, data } = webhook
      response.write(`data: ${JSON.stringify({ id, sentAt: new Date(), type, data })}\n\n`)
      if (response.writableLength > mostWaiting) response.destroy()
    })
    const ending = setTimeout(() => response.end(), longestMillis)
    response.once('close', () => {
      clearTimeout(ending)
      subscription.unsubscribe()
    })
  }
}
