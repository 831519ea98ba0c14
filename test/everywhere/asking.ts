import { createHmac, randomUUID } from 'node:crypto'
import type { Platform } from 'rxauth/platform'
import { patterns, webhookSecret } from './patterns'
import type { Pattern } from './patterns'
import { ada } from './smoke'

/** The answer to a request at this address: its text. */
async function ask(url: URL, headers: HeadersInit): Promise<string> {
  const sent: RequestInit =
    'svix-id' in headers ? { method: 'POST', headers, body: webhookBody } : { headers, redirect: 'manual' }
  const response = await fetch(url, { ...sent, signal: AbortSignal.timeout(10_000) })
  return response.text()
}

const webhookBody = JSON.stringify({ type: 'user.deleted', data: { id: randomUUID(), teams: [] } })

/** The headers of a delivery, signed as the platform signs it. */
function signed(): Record<string, string> {
  const id = `msg_${randomUUID()}`
  const at = Math.floor(Date.now() / 1000)
  const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${webhookBody}`).digest('base64')
  return {
    'svix-id': id,
    'svix-timestamp': String(at),
    'svix-signature': `v1,${signature}`,
    'content-type': 'application/json',
  }
}

/** The headers of cookies as a browser has them, of which an expired access token is not one. */
export async function cookiesOf(platform: Platform) {
  const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
  const { projectId } = platform.options
  const refresh = `stack-refresh-${projectId}=${encodeURIComponent(refreshToken!)}`
  const access = `stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
  return {
    expired: { cookie: refresh },
    cookies: { cookie: `${refresh}; ${access}` },
    token: { authorization: `Bearer ${accessToken}` },
  }
}

/**
 * Asks for every pattern: three times at once on a slow platform, three times beside a request that leaves before its answer, and once
 * afterwards. Rejects with what differs.
 */
export async function askAll(address: string, platform: Platform): Promise<void> {
  const headers = { nothing: () => ({}), webhook: signed }
  const own = await cookiesOf(platform)
  const wrong: string[] = []
  for (const [pattern, [brings, wanted]] of Object.entries(patterns)) {
    const at = new URL(pattern satisfies string as Pattern, address)
    const leaving = new URL('?leaves', at)
    const one = () =>
      ask(at, brings in own ? own[brings as keyof typeof own] : headers[brings as keyof typeof headers]())
    const three = () => Promise.all([one(), one(), one()])
    const fast = platform.faults.every('*', { delayMillis: 150 })
    const atOnce = await three()
    const left = ask(
      leaving,
      brings in own ? own[brings as keyof typeof own] : headers[brings as keyof typeof headers](),
    )
    const beside = await three()
    await left
    fast()
    for (const answer of [...atOnce, ...beside, await one()])
      if (answer !== JSON.stringify(wanted)) wrong.push(`${pattern}: ${answer.slice(0, 200)}`)
  }
  if (wrong.length > 0) throw new Error([...new Set(wrong)].join('; '))
}
