import { createClientApp, memoryTokens, orThrow, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { EMPTY } from 'rxjs'
import { deviceOf, isPhone } from '../../react/example/settings/sessions/devices'
import { en } from '../../react/example/words/en'

/** It has no types of its own. */
const file: string = '../../react/example/server/backend.mjs'

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1'

describe('the name of a device', () => {
  it.each([
    [iPhone, 'Safari on iPhone', true],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) CriOS/140.0 Mobile Safari/604.1',
      'Chrome on iPhone',
      true,
    ],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android', true],
    ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox on Android', true],
    ['Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) Version/18.5 Safari/604.1', 'Safari on iPad', false],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows', false],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 OPR/124.0', 'Opera on Windows', false],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15', 'Safari on macOS', false],
    ['Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) Chrome/140.0 Safari/537.36', 'Chrome on ChromeOS', false],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux', false],
    ['node', undefined, false],
    ['', undefined, false],
  ])('%s: %s', (userAgent, name, phone) => {
    expect([deviceOf(userAgent, en), isPhone(userAgent)]).toEqual([name, phone])
  })
})

it('the backend tells a user the browsers of the own sessions, and of no others', async () => {
  const { serveBackend } = (await import(file)) as {
    serveBackend(options: object): Promise<{ readonly url: string; close(): Promise<void> }>
  }
  const [ada, grace] = ['ada@example.com', 'grace@example.com'].map(email => ({ email, password: 'correct horse' }))
  const platform = createPlatform({ seed: { users: [ada!, grace!] } })
  const { url: baseUrl, close } = await listen(platform, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  const webhookSecret = platform.webhooks.secret
  const backend = await serveBackend({
    platformUrl: baseUrl,
    projectId,
    webhookSecret,
    ownerKey: '',
    webhooks$: EMPTY,
    port: 0,
  })
  const apps: ClientApp[] = []
  const signedIn = async (person: { email: string; password: string }) => {
    const app = createClientApp({ baseUrl, projectId, publishableClientKey, tokens: memoryTokens() })
    apps.push(app)
    orThrow(await app.signInWithPassword(person))
    const [{ id } = { id: '' }] = (await app.sessions$.get()).filter(({ isCurrentSession }) => isCurrentSession)
    const ask = async (userAgent: string) => {
      const authorization = `Bearer ${(await app.accessToken()) ?? ''}`
      const response = await fetch(`${backend.url}/api/devices`, {
        headers: { authorization, 'user-agent': userAgent },
      })
      return (await response.json()) as unknown
    }
    return { id, ask }
  }
  const [phone, desk, other] = [await signedIn(ada!), await signedIn(ada!), await signedIn(grace!)]
  await other.ask('another')
  expect(await phone.ask(iPhone)).toEqual({ [phone.id]: iPhone })
  expect(await desk.ask('desk')).toEqual({ [phone.id]: iPhone, [desk.id]: 'desk' })
  expect(await desk.ask('desk, updated')).toEqual({ [phone.id]: iPhone, [desk.id]: 'desk, updated' })
  for (const app of apps) app.dispose()
  await Promise.all([backend.close(), close()])
})
