import { ownedProjects$ } from 'rxauth'
import {
  createAdminApp,
  previewAffectedUsers,
  projectConfig$,
  projectConfigOverride$,
  projectConfigSource$,
  replaceProjectConfig,
  signUpRulesStats$,
  testSignUpRules,
  unlinkProjectConfigSource,
  updateProjectConfig,
} from 'rxauth/admin'
import type { BranchOverride, ConfigSource, EnvironmentOverride, RenderedConfig } from 'rxauth/admin'
import { branchConfigOverride$, createServerApp, replaceBranchConfig, updateBranchConfig } from 'rxauth/server'
import wire from '../../wire/newer-config.json'
import { newerWires } from '../../platform/world-2026'
import { ada, grace } from '../../world'
import { adminWorld } from '../admin-world'
import { watch } from '../teams/team-world'
import { exchangedAdmin } from '../exchanged-admin'

const text = (config: unknown) => ({ body: { config_string: JSON.stringify(config) } })

describe('the rendered configuration', () => {
  // Promise: project-config
  it('is typed for owners, and raw for the rest', async () => {
    const spam = { enabled: true, priority: 1, condition: 'true', action: { type: 'reject', message: 'No.' } }
    const { admin, inTime } = exchangedAdmin([
      text({
        auth: { allowSignUp: true, otp: { allowSignIn: true }, signUpRules: { spam }, other: 5 },
        payments: { products: { pro: { displayName: 'Pro' } } },
      }),
    ])
    const config: RenderedConfig = await inTime(projectConfig$(admin).get())
    const { allowSignUp, otp, password } = config.auth
    expect([allowSignUp, otp.allowSignIn, password.allowSignIn]).toEqual([true, true, undefined])
    expect(config.auth.signUpRules['spam']?.action).toEqual(spam.action)
    expect([config.auth['other'], config['payments']]).toEqual([5, { products: { pro: { displayName: 'Pro' } } }])
    expect([config.domains.trustedDomains, config.rbac.defaultPermissions.signUp]).toEqual([{}, {}])
  })

  // Promise: project-config
  it('lacks a field that a release has in another form, and nothing else', async () => {
    const { admin, inTime } = exchangedAdmin([
      text({
        auth: { allowSignUp: 'sometimes', signUpRulesDefaultAction: { type: 'reject' }, otp: { allowSignIn: true } },
      }),
    ])
    const { auth } = await inTime(projectConfig$(admin).get())
    const { allowSignUp, signUpRulesDefaultAction, otp } = auth
    expect([allowSignUp, signUpRulesDefaultAction, otp.allowSignIn]).toEqual([undefined, undefined, true])
  })

  it.each(['{', '[]', '5', undefined])('that is %j is INVALID_RESPONSE', async config_string => {
    const { admin, inTime } = exchangedAdmin([{ body: { config_string } }])
    await expect(inTime(projectConfig$(admin).get())).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })
})

const source = {
  ...({ type: 'pushed-from-github', owner: 'example', repo: 'shop', branch: 'main' } as const),
  ...{ commitHash: '4a1b', configFilePath: 'rxauth.project.json' },
}

it('the source of the branch has the names of this kit', async () => {
  const { admin, inTime } = exchangedAdmin([{ body: { source: wire.source } }])
  const found: ConfigSource = await inTime(projectConfigSource$(admin).get())
  expect(found).toEqual(source)
})

const spam = { enabled: true, condition: 'true', action: { type: 'reject' } }

