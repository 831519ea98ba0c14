import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/newer-config.json'
import { dark, newer } from '../newer-world'
import { expectPlain, expectRefusal, wireWorld } from '../wire-world'

type Json = Readonly<Record<string, unknown>>

/** The calls of the configuration, with admin keys on the newer wire. */
function world(options: PlatformOptions = {}) {
  const made = newer(options)
  const call = (line: string, body?: unknown, access: 'server' | 'admin' = 'admin') =>
    made.ask(line.replace(' ', ' /internal/'), { access, ...(body !== undefined && { body }) })
  return {
    ...made,
    call,
    rendered: async () => JSON.parse((await call('GET config')).body.config_string as string) as Json,
    override: async (level = 'environment') =>
      JSON.parse((await call(`GET config/override/${level}`)).body.config_string as string) as Json,
    change: (changes: unknown, level = 'environment') =>
      call(`PATCH config/override/${level}`, { config_override_string: JSON.stringify(changes) }),
    replace: (config: unknown, level = 'environment', source?: object) =>
      call(`PUT config/override/${level}`, { config_string: JSON.stringify(config), ...(source && { source }) }),
    project: async () => (await call('GET projects/current')).body as { readonly config: Json },
  }
}

const unknown = { type: 'pushed-from-unknown' }

/** The value at a dotted path. */
const at = (config: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], config)

describe('the configuration of a project', () => {
  it('has the keys of the hosted platform, and no overrides at first', async () => {
    const { rendered, override, call } = world()
    expect(Object.keys(await rendered()).sort()).toEqual([...wire['top level keys']].sort())
    for (const level of ['project', 'branch', 'environment']) expect(await override(level)).toEqual({})
    expect((await call('GET config/source')).body).toEqual({ source: { type: 'unlinked' } })
  })

  it('says what a seed says', async () => {
    const { rendered, override } = world({
      seed: {
        project: {
          config: { signUpEnabled: false, domains: [{ domain: 'https://a.example.com', handlerPath: '/h' }] },
        },
      },
    })
    const main = { baseUrl: 'https://a.example.com', handlerPath: '/h' }
    expect(await override()).toEqual({ 'auth.allowSignUp': false, 'domains.trustedDomains.a-example-com': main })
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual({ 'a-example-com': main })
  })

  it('keeps a domain whose name has no letters of ASCII', async () => {
    const domains = [{ domain: 'https://*', handlerPath: '/h' }]
    const { change, rendered } = world({ seed: { project: { config: { domains } } } })
    await change({ 'teams.allowClientTeamCreation': true })
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual({
      domain: { baseUrl: 'https://*', handlerPath: '/h' },
    })
  })

  it('is the project: changes of it are changes of the settings', async () => {
    const { change, rendered, project, ask } = world()
    const answer = await change(wire.changes)
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect((await project()).config).toEqual(wire['project after the changes'])
    const config = await rendered()
    for (const [path, value] of Object.entries(wire.changes).filter(([path]) => !/server|teamMember/.test(path)))
      expect([path, at(config, path)]).toEqual([path, value ?? undefined])
    const definitions = async (scope: string) =>
      (await ask(`GET /${scope}-permission-definitions`, { access: 'admin' })).body.items as unknown
    expect(await definitions('team')).toContainEqual({
      id: 'sell',
      description: 'Sells',
      contained_permission_ids: ['$read_members'],
    })
    expect(await definitions('project')).toEqual([{ id: 'look', contained_permission_ids: [] }])
  })

  it('shows what the calls of the project and of permissions change, in the environment', async () => {
    const { call, rendered, override, ask, change } = world()
    await change({ 'domains.trustedDomains.main': { baseUrl: 'https://a.example.com', handlerPath: '/h' } }, 'project')
    await call('PATCH projects/current', {
      config: {
        passkey_enabled: true,
        email_theme: dark,
        domains: [
          { domain: 'https://a.example.com', handler_path: '/h' },
          { domain: 'https://b.example.com', handler_path: '/h' },
        ],
        oauth_providers: [{ id: 'google', type: 'shared' }],
      },
    })
    await ask('POST /team-permission-definitions', { access: 'admin', body: { id: 'sell' } })
    await ask('DELETE /team-permission-definitions/team_member', { access: 'admin' })
    expect(await override()).toEqual({
      'auth.passkey.allowSignIn': true,
      'auth.oauth.providers.google': {
        ...{ type: 'google', isShared: true, allowSignIn: true, allowConnectedAccounts: true },
      },
      'domains.trustedDomains.b-example-com': { baseUrl: 'https://b.example.com', handlerPath: '/h' },
      'emails.selectedThemeId': dark,
      'rbac.permissions.sell': { scope: 'team', containedPermissionIds: {} },
      'rbac.permissions.team_member': null,
      'rbac.defaultPermissions.teamMember.team_member': null,
    })
    const config = await rendered()
    expect(Object.keys(at(config, 'domains.trustedDomains') as Json)).toEqual(['main', 'b-example-com'])
    expect(Object.keys(at(config, 'rbac.permissions') as Json)).toEqual(['team_admin', 'sell'])
  })

  it('keeps what only the configuration says of a provider when the project is changed by the other call', async () => {
    const { call, change, rendered } = world()
    await change({ 'auth.oauth.providers.google': { type: 'google', isShared: true, allowSignIn: false } })
    await call('PATCH projects/current', { config: { oauth_providers: [{ id: 'google', type: 'shared' }] } })
    expect(at(await rendered(), 'auth.oauth.providers.google.allowSignIn')).toBe(false)
  })

  it('is kept in an export', async () => {
    const { change, platform, override } = world()
    await change({ 'payments.products.pro': { displayName: 'Pro' }, 'auth.otp.allowSignIn': true }, 'branch')
    const fork = platform.fork()
    fork.restore(platform.snapshot())
    expect(await override('branch')).toEqual({
      'payments.products.pro': { displayName: 'Pro' },
      'auth.otp.allowSignIn': true,
    })
  })
})

