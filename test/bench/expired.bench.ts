// The cost when the platform refuses 100 concurrent writes as expired: over HTTP with the platform in another process,
// and in process, where only the kit's own work is measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createKit, memoryTokens, systemClock, updateUser } from 'rxauth'
import { createPlatform, type LocalOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { compare } from './measure'

const concurrent = 100
const email = 'ada@example.com'

/** The platform's address; without `fetch`, over HTTP. */
type Connection = Omit<LocalOptions, 'fetch' | 'clock'> & Partial<Pick<LocalOptions, 'fetch'>>

/** The tokens of a new session, whose access token has expired for the platform, but not yet for a kit. */
type Expired = () => Promise<{ readonly accessToken: string; readonly refreshToken: string }>

function newPlatform() {
  // The platform's clock is moved ahead by this much after the tokens were issued.
  let aheadMillis = 0
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMillis }
  const platform = createPlatform({ clock, seed: { users: [{ email }] } })
  const expired: Expired = async () => {
    aheadMillis = 0
    const tokens = (await platform.tokensFor(email)).read()
    aheadMillis = 700_000
    return { accessToken: tokens?.accessToken ?? '', refreshToken: tokens?.refreshToken ?? '' }
  }
  return { platform, expired }
}

async function measure(where: string, connection: Connection, expired: Expired): Promise<void> {
  const { projectId, publishableClientKey, baseUrl, fetch = globalThis.fetch } = connection
  const patchUser = (accessToken: string, displayName: string) =>
    fetch(`${baseUrl}/api/v1/users/me`, {
      method: 'PATCH',
      body: JSON.stringify({ display_name: displayName }),
      headers: {
        'content-type': 'application/json',
        'x-stack-project-id': projectId,
        'x-stack-publishable-client-key': publishableClientKey,
        'x-stack-access-type': 'client',
        'x-stack-access-token': accessToken,
      },
    })
  const refresh = async (refreshToken: string) => {
    const answer = await fetch(`${baseUrl}/api/v1/auth/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: projectId,
        client_secret: publishableClientKey,
      }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  await compare(`${concurrent} concurrent writes that the platform refuses as expired at first, ${where}`, [
    [
      'a plain fetch loop',
      async () => {
        const { accessToken, refreshToken } = await expired()
        let refreshing: Promise<string> | undefined
        const write = async (index: number) => {
          const first = await patchUser(accessToken, `name ${index}`)
          if (first.status !== 401) throw new Error(`expected 401, not ${first.status}`)
          await first.text()
          const again = await patchUser(await (refreshing ??= refresh(refreshToken)), `name ${index}`)
          await again.json()
        }
        await Promise.all(Array.from({ length: concurrent }, (_, index) => write(index)))
      },
    ],
    [
      'updateUser',
      async () => {
        const kit = createKit({ ...connection, clock: systemClock, tokens: memoryTokens(await expired()) })
        const write = (index: number) => updateUser(kit, { displayName: `name ${index}` })
        await Promise.all(Array.from({ length: concurrent }, (_, index) => write(index)))
        kit.dispose()
      },
      // Two attempts of each write: the headers, the watch over the time and the check of each answer are the kit's.
      1.4,
    ],
  ])
}

if (process.send) {
  const { platform, expired } = newPlatform()
  const { url } = await listen(platform, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  process.send({ projectId, publishableClientKey, baseUrl: url })
  process.on('message', () => void expired().then(tokens => process.send?.(tokens)))
} else {
  const child = fork(fileURLToPath(import.meta.url))
  const [connection] = (await once(child, 'message')) as [Connection]
  await measure('over HTTP', connection, async () => {
    const answered = once(child, 'message')
    child.send('expire')
    return ((await answered) as [Awaited<ReturnType<Expired>>])[0]
  })
  child.kill()
  const { platform, expired } = newPlatform()
  await measure('in process', platform.options, expired)
}
