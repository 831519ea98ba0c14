import { virtualClock } from 'rxauth/platform'
import { createAdminApp } from 'rxauth/admin'

interface Reply {
  readonly status?: number
  readonly body?: unknown
  readonly text?: string
}

/** An admin app whose requests get these answers, one after the other. */
export function exchangedAdmin(replies: readonly Reply[]) {
  const clock = virtualClock()
  const lines: string[] = []
  const bodies: unknown[] = []
  const admin = createAdminApp({
    projectId: 'shop',
    baseUrl: 'https://auth.example.com',
    publishableClientKey: 'pck_1',
    secretServerKey: 'ssk_1',
    superSecretAdminKey: 'sak_1',
    clock,
    fetch(input, init) {
      const { status = 200, body, text = JSON.stringify(body) } = replies[lines.length] ?? { status: 500, text: '' }
      lines.push(`${init?.method ?? 'GET'} ${new URL(input as string).pathname.replace('/api/v1', '')}`)
      if (init?.body !== undefined) bodies.push(JSON.parse(init.body as string))
      const headers = { 'x-stack-actual-status': String(status), 'content-type': 'application/json' }
      return Promise.resolve(new Response(text, { status, headers }))
    },
  })
  return { admin, lines, bodies, inTime: <T>(promise: Promise<T>) => clock.settled(promise) }
}
