import {
  projectConfig$,
  projectConfigOverride$,
  projectConfigSource$,
  replaceProjectConfig,
  testSignUpRules,
  updateProjectConfig,
} from 'rxauth/admin'
import type { ConfigSource, RenderedConfig } from 'rxauth/admin'
import wire from '../../wire/newer-config.json'
import { exchangedAdmin } from './exchanged-admin'

const text = (config: unknown) => ({ body: { config_string: JSON.stringify(config) } })

describe('the rendered configuration', () => {
  it('is typed for owners, and raw for the rest', async () => {
    const spam = { enabled: true, priority: 1, condition: 'true', action: { type: 'reject', message: 'No.' } }
    const { admin, inTime } = exchangedAdmin([
      text({
        auth: { allowSignUp: true, otp: { allowSignIn: true }, signUpRules: { spam }, other: 5 },
        payments: { products: { pro: { displayName: 'Pro' } } },
      }),
    ])
    const config: RenderedConfig = await inTime(projectConfig$(admin).get())
    expect([config.auth.allowSignUp, config.auth.otp.allowSignIn, config.auth.password.allowSignIn]).toEqual([
      true,
      true,
      undefined,
    ])
    expect(config.auth.signUpRules['spam']?.action).toEqual(spam.action)
    expect([config.auth['other'], config['payments']]).toEqual([5, { products: { pro: { displayName: 'Pro' } } }])
    expect([config.domains.trustedDomains, config.rbac.defaultPermissions.signUp]).toEqual([{}, {}])
  })

  it('lacks a field that a release has in another form, and nothing else', async () => {
    const { admin, inTime } = exchangedAdmin([
      text({
        auth: { allowSignUp: 'sometimes', signUpRulesDefaultAction: { type: 'reject' }, otp: { allowSignIn: true } },
      }),
    ])
    const { auth } = await inTime(projectConfig$(admin).get())
    expect([auth.allowSignUp, auth.signUpRulesDefaultAction, auth.otp.allowSignIn]).toEqual([
      undefined,
      undefined,
      true,
    ])
  })

  it.each([{ config_string: '{' }, { config_string: '[]' }, { config_string: '5' }, {}])(
    'that is %j is INVALID_RESPONSE',
    async body => {
      const { admin, inTime } = exchangedAdmin([{ body }])
      await expect(inTime(projectConfig$(admin).get())).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    },
  )
})

describe('the source of the branch', () => {
  it('has the names of this kit', async () => {
    const { admin, inTime } = exchangedAdmin([{ body: { source: wire.source } }])
    const source: ConfigSource = await inTime(projectConfigSource$(admin).get())
    expect(source).toEqual({
      type: 'pushed-from-github',
      owner: 'example',
      repo: 'shop',
      branch: 'main',
      commitHash: '4a1b',
      configFilePath: 'rxauth.project.json',
    })
  })
})

describe('a request', () => {
  it('has the configuration as text, and the source in the names of the wire', async () => {
    const { admin, inTime, bodies, lines } = exchangedAdmin([{ body: { success: true } }, { body: { success: true } }])
    await inTime(updateProjectConfig(admin, { changes: { 'auth.otp.allowSignIn': null } }))
    const source = { type: 'pushed-from-github', owner: 'example', repo: 'shop', branch: 'main' } as const
    await inTime(
      replaceProjectConfig(admin, {
        level: 'branch',
        config: { auth: {} },
        source: { ...source, commitHash: '4a1b', configFilePath: 'rxauth.project.json' },
      }),
    )
    expect(lines).toEqual(['PATCH /internal/config/override/environment', 'PUT /internal/config/override/branch'])
    expect(bodies).toEqual([
      { config_override_string: '{"auth.otp.allowSignIn":null}' },
      { config_string: '{"auth":{}}', source: wire.source },
    ])
  })

  it('is not sent for a branch without a source, and for what is no object', async () => {
    const { admin, inTime, lines } = exchangedAdmin([])
    await expect(inTime(replaceProjectConfig(admin, { level: 'branch', config: {} } as never))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'source' },
    })
    for (const changes of [[], 'auth.allowSignUp', null, undefined])
      await expect(inTime(updateProjectConfig(admin, { changes } as never))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'changes' },
      })
    expect(lines).toEqual([])
  })

  it('that is refused does not show its secrets', async () => {
    const { admin, inTime } = exchangedAdmin([
      { status: 400, text: 'The value "very secret" of clientSecret is not valid.' },
    ])
    const changes = { 'auth.oauth.providers.github': { clientSecret: 'very secret' } }
    const error = await inTime(updateProjectConfig(admin, { changes }).catch((thrown: unknown) => thrown))
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
    expect(JSON.stringify(error) + String(error)).not.toContain('very secret')
  })
})

it('a question about a sign-up names every field, and shows what the platform says', async () => {
  const answer = wire['test of the rules']
  const { admin, inTime, bodies } = exchangedAdmin([{ body: answer }])
  expect(await inTime(testSignUpRules(admin, { email: 'eve@example.org', countryCode: 'AQ' }))).toEqual({
    context: answer.context,
    evaluations: answer.evaluations,
    outcome: {
      shouldAllow: false,
      decision: 'reject',
      decisionRuleId: 'friends',
      restrictedBecauseOfRuleId: null,
    },
  })
  expect(bodies).toEqual([wire.question])
})

it('an override is read as it was written', async () => {
  const { admin, inTime } = exchangedAdmin([text({ 'auth.otp.allowSignIn': true, 'a.b': null })])
  expect(await inTime(projectConfigOverride$(admin, { level: 'environment' }).get())).toEqual({
    'auth.otp.allowSignIn': true,
    'a.b': null,
  })
})