describe('overrides', () => {
  it('apply in the order project, branch, environment', async () => {
    const { change, rendered, override } = world()
    await change({ 'auth.signUpRules.spam': { action: { type: 'reject' } }, 'auth.otp.allowSignIn': true }, 'project')
    await change({ 'auth.signUpRules.spam.condition': 'email == "a@b.c"', 'auth.allowSignUp': false }, 'branch')
    await change({ auth: { allowSignUp: true, signUpRules: { spam: { enabled: false, action: { type: 'log' } } } } })
    expect(await override()).toEqual({
      'auth.allowSignUp': true,
      'auth.signUpRules.spam': { enabled: false, action: { type: 'log' } },
    })
    expect(at(await rendered(), 'auth')).toMatchObject({
      allowSignUp: true,
      otp: { allowSignIn: true },
      signUpRules: { spam: { enabled: false, action: { type: 'log' } } },
    })
  })

  it('lose a key by null, which hides lower levels too, and which a reset takes back', async () => {
    const { change, rendered, override, call } = world()
    const main = { baseUrl: 'https://a.example.com', handlerPath: '/h' }
    await change({ 'domains.trustedDomains.main': main }, 'branch')
    await change({ 'auth.otp.allowSignIn': true })
    await change({ 'auth.otp.allowSignIn': null, 'domains.trustedDomains.main': null })
    expect(await override()).toEqual({ 'domains.trustedDomains.main': null })
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual({})
    expect(at(await rendered(), 'auth.otp.allowSignIn')).toBe(false)
    const reset = await call('POST config/override/environment/reset-keys', { keys: ['domains.trustedDomains'] })
    expect([reset.status, reset.body]).toEqual([200, { success: true }])
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual({ main })
  })

  it.each(['https://*.example.com', 'https://**.example.com', 'https://shop.*', 'http://localhost:*', 'https://*'])(
    'take the domain %s',
    async baseUrl => {
      const { change } = world()
      expect((await change({ 'domains.trustedDomains.a': { baseUrl } })).status).toBe(200)
    },
  )

  it('that take a permission away take it out of the defaults, as its deletion does', async () => {
    const { change, replace, rendered, project } = world()
    await change({ 'rbac.permissions.team_admin': null })
    for (let times = 0; times < 2; times++) {
      expect(at(await rendered(), 'rbac.defaultPermissions')).toEqual({
        ...{ teamCreator: {}, teamMember: { team_member: true }, signUp: {} },
      })
      expect((await project()).config).toMatchObject({ team_creator_default_permissions: [] })
      await replace({ 'rbac.permissions.team_admin': null })
    }
  })

  it('of many entries are written and taken away at once', async () => {
    const { change, rendered, override, call } = world()
    const paths = Array.from({ length: 1000 }, (_, index) => `domains.trustedDomains.d${index}`)
    const all = (value: (index: number) => unknown) =>
      Object.fromEntries(paths.map((path, index) => [path, value(index)]))
    await change(
      all(index => ({ baseUrl: `https://d${index}.example.com` })),
      'branch',
    )
    const nulls = { ...all(() => null), 'domains.trustedDomains.unknown': null }
    expect((await change(nulls)).status).toBe(200)
    expect([at(await rendered(), 'domains.trustedDomains'), Object.keys(await override())]).toEqual([{}, paths])
    await call('POST config/override/environment/reset-keys', { keys: paths })
    expect(Object.keys(at(await rendered(), 'domains.trustedDomains') as Json)).toHaveLength(1000)
  })

  it('change settings of an entry, at their own level and above it', async () => {
    const { change, rendered } = world()
    await change({ 'auth.signUpRules.spam': { action: { type: 'reject' }, priority: 3 } }, 'branch')
    await change({ 'auth.signUpRules.spam.enabled': false }, 'branch')
    await change({ 'auth.signUpRules.spam.priority': 7, 'auth.signUpRules.unknown.priority': 7 })
    expect(at(await rendered(), 'auth.signUpRules')).toEqual({
      spam: { action: { type: 'reject' }, priority: 7, enabled: false },
    })
  })

  it('lose a setting of an entry by null, and a reset of one that the entry needs shows that of a lower level', async () => {
    const { change, rendered, call } = world()
    await change({ 'auth.signUpRules.spam': { action: { type: 'reject', message: 'No.' } } }, 'branch')
    await change({ 'auth.signUpRules.spam.action.type': 'log', 'auth.signUpRules.spam.action.message': null })
    expect(at(await rendered(), 'auth.signUpRules.spam.action')).toEqual({ type: 'log' })
    const keys = ['auth.signUpRules.spam.action.type']
    expect((await call('POST config/override/environment/reset-keys', { keys })).status).toBe(200)
    expect(at(await rendered(), 'auth.signUpRules.spam.action')).toEqual({ type: 'reject' })
  })

  it('are replaced as a whole, nested or dotted', async () => {
    const { replace, change, rendered, override } = world()
    await change({ 'auth.otp.allowSignIn': true }, 'branch')
    expect(
      (
        await replace(
          { auth: { passkey: { allowSignIn: true } }, 'users.allowClientUserDeletion': true },
          'branch',
          unknown,
        )
      ).body,
    ).toEqual({ success: true })
    expect(await override('branch')).toEqual({
      'auth.passkey.allowSignIn': true,
      'users.allowClientUserDeletion': true,
    })
    expect(at(await rendered(), 'auth.otp.allowSignIn')).toBe(false)
  })

  it('of the branch say where they come from, until that is unlinked', async () => {
    const { replace, call } = world()
    expectPlain(await replace({}, 'branch'), 400)
    expectPlain(await replace({}, 'branch', { type: 'pushed-from-github', owner: 'example' }), 400)
    expect((await replace({}, 'branch', wire.source)).status).toBe(200)
    expect((await call('GET config/source')).body).toEqual({ source: wire.source })
    expect((await call('DELETE config/source')).body).toEqual({ success: true })
    expect((await call('GET config/source')).body).toEqual({ source: { type: 'unlinked' } })
  })
})

