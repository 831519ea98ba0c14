import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/newer-config.json'
import { newer, newerWires, unverified } from '../world-2026'
import { grace, led, oauthWorld } from '../oauth-world'
import { ada, expectRefusal, type Answer, type World } from '../wire-world'

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

const open = (options: PlatformOptions = {}) => {
  const made = newer(options)
  return { ...made, ...asAdmin(made) }
}

const friends = {
  enabled: true,
  displayName: 'Friends',
  condition: 'emailDomain == "example.org"',
  action: { type: 'reject', message: 'By invitation.' },
}

const world = open

let number = 0
const signUp = (
  { ask }: World,
  email = `user-${++number}@example.org`,
  headers: Record<string, string> = {},
): Promise<Answer> => ask('POST /auth/password/sign-up', { body: { email, password: 'correct horse' }, headers })

const every = { enabled: true, condition: 'true' }

describe.each(newerWires)('sign-up rules on %s', wire => {
  const world = () => open({ wire })

  it('decide by their priority; the message is never that of the rule', async () => {
    const one = world()
    await one.change({ 'auth.signUpRules.friends': friends })
    const message = "Your sign up was rejected by an administrator's sign-up rule."
    const refused = await signUp(one)
    expect([expectRefusal(refused, 'SIGN_UP_REJECTED'), refused.body.error]).toEqual([{ message }, message])
    await one.change({ 'auth.signUpRules.all': { ...every, priority: 1, action: { type: 'allow' } } })
    expect((await signUp(one)).status).toBe(200)
    await one.change({ 'auth.signUpRules.friends.priority': 2 })
    expectRefusal(await signUp(one), 'SIGN_UP_REJECTED')
    await one.change({ 'auth.signUpRules.friends.enabled': false })
    expect((await signUp(one)).status).toBe(200)
  })

  it.each([
    [{ enabled: true }, 'missing_condition'],
    [{ enabled: true, condition: '' }, 'missing_condition'],
    [{ condition: 'true' }, 'disabled'],
  ])('are passed over where they are %j, even if they reject: %s', async (rule, status) => {
    const one = world()
    await one.change({ 'auth.signUpRules.all': { ...rule, action: { type: 'reject' } } })
    expect((await signUp(one)).status).toBe(200)
    expect((await one.tested()).evaluations).toMatchObject([{ rule_id: 'all', status }])
  })

  it('that restrict do not end the evaluation, and the first of them restricts', async () => {
    const one = world()
    const rule = (priority: number, type: string) => ({ ...every, priority, action: { type } })
    await one.change({ 'auth.signUpRules': { far: rule(10, 'restrict'), later: rule(9, 'restrict') } })
    const outcome = { should_allow: true, decision: 'default-allow', decision_rule_id: null }
    expect((await one.tested()).outcome).toEqual({ ...outcome, restricted_because_of_rule_id: 'far' })
    const { user_id: id } = (await signUp(one)).body as { readonly user_id: string }
    expect((await one.ask(`GET /users/${id}`, { access: 'server' })).body).toMatchObject({
      restricted_by_admin: true,
      restricted_by_admin_reason: null,
      restricted_by_admin_private_details: 'Restricted by sign-up rule: far ()',
    })
    await one.change({ 'auth.signUpRules.never': rule(5, 'reject') })
    expectRefusal(await signUp(one), 'SIGN_UP_REJECTED')
    const rejected = { should_allow: false, decision: 'reject', restricted_because_of_rule_id: 'far' }
    expect((await one.tested()).outcome).toMatchObject(rejected)
  })

  it.each([
    ['email.endsWith("@example.org")', 'matched'],
    ['email.matches("a.*")', 'matched'],
    ['email.contains("+") || emailDomain.startsWith("ex") && riskScores.bot > -1', 'matched'],
    ['authMethod in ["otp", "password"]', 'matched'],
    ['oauthProvider == ""', 'matched'],
    ['emailDomain == "Example.org"', 'not_matched'],
    ["email.endsWith('@example.org')", 'error'],
    ['"a".contains("a")', 'error'],
    ['email.contains(emailDomain)', 'error'],
    ['email ==', 'error'],
    ['unknown == "x"', 'error'],
    ['email', 'error'],
    ['email.matches("(")', 'error'],
    ['email.matches("(a+)+$")', 'error'],
  ])('with the condition %s have the status %s', async (condition, status) => {
    const one = world()
    const written = await one.change({ 'auth.signUpRules.a': { enabled: true, condition, action: { type: 'reject' } } })
    expect(written.status).toBe(200)
    const [evaluation] = (await one.tested({ email: 'Ada@Example.org' })).evaluations
    expect(evaluation).toEqual({
      ...{ rule_id: 'a', display_name: '', enabled: true, condition, status, action: { type: 'reject' } },
      ...(status === 'error' && { error: `Failed to evaluate CEL expression: ${condition}` }),
    })
    expect((await signUp(one, 'ada@example.org')).status).toBe(status === 'matched' ? 403 : 200)
  })

  it('are tested in a context without null, up to the rule that decides', async () => {
    const one = world()
    await one.change({
      'auth.signUpRules.a': { ...every, priority: 2, action: { type: 'allow' } },
      'auth.signUpRules.b': { ...every, priority: 1, action: { type: 'reject' } },
    })
    const question = { email: null, auth_method: 'otp', oauth_provider: null, country_code: null }
    const body = (await one.ask('POST /internal/sign-up-rules-test', { access: 'admin', body: question })).body
    expect(body.context).toEqual({
      ...{ email: '', email_domain: '', country_code: '', auth_method: 'otp', oauth_provider: '' },
      ...{ turnstile_result: 'invalid', risk_scores: { bot: 0, free_trial_abuse: 0 } },
    })
    expect([body.evaluations.length, body.outcome.decision_rule_id]).toEqual([1, 'a'])
  })

  it('are counted by hour, those that reject too, for two days and for all time', async () => {
    const one = world()
    const stats = async () => (await one.stats()) as { readonly rule_triggers: readonly { hourly_counts: unknown[] }[] }
    const none = { allow: 0, reject: 0, restrict: 0, log: 0 }
    const empty = { rule_triggers: [], analytics_hours: 48, total_triggers: 0, triggers_by_action: none }
    await one.change({
      'auth.signUpRules.friends': friends,
      'auth.signUpRules.watch': { ...every, priority: 5, action: { type: 'log' } },
    })
    expect(await stats()).toEqual(empty)
    await signUp(one)
    await one.clock.advance(3_600_000)
    await signUp(one, 'new@example.com')
    const { rule_triggers: triggers, ...sums } = await stats()
    expect(sums).toEqual({
      ...empty,
      rule_triggers: undefined,
      total_triggers: 3,
      triggers_by_action: { ...none, reject: 1, log: 2 },
    })
    expect(triggers).toMatchObject([
      { rule_id: 'watch', total_count: 2, all_time_count: 2 },
      { rule_id: 'friends', total_count: 1, all_time_count: 1 },
    ])
    const hour = new Date(one.clock.now() - (one.clock.now() % 3_600_000)).toISOString()
    expect([triggers[0]?.hourly_counts.length, triggers[0]?.hourly_counts.at(-1)]).toEqual([48, { hour, count: 1 }])
    // A question is no sign-up, and old ones count for all time only.
    await one.tested()
    await one.clock.advance(49 * 3_600_000)
    expect(await stats()).toMatchObject({
      ...{ total_triggers: 0, rule_triggers: [{ total_count: 0, all_time_count: 2 }, { all_time_count: 1 }] },
    })
  })
})

