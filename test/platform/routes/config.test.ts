import type { PlatformOptions } from 'rxauth/platform'
import wire86 from '../../wire/newer-config.json'
import { newer, newerWires } from '../world-2026'
import { expectAnswer, expectPlain, expectRefusal } from '../wire-world'

type Json = Readonly<Record<string, unknown>>

/** The calls of the configuration, with admin keys on the newer wire. */
function open(options: PlatformOptions = {}) {
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

const world = open

const unknown = { type: 'pushed-from-unknown' }

/** The value at a dotted path. */
const at = (config: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], config)

describe('the configuration of a project', () => {
  const definitionsOf = async ({ ask }: ReturnType<typeof open>, scope: string) =>
    (await ask(`GET /${scope}-permission-definitions`, { access: 'admin' })).body.items as unknown

  it('has the keys of the hosted platform, and all settings of a new project in the environment', async () => {
    const { rendered, override, call } = world()
    expect(Object.keys(await rendered()).sort()).toEqual([...wire86['top level keys']].sort())
    for (const level of ['project', 'branch']) expect(await override(level)).toEqual({})
    expect(await override()).toEqual(wire86['environment of a new project'])
    expect((await call('GET config/source')).body).toEqual({ source: { type: 'unlinked' } })
  })

  it('says what a seed says', async () => {
    const domain = { domain: 'https://a.example.com', handlerPath: '/h' }
    const config = { signUpEnabled: false, domains: [domain], requirePublishableClientKey: true }
    const { rendered, override } = world({ seed: { project: { config } } })
    const trusted = { 'a-example-com': { baseUrl: 'https://a.example.com', handlerPath: '/h' } }
    expect(await override()).toMatchObject({ 'auth.allowSignUp': false, 'domains.trustedDomains': trusted })
    expect(await override('project')).toEqual({ 'project.requirePublishableClientKey': true })
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual(trusted)
  })

  it('keeps a domain whose name has no letters of ASCII', async () => {
    const domains = [{ domain: 'https://*', handlerPath: '/h' }]
    const { change, rendered } = world({ seed: { project: { config: { domains } } } })
    await change({ 'teams.allowClientTeamCreation': true })
    const kept = { domain: { baseUrl: 'https://*', handlerPath: '/h' } }
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual(kept)
  })

  it('is the project: changes of it are changes of the settings', async () => {
    const one = world()
    expectAnswer(await one.change(wire86.changes), 200, { success: true })
    expect((await one.project()).config).toEqual(wire86['project after the changes'])
    const config = await one.rendered()
    for (const [path, value] of Object.entries(wire86.changes).filter(([path]) => !/server/.test(path)))
      expect([path, at(config, path)]).toEqual([path, value ?? undefined])
    const sell = { id: 'sell', description: 'Sells', contained_permission_ids: ['$read_members'] }
    expect(await definitionsOf(one, 'team')).toContainEqual(sell)
    expect(await definitionsOf(one, 'project')).toEqual([{ id: 'look', contained_permission_ids: [] }])
  })
})

