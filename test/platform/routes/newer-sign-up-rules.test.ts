import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/newer-config.json'
import { newer, restricted, unverified } from '../newer-world'
import { grace, led, oauthWorld } from '../oauth-world'
import { ada, expectRefusal } from '../wire-world'
import type { Answer, World } from '../wire-world'

const asAdmin = ({ ask }: Pick<World, 'ask'>) => ({
  change: (changes: object) =>
    ask('PATCH /internal/config/override/environment', {
      access: 'admin',
      body: { config_override_string: JSON.stringify(changes) },
    }),
  tested: async (question: object = {}) =>
    (await ask('POST /internal/sign-up-rules-test', { access: 'admin', body: { ...wire.question, ...question } }))
      .body as (typeof wire)['test of the rules'],
  stats: async () => (await ask('GET /internal/sign-up-rules-stats', { access: 'admin' })).body as object,
})

const world = (options: PlatformOptions = {}) => {
  const made = newer(options)
  return { ...made, ...asAdmin(made) }
}

const friends = {
  displayName: 'Friends',
  condition: 'emailDomain == "example.org"',
  action: { type: 'reject', message: 'By invitation.' },
}

let number = 0
const signUp = (
  { ask }: World,
  email = `user-${++number}@example.org`,
  headers: Record<string, string> = {},
): Promise<Answer> => ask('POST /auth/password/sign-up', { body: { email, password: 'correct horse' }, headers })

describe('sign-up rules', () => {
  it('decide by their priority; the message is that of the rule', async () => {
    const one = world()
    await one.change({ 'auth.signUpRules.friends': friends })
    expect(expectRefusal(await signUp(one), 'SIGN_UP_REJECTED')).toEqual({ message: 'By invitation.' })
    await one.change({ 'auth.signUpRules.all': { priority: 1, action: { type: 'allow' } } })
    expect((await signUp(one)).status).toBe(200)
    await one.change({ 'auth.signUpRules.friends.priority': 2 })
    expectRefusal(await signUp(one), 'SIGN_UP_REJECTED')
    await one.change({ 'auth.signUpRules.friends.enabled': false })
    expect((await signUp(one)).status).toBe(200)
  })

  it('allow by default where data of an older version say nothing of it', async () => {
    const one = world()
    await one.tested()
    const { shared, projects } = structuredClone(one.platform.snapshot()) as {
      readonly shared: { readonly projects: readonly { readonly config: { signUpRulesDefaultAction?: string } }[] }
      readonly projects: object
    }
    for (const { config } of shared.projects) delete config.signUpRulesDefaultAction
    one.platform.restore({ shared, projects })
    expect((await one.tested()).outcome).toMatchObject({ decision: 'default-allow' })
    const rendered = await one.ask('GET /internal/config', { access: 'admin' })
    expect(JSON.parse(rendered.body['config_string'] as string)).toMatchObject({
      auth: { signUpRulesDefaultAction: 'allow' },
    })
  })

  it('go to the next rule after one that only logs, and to the default after all', async () => {
    const one = world()
    await one.change({
      'auth.signUpRules.watch': { action: { type: 'log' } },
      'auth.signUpRules.ada': { condition: 'email == "ada@example.org"', action: { type: 'allow' } },
      'auth.signUpRulesDefaultAction': 'reject',
    })
    expectRefusal(await signUp(one), 'SIGN_UP_REJECTED')
    expect((await signUp(one, 'Ada@Example.org')).status).toBe(200)
    expect((await one.tested()).outcome).toEqual({
      should_allow: false,
      decision: 'default-reject',
      decision_rule_id: null,
      restricted_because_of_rule_id: null,
    })
  })

  it('restrict the user who signs up', async () => {
    const one = world()
    await one.change({ 'auth.signUpRules.far': { condition: 'countryCode == "AQ"', action: { type: 'restrict' } } })
    const far = { 'x-forwarded-for': '203.0.113.7', 'x-vercel-ip-country': 'AQ' }
    const { body } = await signUp(one, undefined, far)
    const answer = await one.ask('GET /users/me', { accessToken: body.access_token as string })
    expectRefusal(answer, 'RESTRICTED_USER_NOT_ALLOWED')
    const near = await signUp(one)
    expect((await one.ask('GET /users/me', { accessToken: near.body.access_token as string })).status).toBe(200)
    expect((await one.tested()).outcome).toMatchObject({ decision: 'restrict', restricted_because_of_rule_id: 'far' })
  })

  it('know the method and the provider', async () => {
    const one = oauthWorld({}, { wire: '2026' })
    const { change } = asAdmin(one)
    const condition = 'authMethod == "oauth" && oauthProvider == "github"'
    await change({ 'auth.signUpRules.github': { condition, action: { type: 'reject' } } })
    expect(led(await one.signIn(grace), 'errorCode')).toBe('SIGN_UP_REJECTED')
    expect((await signUp(one)).status).toBe(200)
  })

  it('are counted, those that reject too', async () => {
    const one = world()
    const triggers = (...counts: readonly number[]) => ({
      rule_triggers: ['watch', 'friends'].map((rule_id, index) => ({ rule_id, total_count: counts[index] })),
      total_triggered: counts.reduce((sum, each) => sum + each),
    })
    await one.change({
      'auth.signUpRules.friends': friends,
      'auth.signUpRules.watch': { priority: 5, action: { type: 'log' } },
    })
    expect(await one.stats()).toEqual(triggers(0, 0))
    await signUp(one)
    await signUp(one, 'new@example.com')
    expect(await one.stats()).toEqual(triggers(2, 1))
    // A question is no sign-up.
    await one.tested()
    expect(await one.stats()).toEqual(triggers(2, 1))
  })

  it('are tested without a sign-up', async () => {
    const one = world()
    await one.change({ 'auth.signUpRules.friends': friends })
    expect(await one.tested()).toEqual(wire['test of the rules'])
    expect((await one.tested({ email: null })).outcome).toMatchObject({ decision: 'default-allow', should_allow: true })
    await one.change({ 'auth.signUpRules.friends': { ...friends, condition: 'riskScores.bot > 50' } })
    expect((await one.tested({ risk_scores: { bot: 51, free_trial_abuse: 0 } })).outcome.should_allow).toBe(false)
    expectRefusal(
      await one.ask('POST /internal/sign-up-rules-test', { access: 'admin', body: { email: 'x' } }),
      'SCHEMA_ERROR',
    )
  })

  it('of a seed stay, whatever else the configuration changes', async () => {
    const rule = (emailDomain: string, id?: string) => ({ ...(id && { id }), emailDomain, action: 'reject' as const })
    const signUpRules = [rule('one.example'), rule('two.example', 'rule-1'), rule('three.example', 'rule-1-')]
    const one = world({ seed: { project: { config: { signUpRules } } } })
    await one.change({ 'teams.allowClientTeamCreation': true })
    for (const { emailDomain } of signUpRules) expectRefusal(await signUp(one, `a@${emailDomain}`), 'SIGN_UP_REJECTED')
  })

  it('of a seed that cannot be read match nothing, and say why', async () => {
    const config = { signUpRules: [{ condition: 'email.size() > 5', action: 'reject' as const }] }
    const one = world({ seed: { project: { config } } })
    expect((await signUp(one)).status).toBe(200)
    expect((await one.tested()).evaluations).toMatchObject([
      { rule_id: 'rule-1', status: 'error', error: expect.stringContaining('size') as string },
    ])
  })
})