describe('a request', () => {
  it('has the configuration as text, and the source in the names of the wire', async () => {
    const { admin, inTime, bodies, lines } = exchangedAdmin([{ body: { success: true } }, { body: { success: true } }])
    await inTime(updateProjectConfig(admin, { changes: { 'auth.otp.allowSignIn': null } }))
    await inTime(replaceProjectConfig(admin, { level: 'branch', config: { auth: {}, domains: {} }, source }))
    expect(lines).toEqual(['PATCH /internal/config/override/environment', 'PUT /internal/config/override/branch'])
    expect(bodies).toEqual([
      { config_override_string: '{"auth.otp.allowSignIn":null}' },
      { config_string: '{"auth":{},"domains":{}}', source: wire.source },
    ])
  })

  it.each<[what: string, changes: EnvironmentOverride, sent?: object]>([
    ['an object as its paths', { auth: { otp: { allowSignIn: true } } }, { 'auth.otp.allowSignIn': true }],
    [
      'an entry of a record as a whole',
      { auth: { signUpRules: { spam }, oauth: { providers: { github: { type: 'github', isShared: true } } } } },
      { 'auth.signUpRules.spam': spam, 'auth.oauth.providers.github': { type: 'github', isShared: true } },
    ],
    ['a record below a path as its entries', { 'auth.signUpRules': { spam } }, { 'auth.signUpRules.spam': spam }],
    [
      'entries of every record',
      {
        domains: { trustedDomains: { main: { baseUrl: 'https://*.example.com' } } },
        rbac: { permissions: { write: { scope: 'team', containedPermissionIds: {} } } },
        emails: { themes: { one: { tsxSource: '…' } }, templates: { two: { displayName: 'Two' } } },
      },
      {
        'domains.trustedDomains.main': { baseUrl: 'https://*.example.com' },
        'rbac.permissions.write': { scope: 'team', containedPermissionIds: {} },
        'emails.themes.one': { tsxSource: '…' },
        'emails.templates.two': { displayName: 'Two' },
      },
    ],
    ['one field of an entry', { 'auth.signUpRules.spam.action': { type: 'log' } }],
    [
      'null, and a list as a whole',
      { auth: { signUpRules: { spam: null } }, payments: { items: [{ a: 1 }] } },
      { 'auth.signUpRules.spam': null, 'payments.items': [{ a: 1 }] },
    ],
    ['what the kit does not know', { brand: { new: { key: 1 } } }, { 'brand.new.key': 1 }],
    ['what has a form in JSON only', { a: new Date(0), b: undefined }, { a: '1970-01-01T00:00:00.000Z' }],
    ['a key called __proto__', JSON.parse('{"a":{"__proto__":1}}') as EnvironmentOverride, { 'a.__proto__': 1 }],
  ])('changes %s', async (_, changes, sent = changes) => {
    const { admin, inTime, bodies } = exchangedAdmin([{ body: { success: true } }, { body: { success: true } }])
    await inTime(updateProjectConfig(admin, { changes }))
    const [body] = bodies as [{ config_override_string: string }]
    expect(JSON.parse(body.config_override_string)).toEqual(sent)
  })

  it('of a server changes the branch in the same way', async () => {
    const { admin, inTime, bodies, lines } = exchangedAdmin([{ body: { success: true } }])
    await inTime(updateBranchConfig(admin, { changes: { auth: { password: { allowSignIn: true } } } }))
    expect([lines, bodies]).toEqual([
      ['PATCH /internal/config/override/branch'],
      [{ config_override_string: '{"auth.password.allowSignIn":true}' }],
    ])
  })

  it.each([
    [{}],
    [{ auth: {} }],
    [{ auth: { signUpRules: {} }, domains: {} }],
    [{ auth: { otp: { allowSignIn: undefined } } }],
  ])('is not sent for %j', async changes => {
    const { admin, inTime, lines } = exchangedAdmin([])
    await expect(inTime(updateProjectConfig(admin, { changes }))).resolves.toBeUndefined()
    await expect(inTime(updateBranchConfig(admin, { changes }))).resolves.toBeUndefined()
    expect(lines).toEqual([])
    admin.dispose()
    await expect(inTime(updateProjectConfig(admin, { changes }))).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  it.each<[field: string, changes: Readonly<Record<string, unknown>>]>([
    ['changes.auth.signUpRules', { auth: { signUpRules: { 'a.b': spam } } }],
    ['changes.auth.signUpRules.a.b', { 'auth.signUpRules.a.b': spam }],
    ['changes.rbac.permissions.a.b', { 'rbac.permissions.a.b': { scope: 'team' } }],
    ['changes.auth', { auth: { 'otp.allowSignIn': true } }],
    [
      'changes.auth.signUpRules.spam.enabled',
      { 'auth.signUpRules.spam': spam, 'auth.signUpRules.spam.enabled': false },
    ],
    ['changes.auth.otp.allowSignIn', { auth: null, 'auth.otp.allowSignIn': true }],
    ['changes.auth.otp.allowSignIn', { auth: { otp: { allowSignIn: true } }, 'auth.otp.allowSignIn': false }],
    ['changes.auth.oauth.providers.github', { 'auth.oauth.providers.github': { allowSignIn: true } }],
    ['changes.auth.oauth.providers.github', { auth: { oauth: { providers: { github: {} } } } }],
    ['changes.project.requirePublishableClientKey', { project: { requirePublishableClientKey: true } }],
    ['changes.sourceOfTruth.type', { 'sourceOfTruth.type': 'hosted' }],
    ['changes.domains.trustedDomains.main.baseUrl', { domains: { trustedDomains: { main: { baseUrl: 'nope' } } } }],
    ['changes.domains.trustedDomains.main.baseUrl', { 'domains.trustedDomains.main.baseUrl': 'localhost:3000' }],
    ['changes.domains.trustedDomains.main.baseUrl', { 'domains.trustedDomains.main.baseUrl': 'https://a.example:4*' }],
    [
      'changes.domains.trustedDomains.main.baseUrl',
      { 'domains.trustedDomains.main': { baseUrl: 'https://a.example/*' } },
    ],
    ['changes.a', { a: () => 1 }],
    ['changes.a', { a: 1n }],
    ['changes.a', { a: NaN }],
    ['changes.a', { a: new Map([[1, 2]]) }],
    ['changes', cycle],
  ])('is not sent with %s of the environment', async (field, changes) => {
    const { admin, inTime, lines } = exchangedAdmin([])
    await expect(inTime(updateProjectConfig(admin, { changes }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field },
    })
    expect(lines).toEqual([])
  })

  it('at the level project has the settings of that level only', async () => {
    const { admin, inTime, lines } = exchangedAdmin([{ body: { success: true } }])
    const project = { requirePublishableClientKey: true }
    await inTime(updateProjectConfig(admin, { level: 'project', changes: { project } }))
    // @ts-expect-error -- a setting of the branch and of the environment
    const refused = updateProjectConfig(admin, { level: 'project', changes: { 'auth.allowSignUp': true } })
    await expect(inTime(refused)).rejects.toMatchObject({
      message: expect.stringContaining('branch and of environment'),
    })
    expect(lines).toHaveLength(1)
  })

  it('is not sent for a branch without a source, and for what is no object', async () => {
    const { admin, inTime, lines } = exchangedAdmin([])
    await expect(inTime(replaceProjectConfig(admin, { level: 'branch', config: {} } as never))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'source' },
    })
    const noChanges = { code: 'INVALID_INPUT', details: { field: 'changes' } }
    for (const changes of [[], 'auth.allowSignUp', null, undefined])
      await expect(inTime(updateProjectConfig(admin, { changes } as never))).rejects.toMatchObject(noChanges)
    expect(lines).toEqual([])
  })

  // Promise: project-config
  it('that is refused does not show its secrets', async () => {
    const { admin, inTime } = exchangedAdmin([
      { status: 400, text: 'The value "very secret" of clientSecret is not valid.' },
    ])
    const changes = { 'auth.oauth.providers.github.clientSecret': 'very secret' }
    const error = await inTime(updateProjectConfig(admin, { changes }).catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
    expect(JSON.stringify(error) + String(error)).not.toContain('very secret')
  })
})

it('a question about a sign-up names every field, and shows what the platform says', async () => {
  const answer = wire['test of the rules']
  const { admin, inTime, bodies } = exchangedAdmin([{ body: answer }])
  const { context, evaluations } = answer
  const decided = { shouldAllow: false, decision: 'reject', decisionRuleId: 'friends' }
  const outcome = { ...decided, restrictedBecauseOfRuleId: null }
  const asked = await inTime(testSignUpRules(admin, { email: 'eve@example.org', countryCode: 'AQ' }))
  expect(asked).toEqual({ context, evaluations, outcome })
  expect(bodies).toEqual([wire.question])
})

describe.each(newerWires)('the configuration of a project on %s', wire => {
  const configured = () => {
    const owners = [{ email: 'owner@example.com', password: 'correct horse' }]
    const users = [{ ...ada, verified: true }, grace]
    return adminWorld({ wire, seed: { users, owners, project: { displayName: 'Shop' } } })
  }

  // Promise: sign-up-rules
  it('decides who may sign up, as the question about a sign-up says before', async () => {
    const { admin, inTime, newApp } = await configured()
    const rule = { ...spam, condition: 'email.endsWith("@example.org")' }
    await inTime(updateProjectConfig(admin, { changes: { 'auth.signUpRules.spam': rule } }))
    const email = 'eve@example.org'
    const outcome = { shouldAllow: false, decision: 'reject', decisionRuleId: 'spam' }
    expect((await inTime(testSignUpRules(admin, { email }))).outcome).toMatchObject(outcome)
    const account = { email, password: 'correct horse', verificationCallbackUrl: 'http://localhost:3000/verify' }
    expect(await inTime(newApp().signUpWithPassword(account))).toMatchObject({ error: { code: 'SIGN_UP_REJECTED' } })
    expect(await inTime(signUpRulesStats$(admin).get())).toMatchObject({ total_triggers: 1 })
  })

  // Promise: sign-up-rules
  it('says whom a demand for verified addresses restricts', async () => {
    const { admin, inTime, newApp, tokensOf } = await configured()
    const onboarding = { requireEmailVerification: true }
    expect(await inTime(previewAffectedUsers(admin, { onboarding, limit: 5 }))).toMatchObject({
      affectedUsers: [{ primaryEmail: grace.email, restrictedReason: { type: 'email_not_verified' } }],
      totalAffectedCount: 1,
    })
    await inTime(updateProjectConfig(admin, { changes: { onboarding } }))
    const app = newApp({ tokens: await tokensOf(grace) })
    expect(await inTime(app.user$.get())).toMatchObject({ restriction: { type: 'email_not_verified' } })
    expect((await inTime(previewAffectedUsers(admin, { onboarding }))).totalAffectedCount).toBe(0)
  })

  // Promise: project-config
  it('is written for the branch by servers, and read there and by admins', async () => {
    const one = await configured()
    const server = createServerApp(one.platform.serverOptions)
    const shown = await watch(one, branchConfigOverride$(server), override => override)
    await one.inTime(updateBranchConfig(server, { changes: { 'auth.otp.allowSignIn': true } }))
    const config = { auth: { passkey: { allowSignIn: true } } }
    await one.inTime(replaceBranchConfig(server, { config, source: { type: 'pushed-from-unknown' } }))
    expect(shown.slice(-2)).toEqual([{ 'auth.otp.allowSignIn': true }, config])
    expect(await one.inTime(projectConfigSource$(one.admin).get())).toEqual({ type: 'pushed-from-unknown' })
    await one.inTime(unlinkProjectConfigSource(one.admin))
    expect(await one.inTime(projectConfigSource$(one.admin).get())).toEqual({ type: 'unlinked' })
  })

  // Promise: project-config
  it('changes by a kit of an owner show in the list of the owner’s projects', async () => {
    const one = await configured()
    const owner = one.newApp(one.platform.ownerOptions)
    await one.inTime(owner.signInWithPassword({ email: 'owner@example.com', password: 'correct horse' }))
    const shown = await watch(one, ownedProjects$(owner), all => all.map(each => each.config.passkeyEnabled))
    const [project] = await one.inTime(ownedProjects$(owner).get())
    const admin = createAdminApp({ owner, projectId: project!.id })
    await one.inTime(updateProjectConfig(admin, { changes: { 'auth.passkey.allowSignIn': true } }))
    expect(shown).toEqual([[false], [true]])
  })
})

it('an override is read as it was written', async () => {
  const { admin, inTime } = exchangedAdmin([text({ 'auth.otp.allowSignIn': true, 'a.b': null })])
  expect(await inTime(projectConfigOverride$(admin, { level: 'environment' }).get())).toEqual({
    'auth.otp.allowSignIn': true,
    'a.b': null,
  })
})

it('what a level refuses does not compile', () => {
  const branch: BranchOverride[] = [
    { auth: { oauth: { providers: { github: { type: 'github', allowSignIn: true } } } }, domains: {}, 'apps.x': 1 },
    { emails: { selectedThemeId: 'one' }, 'emails.selectedThemeId': 'one', brand: { new: true } },
    // @ts-expect-error -- domains are of the environment
    { domains: { allowLocalhost: true } },
    // @ts-expect-error -- domains are of the environment
    { 'domains.trustedDomains.main': null },
    // @ts-expect-error -- secrets of providers are of the environment
    { auth: { oauth: { providers: { github: { type: 'github', clientSecret: 'one' } } } } },
    // @ts-expect-error -- secrets of providers are of the environment
    { 'auth.oauth.providers.github.isShared': true },
    // @ts-expect-error -- a provider has a type
    { auth: { oauth: { providers: { github: { allowSignIn: true } } } } },
    // @ts-expect-error -- the mail server is of the environment
    { emails: { server: { isShared: true } } },
    // @ts-expect-error -- of the level project
    { project: { requirePublishableClientKey: true } },
  ]
  const id: string = 'spam'
  const environment: EnvironmentOverride[] = [
    { domains: { allowLocalhost: true }, [`auth.signUpRules.${id}`]: null },
    // @ts-expect-error -- of the level project
    { project: { requirePublishableClientKey: true } },
    // @ts-expect-error -- of the level project
    { 'project.requirePublishableClientKey': true },
  ]
  expect([branch.length, environment.length]).toEqual([9, 3])
})