describe.each(newerWires)('overrides on %s', wire => {
  const world = (options: PlatformOptions = {}) => open({ wire, ...options })
  const main = { baseUrl: 'https://a.example.com', handlerPath: '/h' }

  // Promise: config-levels
  it('are stored as they are written: a key replaces what is at it and below it, and nothing else', async () => {
    const { replace, change, override, rendered } = world()
    const whole = { 'teams.allowClientTeamCreation': true, auth: { otp: { allowSignIn: true } } }
    await replace({ 'auth.otp.allowSignIn': false, 'auth.allowSignUp': false, 'teams.allowClientTeamCreation': true })
    await change({ auth: { otp: { allowSignIn: true } } })
    expect(await override()).toEqual(whole)
    expect(at(await rendered(), 'auth')).toMatchObject({
      ...{ allowSignUp: true, password: { allowSignIn: false }, passkey: { allowSignIn: false } },
      ...{ otp: { allowSignIn: true }, signUpRules: {}, signUpRulesDefaultAction: 'allow' },
    })
    await change({ 'auth.otp.allowSignIn': false })
    expect(await override()).toEqual({ ...whole, 'auth.otp.allowSignIn': false })
    expect(at(await rendered(), 'auth.otp.allowSignIn')).toBe(false)
  })

  // Promise: config-levels
  it('take every sign-in of a project away by a section without them', async () => {
    const config = { oauthProviders: [{ id: 'github', type: 'shared' as const }], passkeyEnabled: true }
    const { change, project, rendered, ask } = world({ seed: { project: { config } } })
    expect((await project()).config['enabled_oauth_providers']).toEqual([{ id: 'github' }])
    await change({ auth: { otp: { allowSignIn: true } } })
    expect((await project()).config).toMatchObject({
      ...{ enabled_oauth_providers: [], credential_enabled: false, passkey_enabled: false, magic_link_enabled: true },
    })
    expect(at(await rendered(), 'auth.oauth.providers')).toEqual({})
    expect((await ask('GET /projects/current')).body.config.enabled_oauth_providers).toEqual([])
  })

  it('keep a null, which hides lower levels too and is only left out of what is rendered', async () => {
    const { change, rendered, override, call, ask } = world()
    await change({ 'domains.trustedDomains.main': main })
    await change({ 'domains.trustedDomains.main': null })
    expect(await override()).toMatchObject({ 'domains.trustedDomains.main': null })
    expect(at(await rendered(), 'domains.trustedDomains')).toEqual({})
    expect((await ask('GET /projects/current')).body.config.domains).toEqual([])
    await change({ 'auth.signUpRules.a': { condition: 'true' } }, 'branch')
    await change({ 'auth.signUpRules.a': null })
    expect(at(await rendered(), 'auth.signUpRules')).toEqual({})
    await call('POST config/override/environment/reset-keys', { keys: ['auth.signUpRules'] })
    expect(Object.keys(at(await rendered(), 'auth.signUpRules') as Json)).toEqual(['a'])
  })

  it('lose the same path within values by a reset, and nothing by an unknown key', async () => {
    const { replace, override, call } = world()
    await replace({ auth: { otp: { allowSignIn: true }, allowSignUp: false }, 'auth.passkey.allowSignIn': true })
    const reset = (...keys: string[]) => call('POST config/override/environment/reset-keys', { keys })
    for (const keys of [[], ['nonsense.key']]) expect((await reset(...keys)).status).toBe(200)
    await reset('auth.otp', 'auth.passkey')
    expect(await override()).toEqual({ auth: { allowSignUp: false } })
  })

  it('install an app by its switch, leave a provider without a type out, and give another its defaults', async () => {
    const { change, rendered } = world()
    await change({ 'apps.installed.webhooks.enabled': true, 'apps.installed.emails.enabled': false })
    await change({ 'auth.oauth.providers': { github: { type: 'github' }, nameless: { allowSignIn: true } } })
    const config = await rendered()
    const enabled = ['webhooks', 'emails', 'teams'].map(app => at(config, `apps.installed.${app}.enabled`))
    expect(enabled).toEqual([true, false, false])
    const github = { type: 'github', isShared: true, allowSignIn: false, allowConnectedAccounts: false }
    expect(at(config, 'auth.oauth.providers')).toEqual({ github })
  })

  it('define permissions, and take them out of the defaults with themselves', async () => {
    const { change, ask, project } = world()
    await change({
      'rbac.permissions.write': { scope: 'team', description: 'w', containedPermissionIds: { $read_members: true } },
      'rbac.permissions.team_admin': null,
    })
    const { body } = await ask('GET /team-permission-definitions', { access: 'admin' })
    const write = { id: 'write', description: 'w', contained_permission_ids: ['$read_members'] }
    expect(body.items).toContainEqual(write)
    expect((await project()).config).toMatchObject({ team_creator_default_permissions: [] })
  })

  // Promise: domain-wildcards
  it.each<[domain: string, isIn86: boolean, isIn2026: boolean]>([
    ['https://*.example.com', true, true],
    ['https://**.example.com', true, true],
    ['https://shop.*', true, true],
    ['http://*:8080', true, true],
    ['https://*.example.com:*', false, true],
    ['http://localhost:*', false, true],
    ['https://a.example.com:4*', false, false],
    ['https://a.example.com:**', false, false],
    ['https://user:password@a.example.com', true, false],
    ['https://a.example.com/*', true, false],
    ['https://a.example.com?*', true, false],
    ['https://a.example.com#*', true, false],
  ])(
    'may have the domain %s, with which the project can be read on 2.8.86: %s, on 2026: %s',
    async (domain, isIn86, isIn2026) => {
      const { change, call } = world()
      const isReadable = wire === '2.8.86' ? isIn86 : isIn2026
      const own = await call('PATCH projects/current', { config: { domains: [{ domain, handler_path: '/' }] } })
      if (isReadable) expect(own.status).toBe(200)
      else
        expect(expectRefusal(own, 'SCHEMA_ERROR')['message']).toContain(
          'body.config.domains[0].domain is not a valid URL',
        )
      expect((await call('GET projects/current')).status).toBe(200)
      await change({ 'domains.trustedDomains': {} })
      expect((await change({ 'domains.trustedDomains.a': { baseUrl: domain } })).status).toBe(200)
      const read = await call('GET projects/current')
      expect(read.status).toBe(isReadable ? 200 : 500)
      if (isReadable) expect(read.body.config.domains).toEqual([{ domain, handler_path: '/handler' }])
    },
  )

  it('of the branch say where they come from, until that is unlinked', async () => {
    const { replace, change, call } = world()
    const withoutSource = await replace({}, 'branch')
    expectPlain(withoutSource, 400)
    expect(withoutSource.text).toBe('source is required for branch level config')
    expect((await replace({ nonsense: 1 }, 'branch')).text).toContain('The key "nonsense" is not valid')
    const github = { type: 'pushed-from-github', owner: 'example' }
    expectRefusal(await replace({}, 'branch', github), 'SCHEMA_ERROR')
    expectRefusal(await replace({}, 'branch', { ...unknown, owner: 'example' }), 'SCHEMA_ERROR')
    expect((await replace({}, 'branch', wire86.source)).status).toBe(200)
    await change({ 'teams.createPersonalTeamOnSignUp': false }, 'branch')
    expect((await call('GET config/source')).body).toEqual({ source: wire86.source })
    const later = { ...wire86.source, workflow_path: '.github/workflows/x.yml' }
    expect((await replace({}, 'branch', later)).status).toBe(wire === '2026' ? 200 : 400)
    expect((await call('DELETE config/source')).body).toEqual({ success: true })
    expect((await call('GET config/source')).body).toEqual({ source: { type: 'unlinked' } })
    // Elsewhere a source is accepted, and means nothing.
    expect((await replace({}, 'project', unknown)).status).toBe(200)
  })
})

