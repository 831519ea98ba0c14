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

describe('a configuration that is applied', () => {
  const apply = async (before: RxauthConfig, after: RxauthConfig) => {
    const { platform } = wireWorld()
    const notes = await applyConfig(platform, before, after, settingsOf(noFlags, after, {}))
    const { body } = await ask(platform, 'GET /projects/current')
    return { notes, name: body.display_name as string, hasPasskeys: body.config.passkey_enabled as boolean }
  }

  it.each<RxauthConfig>([
    { port: 1 },
    { host: '::1' },
    { data: 'memory' },
    { wire: '2026' },
    { compatibility: 'strict' },
    { rotation: true },
    { allowedHosts: ['auth.test'] },
    { allowedOrigins: ['https://app.test'] },
    { open: true },
  ])('says of %j that it waits for the next start, coming and going', async config => {
    const note = `${Object.keys(config)[0]} takes effect at the next start`
    expect((await apply({}, config)).notes).toEqual([note])
    expect((await apply(config, {})).notes).toEqual([note])
    expect((await apply(config, { ...config })).notes).toEqual([])
  })

  it('says nothing of what holds at once', async () => {
    const permissions = [{ id: 'read', scope: 'team' }] as const
    expect((await apply({}, { log: true, webhooks: ['http://a.test'], permissions })).notes).toEqual([])
  })

  it('names the permissions that stay although nothing says so any more', async () => {
    const [read, write] = [
      { id: 'read', scope: 'team' },
      { id: 'write', scope: 'team' },
    ] as const
    const stays = 'the permission "read" stays until it is deleted in the console, or by rxauth reset'
    expect((await apply({ permissions: [read, write] }, { permissions: [write] })).notes).toEqual([stays])
  })

  it('leaves alone a name that was given elsewhere', async () => {
    const { platform } = wireWorld()
    const rename = { access: 'admin', body: { display_name: 'Mine' } } as const
    expect((await ask(platform, 'PATCH /internal/projects/current', rename)).status).toBe(200)
    await applyConfig(platform, {}, { log: true }, settingsOf(noFlags, {}, {}))
    expect((await ask(platform, 'GET /projects/current')).body.display_name).toBe('Mine')
  })

  it('takes back what it no longer says, and leaves alone what it never said', async () => {
    const shop = { project: { displayName: 'Shop', config: { passkeyEnabled: false } } }
    expect(await apply({}, shop)).toMatchObject({ name: 'Shop', hasPasskeys: false })
    expect(await apply(shop, {})).toMatchObject({ name: 'Local project', hasPasskeys: true })
    expect(await apply({}, {})).toMatchObject({ hasPasskeys: false })
  })
})