describe('a server', () => {
  it('reads and writes the branch only, and not what comes of it', async () => {
    const { call, override } = world()
    const changes = { config_override_string: '{"auth.otp.allowSignIn":true}' }
    expect((await call('PATCH config/override/branch', changes, 'server')).status).toBe(200)
    expect((await call('GET config/override/branch', undefined, 'server')).body).toEqual({
      config_string: '{"auth.otp.allowSignIn":true}',
    })
    const replacement = { config_string: '{}', source: unknown }
    expect((await call('PUT config/override/branch', replacement, 'server')).status).toBe(200)
    for (const level of ['project', 'environment']) {
      expectPlain(await call(`GET config/override/${level}`, undefined, 'server'), 403)
      expectPlain(await call(`PATCH config/override/${level}`, changes, 'server'), 403)
      expectPlain(await call(`PUT config/override/${level}`, replacement, 'server'), 403)
      expect(await override(level)).toEqual({})
    }
    for (const [line, body] of [
      ['GET config'],
      ['GET config/source'],
      ['DELETE config/source'],
      ['POST config/override/branch/reset-keys', { keys: [] }],
    ] as const)
      expectRefusal(await call(line, body, 'server'), 'INSUFFICIENT_ACCESS_TYPE')
  })
})

describe('refused, without a change,', () => {
  it.each<[said: string, changes: object]>([
    ['The key "nonsense.key" is not valid', { 'nonsense.key': 1 }],
    ['The key "nonsense.key" is not valid', { nonsense: { key: 1 } }],
    ['The key "emails.selectedThemeId" is not valid', { 'emails.selectedThemeId': 'unknown' }],
    ['The key "auth.nonsense" is not valid', { auth: { otp: { allowSignIn: true }, nonsense: true } }],
    ['The key "auth.otp.allowSignIn" is not valid: it must be true or false', { 'auth.otp.allowSignIn': 'yes' }],
    ['The key "auth.otp" is not valid: it must be an object', { 'auth.otp': 5 }],
    ['The key "__proto__.x" is not valid', JSON.parse('{"__proto__":{"x":1}}') as object],
    [
      'The key "auth.oauth.accountMergeStrategy" is not valid: it must be one of',
      { 'auth.oauth.accountMergeStrategy': 'x' },
    ],
    [
      'The key "domains.trustedDomains.a" is not valid: it needs "baseUrl"',
      { 'domains.trustedDomains.a': { handlerPath: '/' } },
    ],
    ...['x', 'https://[', 'https://a b', 'https://a.example.com:x'].map(baseUrl => {
      const changes: object = { 'domains.trustedDomains.a': { baseUrl } }
      return ['The key "domains.trustedDomains.a.baseUrl" is not valid', changes] as [said: string, changes: object]
    }),
    [
      'The key "auth.oauth.providers.github" is not valid: it needs "clientId" and "clientSecret"',
      { 'auth.oauth.providers.github': { type: 'github', isShared: false } },
    ],
    ['The key "emails.server" is not valid: it needs "host"', { 'emails.server.isShared': false }],
    [
      'the project has no permission "x" of a team',
      { 'rbac.permissions.sell': { scope: 'team', containedPermissionIds: { x: true } } },
    ],
    [
      'The key "auth.signUpRules.a.action.type" is not valid: it must be one of',
      { 'auth.signUpRules.a': { priority: 9, action: { type: null } } },
    ],
    ['The key "auth.signUpRules.a.action" is not valid', { 'auth.signUpRules.a': { action: null } }],
    ['The key "auth.signUpRules.a.action" is not valid: it needs "type"', { 'auth.signUpRules.a': { action: {} } }],
    ['The key "auth.signUpRules.a.action" is not valid: it needs "type"', { 'auth.signUpRules.a.action.type': null }],
    ['The key "auth.signUpRules.a" is not valid: it needs "action"', { 'auth.signUpRules.a.action': null }],
    [
      'The key "domains.trustedDomains.a.handlerPath" is not valid',
      { 'domains.trustedDomains.a': { baseUrl: 'https://a.example.com', handlerPath: null } },
    ],
    [
      'The key "rbac.permissions.sell.containedPermissionIds" is not valid',
      { 'rbac.permissions.sell': { scope: 'team', containedPermissionIds: null } },
    ],
    [
      'The key "rbac.permissions.sell.containedPermissionIds.team_member" is not valid',
      { 'rbac.permissions.sell': { scope: 'team', containedPermissionIds: { team_member: null } } },
    ],
    [
      'The key "auth.oauth.providers.google.appleBundles" is not valid',
      { 'auth.oauth.providers.google': { type: 'google', appleBundles: null } },
    ],
    ['The key "rbac.permissions.Sell!" is not valid', { 'rbac.permissions.Sell!': { scope: 'team' } }],
    [
      'a condition that the local platform can evaluate: ".matches" is unknown',
      { 'auth.signUpRules.a': { action: { type: 'reject' }, condition: 'email.matches("x")' } },
    ],
  ])('%s', async (said, changes) => {
    const { change, replace, override, project } = world()
    const before = await project()
    for (const answer of [await change(changes), await replace(changes, 'branch', unknown)]) {
      expectPlain(answer, 400)
      expect(answer.text).toContain(said)
    }
    expect([await override(), await override('branch'), await project()]).toEqual([{}, {}, before])
  })

  const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

  it.each([
    ['longer than 256 KB', JSON.stringify({ 'payments.a': 'ä'.repeat(131_072) })],
    ['deeper than 50 levels', deep(10_000)],
    ['deeper than 50 levels', `{"payments.a":${deep(49)}}`],
    ['deeper than 50 levels', `{"payments.a":${'['.repeat(49)}1${']'.repeat(49)}}`],
    ['deeper than 50 levels', JSON.stringify({ ['payments' + '.a'.repeat(16_000)]: 1 })],
  ])('a configuration that is %s', async (said, text) => {
    const { call } = world()
    for (const answer of [
      await call('PATCH config/override/branch', { config_override_string: text }),
      await call('PUT config/override/environment', { config_string: text }),
    ]) {
      expectPlain(answer, 400)
      expect(answer.text).toContain(said)
    }
  })

  it('nothing, up to these limits', async () => {
    const { call } = world()
    const text = `{"payments.a":${deep(48)},"payments.b":"${'x'.repeat(200_000)}"}`
    expect((await call('PATCH config/override/branch', { config_override_string: text })).status).toBe(200)
  })

  it.each([
    ['PATCH config/override/branch', { config_override_string: '{' }],
    ['PATCH config/override/branch', { config_override_string: '[]' }],
    ['PUT config/override/nowhere', { config_string: '{}' }],
    ['GET config/override/nowhere', undefined],
    ['POST config/override/project/reset-keys', { keys: [] }],
    ['POST config/override/branch/reset-keys', { keys: ['nonsense'] }],
  ])('%s with %j', async (line, body) => {
    const { call } = world()
    expectPlain(await call(line, body), 400)
  })
})

describe('on the reference wire', () => {
  it.each([
    ['GET', 'config'],
    ['GET', 'config/override/branch'],
    ['PATCH', 'config/override/branch'],
    ['PUT', 'config/override/branch'],
    ['POST', 'config/override/branch/reset-keys'],
    ['GET', 'config/source'],
    ['DELETE', 'config/source'],
    ['POST', 'sign-up-rules-test'],
    ['GET', 'sign-up-rules-stats'],
    ['POST', 'onboarding/preview-affected-users'],
  ])('there is no %s %s', async (method, path) => {
    const answer = await wireWorld().ask(`${method} /internal/${path}`, {
      access: 'admin',
      ...(!/GET|DELETE/.test(method) && { body: {} }),
    })
    expectPlain(answer, 404)
  })
})