describe('a provider', () => {
  const line = 'auth.oauth.providers.github'
  it('that does not sign in is not listed, and still connects accounts; and the other way round', async () => {
    const one = oauthWorld({}, { wire: '2026' })
    const { change } = asAdmin(one)
    const providers = async () =>
      (await one.ask('GET /projects/current')).body.config.enabled_oauth_providers as unknown
    const authorize = async (changes = {}) => one.visit(await one.authorizeUrl(changes))
    expect(await providers()).toContainEqual({ id: 'github' })
    await change({ [`${line}.allowSignIn`]: false })
    expect(await providers()).not.toContainEqual({ id: 'github' })
    expectRefusal(await authorize(), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
    const token = (await one.platform.tokensFor(ada.email)).read()?.accessToken ?? ''
    expect(led(await one.signIn(grace, { type: 'link', token }), 'code')).not.toBeNull()
    await change({ [`${line}.allowSignIn`]: true, [`${line}.allowConnectedAccounts`]: false })
    expectRefusal(await authorize({ type: 'link', token }), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
    expect(led(await one.signIn(grace), 'code')).not.toBeNull()
  })

  it('is added and taken away', async () => {
    const one = newer()
    const { change } = asAdmin(one)
    const providers = async () =>
      (await one.ask('GET /projects/current')).body.config.enabled_oauth_providers as unknown
    await change({ [line]: { type: 'github', isShared: true } })
    expect(await providers()).toEqual([{ id: 'github' }])
    await change({ [line]: null })
    expect(await providers()).toEqual([])
  })
})

describe('the users whom a demand for verified addresses would restrict', () => {
  const ask = ({ ask: asked }: World, requires: boolean, query = '') =>
    asked(`POST /internal/onboarding/preview-affected-users${query}`, {
      access: 'admin',
      body: { onboarding: { require_email_verification: requires } },
    })

  it('are listed, and restricted once it is demanded', async () => {
    const one = world({ seed: { users: [ada, unverified, restricted] } })
    const { body } = await ask(one, true)
    expect({ ...body, affected_users: [{ ...body.affected_users[0], id: 'string' }] }).toEqual(wire['affected users'])
    expect((await ask(one, false)).body).toEqual({ affected_users: [], total_affected_count: 0 })
    await one.change({ 'onboarding.requireEmailVerification': true })
    const { access_token: accessToken } = (await one.ask('POST /auth/password/sign-in', { body: unverified })).body as {
      access_token: string
    }
    expectRefusal(await one.ask('GET /users/me', { accessToken }), 'RESTRICTED_USER_NOT_ALLOWED')
    expect((await ask(one, true)).body.total_affected_count).toBe(0)
  })

  it('are shown up to a limit, and all counted', async () => {
    const one = world({ seed: { users: [unverified, { email: 'b@example.com' }] } })
    const { body } = await ask(one, true, '?limit=1')
    expect([body.affected_users.length, body.total_affected_count]).toEqual([1, 2])
    expectRefusal(await ask(one, true, '?limit=0'), 'SCHEMA_ERROR')
  })
})
