import { createHmac, randomUUID } from 'node:crypto'
import type { Platform } from 'rxauth/platform'
import { patterns, webhookSecret } from './patterns'
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

/** What the requests of Ada's browser bring. */
export async function broughtOf(platform: Platform) {
  const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
  const refresh = `stack-refresh-${platform.options.projectId}=${encodeURIComponent(refreshToken!)}`
  const access = `stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
  return {
    nothing: {},
    expired: { cookie: refresh },
    cookies: { cookie: `${refresh}; ${access}` },
    token: { authorization: `Bearer ${accessToken}` },
  }
}

/**
 * Asks for every pattern: three times at once on a slow platform, three times beside a request that leaves before its answer, and once
 * afterwards. Rejects with what differs, and if a request refreshes more than once.
 */
export async function askAll(address: string, platform: Platform): Promise<void> {
  const brought = await broughtOf(platform)
  const wrong = new Set<string>()
  let refreshes = 0
  const counting = platform.requests$.subscribe(({ path }) => {
    if (path === '/auth/oauth/token') refreshes++
  })
  for (const [pattern, [brings, wanted]] of Object.entries(patterns)) {
    const at = new URL(pattern, address)
    const one = (url = at) => ask(url, brings === 'webhook' ? signed() : brought[brings])
    const three = () => Promise.all([one(), one(), one()])
    refreshes = 0
    const fast = platform.faults.every('*', { delayMillis: 150 })
    const atOnce = await three()
    const left = one(new URL('?leaves', at))
    const beside = await three()
    await left
    fast()
    const answers = [...atOnce, ...beside, await one()]
    for (const answer of answers)
      if (answer !== JSON.stringify(wanted)) wrong.add(`${pattern}: ${answer.slice(0, 200)}`)
    // The request that leaves may refresh, too.
    if (refreshes > answers.length + 1)
      wrong.add(`${pattern}: ${refreshes} refreshes in ${answers.length + 1} requests`)
  }
  counting.unsubscribe()
  if (wrong.size > 0) throw new Error([...wrong].join('; '))
}
