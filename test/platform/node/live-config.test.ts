import { applyConfig, LiveWebhooks } from '../../../src/platform/node/live-config'
import type { ConfiguredWebhook, RxauthConfig } from '../../../src/platform/node/config'
import type { Platform } from '../../../src/platform/platform'
import { settingsOf } from '../../../src/platform/node/settings'
import { ada, ask, wireWorld } from '../wire-world'
import { noFlags } from './no-flags'

it('a changed logo and colour show in the next mail, and so does that they are gone', async () => {
  const { platform } = wireWorld({ seed: { users: [ada] } })
  const looks: boolean[] = []
  const change = async (before: RxauthConfig, after: RxauthConfig) => {
    await applyConfig(platform, before, after, settingsOf(noFlags, after, {}))
    const body = { email: ada.email, callback_url: 'http://localhost:3000/reset' }
    await ask(platform, 'POST /auth/password/send-reset-code', { body })
    const { html } = await platform.mailbox(ada.email).next()
    looks.push(html.includes('#0f766e') && html.includes('<img src="https://shop.example/logo.png"'))
  }
  const config = { project: { color: '#0f766e', logoUrl: 'https://shop.example/logo.png' } }
  await change({}, config)
  await change(config, config)
  await change(config, {})
  expect(looks).toEqual([true, true, false])
})

it('an address of webhooks is there once, for as long as the configuration has it with the same secret', () => {
  const there: object[] = []
  const add = (hook: object) => {
    there.push(hook)
    return () => void there.splice(there.indexOf(hook), 1)
  }
  // Of a platform it has to do with nothing else.
  const webhooks = new LiveWebhooks({ webhooks: { add } } as unknown as Platform)
  const after = (...hooks: ConfiguredWebhook[]) => {
    webhooks.set(hooks)
    return [...there]
  }
  const [first] = after({ url: 'http://a.test' }, { url: 'http://b.test', secret: 'one' })
  expect(there).toEqual([{ url: 'http://a.test' }, { url: 'http://b.test', secret: 'one' }])
  expect(after({ url: 'http://a.test' }, { url: 'http://b.test', secret: 'two' })).toEqual([
    { url: 'http://a.test' },
    { url: 'http://b.test', secret: 'two' },
  ])
  expect(there[0]).toBe(first)
  expect(after({ url: 'http://a.test' }, { url: 'http://a.test' })).toEqual([first])
  expect(after()).toEqual([])
})