type Level = 'project' | 'branch' | 'environment'

// Promise: project-config
describe.each(newerWires)('on %s a level refuses, without a change,', wire => {
  const notFound = (key: string, known = key) =>
    `The key "${key}" is not valid (nested object not found in schema: "${known}").`
  const noneOf = (key: string, type: string, value: string) =>
    `${key} must be a \`${type}\` type, but the final value was: \`${value}\`.`
  const rule = 'auth.signUpRules.a'
  it.each<[said: string, changes: object, levels?: readonly Level[]]>([
    [notFound('nonsense.key', 'nonsense'), { 'nonsense.key': 1 }],
    [notFound('nonsense'), { nonsense: { key: 1 } }],
    [notFound('auth.nonsense'), { 'auth.nonsense': true }, ['branch', 'environment']],
    [notFound('__proto__.x', '__proto__'), JSON.parse('{"__proto__.x":1}') as object],
    ['auth contains unknown properties: nonsense, more', { auth: { nonsense: 1, more: 1 } }, ['branch', 'environment']],
    ['Key a.b contains a dot, which is not allowed in config override.', { auth: { oauth: { 'a.b': 1 } } }],
    [noneOf('auth.allowSignUp', 'boolean', '"yes"'), { 'auth.allowSignUp': 'yes' }, ['branch', 'environment']],
    [noneOf('auth.otp', 'object', '5'), { 'auth.otp': 5 }, ['environment']],
    [
      'auth.signUpRulesDefaultAction must be one of the following values: allow, reject',
      ...[{ auth: { signUpRulesDefaultAction: 'maybe' } }, ['branch', 'environment'] as const],
    ] as const,
    [
      'auth.signUpRules.action.type must be one of the following values: allow, reject, restrict, log',
      ...[{ [rule]: { action: { type: 'maybe' } } }, ['branch', 'environment'] as const],
    ] as const,
    [
      noneOf('auth.oauth.providers.clientSecret', 'string', '{"secret":"…"}'),
      ...[{ 'auth.oauth.providers.github': { clientSecret: { secret: 'hush' } } }, ['environment'] as const],
    ] as const,
    // Each level has its own keys.
    [notFound('auth.allowSignUp', 'auth'), { 'auth.allowSignUp': true }, ['project']],
    [notFound('auth'), { auth: {} }, ['project']],
    [notFound('domains'), { domains: {} }, ['project']],
    [notFound('domains.allowLocalhost'), { 'domains.allowLocalhost': true }, ['branch']],
    [notFound('domains.trustedDomains.a', 'domains.trustedDomains'), { 'domains.trustedDomains.a': {} }, ['branch']],
    ['domains contains unknown properties: trustedDomains', { domains: { trustedDomains: {} } }, ['branch']],
    [
      'auth.oauth.providers contains unknown properties: isShared, clientSecret',
      ...[
        { 'auth.oauth.providers.github': { type: 'github', isShared: true, clientSecret: 'hush' } },
        ['branch'] as const,
      ],
    ] as const,
    [
      'auth.oauth.providers contains unknown properties: isShared',
      ...[{ auth: { oauth: { providers: { github: { isShared: true } } } } }, ['branch'] as const],
    ] as const,
    [notFound('emails.server'), { 'emails.server': { isShared: true } }, ['branch']],
    [notFound('project'), { project: { requirePublishableClientKey: true } }, ['branch', 'environment']],
    [notFound('sourceOfTruth.type', 'sourceOfTruth'), { 'sourceOfTruth.type': 'hosted' }, ['branch', 'environment']],
  ])('%s', async (said, changes, levels = ['project', 'branch', 'environment']) => {
    const { change, replace, override, project } = open({ wire })
    const before = await project()
    for (const level of levels) {
      const was = await override(level)
      for (const answer of [await change(changes, level), await replace(changes, level, unknown)]) {
        expectPlain(answer, 400)
        expect(answer.text).toBe(said)
      }
      expect(await override(level)).toEqual(was)
    }
    expect(await project()).toEqual(before)
  })

  it.each<[changes: object, level: Level]>([
    [{ domains: {} }, 'branch'],
    [{ 'emails.selectedThemeId': 'unknown' }, 'branch'],
    [{ 'rbac.permissions.sell': { scope: 'team', containedPermissionIds: { unknown: true } } }, 'branch'],
    [{ 'auth.oauth.providers.github': { type: 'github', isShared: false } }, 'environment'],
    [{ 'emails.server': { isShared: false } }, 'environment'],
    [{ 'auth.signUpRules.a': { enabled: true, condition: 'email ==' } }, 'environment'],
    [{ 'auth.signUpRules.a': { priority: 9, action: {} } }, 'environment'],
    [{ 'auth.oauth.providers.apple': { type: 'apple', appleBundles: { ios: { bundleId: 'com.a' } } } }, 'environment'],
    [{ 'payments.testMode': false }, 'environment'],
    [{ auth: { allowSignUp: null, signUpRules: { a: null } } }, 'branch'],
    [{ 'sourceOfTruth.type': 'hosted' }, 'project'],
    [[], 'branch'],
  ])('not %j at its level', async (changes, level) => {
    const { change, call } = open({ wire })
    expect((await change(changes, level)).body).toEqual({ success: true })
    for (const line of ['GET config', 'GET projects/current']) expect((await call(line)).status).toBe(200)
  })

  it('the settings of later releases, where they do not exist', async () => {
    const okta = { type: 'custom_oidc', isShared: false, issuerUrl: 'https://okta.example.com' }
    const answer = await open({ wire }).change({ 'auth.oauth.providers.okta': okta })
    expect(answer.status).toBe(wire === '2026' ? 200 : 400)
  })

  it('an unknown level, a missing text and what is no JSON, each in its turn', async () => {
    const { call } = open({ wire })
    const invalid = { config_override_string: '{' }
    const noObject = 'Config override must be a non-null object.'
    const oneOf = 'params.level must be one of the following values:'
    for (const [line, body, status, said, access] of [
      ['PATCH config/override/nowhere', invalid, 'SCHEMA_ERROR', `${oneOf} project, branch, environment`],
      ['GET config/override/nowhere', undefined, 'SCHEMA_ERROR', oneOf],
      ['POST config/override/project/reset-keys', { keys: [] }, 'SCHEMA_ERROR', `${oneOf} branch, environment`],
      ['PATCH config/override/branch', {}, 'SCHEMA_ERROR', 'body.config_override_string must be defined'],
      ['PATCH config/override/environment', invalid, 403, 'Server access can only manage branch config', 'server'],
      ['PATCH config/override/branch', invalid, 400, 'Invalid config JSON'],
      ['PATCH config/override/branch', { config_override_string: '1' }, 400, noObject],
      ['PATCH config/override/branch', { config_override_string: 'null' }, 400, noObject],
    ] as const) {
      const answer = await call(line, body, access)
      expectAnswer(answer, status)
      expect(answer.text).toContain(said)
    }
  })
})

describe('a configuration beyond the limits of the local platform', () => {
  const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

  it.each([
    ['longer than 256 KB', JSON.stringify({ 'payments.products.a': 'ä'.repeat(131_072) })],
    ['deeper than 50 levels', deep(10_000)],
    ['deeper than 50 levels', `{"payments.products.a":${deep(49)}}`],
    ['deeper than 50 levels', `{"payments.products.a":${'['.repeat(49)}1${']'.repeat(49)}}`],
    ['deeper than 50 levels', JSON.stringify({ ['payments.products' + '.a'.repeat(16_000)]: 1 })],
  ])('is refused: %s', async (said, text) => {
    const { call } = world()
    for (const answer of [
      await call('PATCH config/override/branch', { config_override_string: text }),
      await call('PUT config/override/environment', { config_string: text }),
    ]) {
      expectPlain(answer, 400)
      expect(answer.text).toContain(said)
    }
  })

  it('is none up to these limits', async () => {
    const { call } = world()
    const text = `{"payments.products.a":${deep(47)},"payments.products.b":"${'x'.repeat(200_000)}"}`
    expect((await call('PATCH config/override/branch', { config_override_string: text })).status).toBe(200)
  })
})
