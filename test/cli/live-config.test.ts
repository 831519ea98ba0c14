import { applyConfig, settingsOf, webhooksOf } from '../../src/cli/settings'
import type { ConfiguredWebhook, RxauthConfig } from '../../src/platform/node/config'
import type { Platform } from '../../src/platform/platform'
import { ask, wireWorld } from '../platform/wire-world'

it('a webhook address is registered once, while the configuration has it with the same secret', () => {
  const there: object[] = []
  const add = (hook: object) => {
    there.push(hook)
    return () => void there.splice(there.indexOf(hook), 1)
  }
  // The only part of a platform that it uses.
  const setWebhooks = webhooksOf({ webhooks: { add } } as unknown as Platform)
  const after = (...hooks: ConfiguredWebhook[]) => {
    setWebhooks(hooks)
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
    const notes = await applyConfig(platform, before, after, settingsOf({}, after, {}))
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
  ])('prints for %j, added or removed, that it takes effect at the next start', async config => {
    const note = `${Object.keys(config)[0]} takes effect at the next start`
    expect((await apply({}, config)).notes).toEqual([note])
    expect((await apply(config, {})).notes).toEqual([note])
    expect((await apply(config, { ...config })).notes).toEqual([])
  })

  it('prints nothing for changes that take effect at once', async () => {
    const permissions = [{ id: 'read', scope: 'team' }] as const
    expect((await apply({}, { log: true, webhooks: ['http://a.test'], permissions })).notes).toEqual([])
  })

  it('names the removed permissions that stay in the data', async () => {
    const [read, write] = [
      { id: 'read', scope: 'team' },
      { id: 'write', scope: 'team' },
    ] as const
    const stays = 'the permission "read" stays until it is deleted in the console, or by rxauth reset'
    expect((await apply({ permissions: [read, write] }, { permissions: [write] })).notes).toEqual([stays])
  })

  it('keeps a project name that the configuration never set', async () => {
    const { platform } = wireWorld()
    const rename = { access: 'admin', body: { display_name: 'Mine' } } as const
    expect((await ask(platform, 'PATCH /internal/projects/current', rename)).status).toBe(200)
    await applyConfig(platform, {}, { log: true }, settingsOf({}, {}, {}))
    expect((await ask(platform, 'GET /projects/current')).body.display_name).toBe('Mine')
  })
})