describe('the rules of a project', () => {
  it('are tested without a sign-up', async () => {
    const one = world()
    await one.change({ 'auth.signUpRules.friends': friends })
    expect(await one.tested()).toEqual(wire['test of the rules'])
    expect((await one.tested({ email: null })).outcome).toMatchObject({ decision: 'default-allow', should_allow: true })
    await one.change({ 'auth.signUpRules.friends': { ...friends, condition: 'riskScores.bot > 50' } })
    expect((await one.tested({ risk_scores: { bot: 51, free_trial_abuse: 0 } })).outcome.should_allow).toBe(false)
    const incomplete = { access: 'admin', body: { email: 'x' } } as const
    expectRefusal(await one.ask('POST /internal/sign-up-rules-test', incomplete), 'SCHEMA_ERROR')
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
      { rule_id: 'rule-1', status: 'error', error: 'Failed to evaluate CEL expression: email.size() > 5' },
    ])
  })
})

describe('a provider', () => {
  const line = 'auth.oauth.providers.github'
  const providersOf = async ({ ask }: Pick<World, 'ask'>) =>
    (await ask('GET /projects/current')).body.config.enabled_oauth_providers as unknown

  it('that does not sign in is not listed, and still connects accounts; and the other way round', async () => {
    const one = oauthWorld({}, { wire: '2026' })
    const { change } = asAdmin(one)
    expect(await providersOf(one)).toContainEqual({ id: 'github' })
    await change({ [`${line}.allowSignIn`]: false })
    expect(await providersOf(one)).not.toContainEqual({ id: 'github' })
    expectRefusal(await one.begin(), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
    const token = (await one.platform.tokensFor(ada.email)).read()?.accessToken ?? ''
    expect(led(await one.signIn(grace, { type: 'link', token }), 'code')).not.toBeNull()
    await change({ [`${line}.allowSignIn`]: true, [`${line}.allowConnectedAccounts`]: false })
    expectRefusal(await one.begin({ type: 'link', token }), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
    expect(led(await one.signIn(grace), 'code')).not.toBeNull()
  })
})

it('the users whom a demand for verified addresses would restrict are shown up to a limit, and all counted', async () => {
  const { ask } = world({ seed: { users: [unverified, { email: 'b@example.com' }] } })
  const body = { onboarding: { require_email_verification: true } }
  const preview = (limit: number) =>
    ask(`POST /internal/onboarding/preview-affected-users?limit=${limit}`, { access: 'admin', body })
  const { affected_users, total_affected_count } = (await preview(1)).body
  expect([affected_users.length, total_affected_count]).toEqual([1, 2])
  expectRefusal(await preview(0), 'SCHEMA_ERROR')
})
