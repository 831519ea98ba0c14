import { applyConfig } from '../../../src/platform/node/live-config'
import type { RxauthConfig } from '../../../src/platform/node/config'
import { settingsOf } from '../../../src/platform/node/settings'
import { ada, ask, wireWorld } from '../wire-world'

const noFlags = {
  isStrict: false,
  opens: false,
  isJson: false,
  logs: false,
  allowedHosts: [],
  allowedOrigins: [],
  webhooks: [],
  command: [],
}

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
