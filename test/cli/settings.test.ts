import { readyMade } from '../../src/cli/ready-made'
import { firstSeed, settingsOf } from '../../src/cli/settings'

const defaults = {
  port: 8102,
  host: '127.0.0.1',
  wire: '2.8.18',
  compatibility: 'local',
  rotation: false,
  allowedHosts: [],
  allowedOrigins: [],
  webhooks: [],
  opens: false,
  logs: false,
  seed: null,
}
const seed = { users: [{ email: 'sam@example.com' }] }

describe('the effective settings of flags and configuration', () => {
  it.each([
    ['nothing is said', {}, {}, {}],
    [
      'the configuration says all',
      {},
      { port: 1, host: '::1', wire: '2026', log: true, open: true },
      { port: 1, host: '::1', wire: '2026', logs: true, opens: true },
    ],
    [
      'a flag says something else',
      { port: 2, host: 'a.test', wire: '2.8.18' },
      { port: 1, host: '::1', wire: '2026' },
      { port: 2, host: 'a.test' },
    ],
    ['a flag says 0', { port: 0 }, { port: 1 }, { port: 0 }],
    [
      'both have lists',
      { allowedHosts: ['a.test'], allowedOrigins: ['https://a.test'], webhooks: ['http://a.test'] },
      {
        allowedHosts: ['b.test'],
        allowedOrigins: ['https://b.test'],
        webhooks: [{ url: 'http://b.test', secret: 'whsec_b' }],
      },
      {
        allowedHosts: ['a.test', 'b.test'],
        allowedOrigins: ['https://a.test', 'https://b.test'],
        webhooks: [{ url: 'http://a.test' }, { url: 'http://b.test', secret: 'whsec_b' }],
      },
    ],
    ['the flag is strict', { isStrict: true }, { compatibility: 'local' }, { compatibility: 'strict' }],
    ['the configuration is strict', {}, { compatibility: 'strict' }, { compatibility: 'strict' }],
    ['flags switch on', { opens: true, logs: true }, { open: false, log: false }, { opens: true, logs: true }],
    ['tokens rotate', {}, { rotation: true }, { rotation: true }],
    ['tokens rotate with a period', {}, { rotation: { graceMillis: 5 } }, { rotation: { graceMillis: 5 } }],
    ['tokens rotate with none', {}, { rotation: { graceMillis: undefined } }, { rotation: {} }],
    ['the configuration has people', {}, { seed }, { seed }],
  ] as const)('where %s', (_, flags, config, expected) => {
    expect(settingsOf(flags, config, null)).toEqual({ ...defaults, ...expected })
  })

  it('the users of a flag replace those of the configuration', () => {
    expect(settingsOf({}, { seed }, {}).seed).toEqual({})
  })
})

describe('the seed of new data', () => {
  it('has the ready-made users, and every sign-in method on', () => {
    const first = firstSeed({}, 'local', null)
    expect(first).toMatchObject({
      ...readyMade,
      permissions: [],
      project: { config: { passkeyEnabled: true, anonymousSignUpEnabled: true } },
    })
    expect(first.project).not.toHaveProperty('displayName')
    expect(firstSeed({}, 'strict', null).project?.config).not.toHaveProperty('anonymousSignUpEnabled')
  })

  it('has the configured values; other settings stay on', () => {
    const permissions = [{ id: 'read', scope: 'team' as const }]
    const look = { displayName: 'Shop', logoUrl: 'https://shop.example/logo.png', color: '#0f766e' }
    const project = { ...look, config: { passkeyEnabled: false } }
    const first = firstSeed({ project, permissions }, 'local', seed)
    expect(first).toMatchObject({
      ...seed,
      permissions,
      project: { ...look, config: { passkeyEnabled: false, magicLinkEnabled: true } },
    })
    expect([first.teams, first.owners]).toEqual([undefined, undefined])
  })
})
