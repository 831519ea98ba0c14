import type { ProjectConfig } from 'rxauth/platform'
import { app, grace, led, newer, oauthWorld, sub, untrusted } from '../oauth-world'
import { ada, expectAnswer, expectPlain, expectRefusal, unknownCode, type Answer } from '../wire-world'

const otherPage = `${app}/error?tab=1`

const trustedApp = { domains: [{ domain: app, handlerPath: '/handler' }], allowLocalhost: false }

describe('coming back from a provider', () => {
  it("redirects to the app with a code and the app's state", async () => {
    const { signIn } = oauthWorld()
    const answer = await signIn(grace, { redirect_uri: `${app}/callback?tab=1#top` })
    expect(answer).toMatchObject({ status: 303, text: '{}' })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const location = new URL(answer.headers.get('location')!)
    expect(location.href.startsWith(`${app}/callback?tab=1&code=`)).toBe(true)
    expect(location.hash).toBe('')
    expect(location.searchParams.get('code')).toMatch(/^[0-9a-f]{64}$/)
    expect(location.searchParams.get('state')).toBe('outer state')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^stack-oauth-inner-[\w-]{43}=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT$/),
    ])
  })

  it('creates another user after that of the account was deleted', async () => {
    const { signIn, exchange, ask } = oauthWorld()
    const first = (await exchange(led(await signIn(grace), 'code'))).body
    const id = String(sub(first.access_token))
    expect((await ask(`DELETE /users/${id}`, { access: 'server' })).status).toBe(200)
    const again = (await exchange(led(await signIn(grace), 'code'))).body
    expect(again.is_new_user).toBe(true)
    expect(sub(again.access_token)).not.toBe(id)
  })

  const bob = { email: ada.email, accountId: '1' }
  it.each<[strategy: ProjectConfig['oauthAccountMergeStrategy'], verified: boolean, theirs: boolean, outcome: string]>([
    ['link_method', true, true, 'linked'],
    ['link_method', false, true, 'refused'],
    ['link_method', true, false, 'refused'],
    ['raise_error', true, true, 'refused'],
    ['allow_duplicates', true, true, 'new'],
  ])('with %s, an address verified here: %s, there: %s, is %s', async (strategy, verified, theirs, outcome) => {
    const world = oauthWorld({ oauthAccountMergeStrategy: strategy }, { seed: { users: [{ ...ada, verified }] } })
    const back = await world.signIn({ ...bob, verified: theirs })
    if (outcome === 'refused') {
      const details = expectRefusal(back, 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE')
      expect(details).toEqual({ type: 'email', contact_channel_value: ada.email })
      return
    }
    const { body } = await world.exchange(led(back, 'code'))
    expect(body.is_new_user).toBe(outcome === 'new')
    expect(sub(body.access_token) === ada.id).toBe(outcome === 'linked')
    const user = (await world.ask('GET /users/me', { access: 'server', accessToken: body.access_token })).body
    expect(user.primary_email_auth_enabled).toBe(outcome === 'linked')
  })

  it.each([
    [599_999, 303],
    [600_000, 408],
  ])('after %i ms answers %i', async (millis, status) => {
    const { visit, begin, platform, clock } = oauthWorld()
    const start = await begin()
    await clock.advance(millis)
    platform.oauth.nextUser(grace)
    const chosen = await visit(start.headers.get('location')!)
    const back = await visit(chosen.headers.get('location')!)
    expect(back.status).toBe(status)
    if (status === 408) expectRefusal(back, 'OUTER_OAUTH_TIMEOUT')
  })

  describe('is refused in plain text and never redirected', () => {
    async function toProvider(changes = {}) {
      const world = oauthWorld()
      const back = await world.chosen(grace, { error_redirect_url: `${app}/error`, ...changes })
      const cookie = `stack-oauth-inner-${new URL(back).searchParams.get('state')}=true`
      return { ...world, back, cookie }
    }

    it('without its cookie', async () => {
      const { platform, back, visit } = await toProvider()
      const bare = await platform.fetch(new Request(back))
      expect([bare.status, bare.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
      expect(bare.headers.getSetCookie()).toEqual([expect.stringMatching(/=; Path=\/; Expires=Thu, 01 Jan 1970/)])
      expect((await visit(back)).status).toBe(303)
      expectPlain(await visit(back), 400)
    })

    it('a second time, even if the first was refused', async () => {
      const { platform, visit, back, cookie, ask } = await toProvider()
      await platform.seed({ project: { config: { signUpEnabled: false } } })
      const headers = { cookie }
      expect((await visit(back, { headers })).status).toBe(307)
      await platform.seed({ project: { config: { signUpEnabled: true } } })
      expectPlain(await visit(back, { headers }), 400)
      expect((await ask('GET /users', { access: 'server' })).body.items).toHaveLength(1)
    })

    it.each<[what: string, part: string | RegExp, instead: string]>([
      ['with a state that is not known', /state=[^&]+/, 'state=x'],
      ['without parameters', /\?.*/, ''],
      ['at the path of another provider', '/github', '/google'],
      ['with a code that the provider does not know', /code=[^&]+/, `code=${unknownCode}`],
      ['with another error of the provider', /code=[^&]+/, 'error=server_error'],
      ['without a code', /code=[^&]+/, 'x=1'],
    ])('%s', async (_, part, instead) => {
      const { visit, back, cookie } = await toProvider()
      const headers = { cookie: `stack-oauth-inner-x=true; ${cookie}` }
      expectPlain(await visit(back.replace(part, instead), { headers }), 400)
    })

    it('for an app that is not trusted', async () => {
      const { visit, back, ask } = await toProvider({ redirect_uri: 'https://evil.example/' })
      expectPlain(await visit(back), 400)
      expect((await ask('GET /users', { access: 'server' })).body.items).toHaveLength(1)
    })
  })

  it.each([
    ['error_redirect_url', `${app}/error?a=1`, 307],
    ['error_redirect_uri', `${app}/error?a=1`, 307],
    ['error_redirect_url', 'https://evil.example/', 400],
  ])('redirects a refusal by %s to %s: %i', async (name, url, status) => {
    const answer = await oauthWorld().signIn('refuses', { [name]: url })
    expect(answer.status).toBe(status)
    if (status === 400) return void expectRefusal(answer, 'OAUTH_PROVIDER_ACCESS_DENIED')
    expect([answer.text, answer.headers.get('content-type')]).toEqual(['', null])
    // Unlike the redirect to the provider it is the platform's own answer.
    expect(answer.headers.get('x-stack-request-id')).toMatch(/^[0-9a-z]{16}$/)
    expect(answer.headers.has('x-stack-known-error')).toBe(false)
    const location = new URL(answer.headers.get('location')!)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      a: '1',
      errorCode: 'OAUTH_PROVIDER_ACCESS_DENIED',
      message: expect.stringMatching(/./),
      details: '{}',
    })
  })

  it('is refused by name at the path of a provider that is not enabled, with its cookie', async () => {
    const { visit, chosen } = oauthWorld()
    const back = async (changes = {}) => visit((await chosen(grace, changes)).replace('/github', '/spotify'))
    expectRefusal(await back(), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
    const redirected = await back({ error_redirect_url: `${app}/error` })
    expect([redirected.status, led(redirected, 'errorCode')]).toEqual([307, 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'])
  })

  it.each([
    [{ scope: 'openid' }, 'INVALID_SCOPE'],
    [{ response_type: 'token' }, 400],
    [{ code_challenge_method: 'S512' }, 400],
  ])('refuses %j from authorize', async (changes, refusal) => {
    const { signIn, ask } = oauthWorld()
    expectAnswer(await signIn(grace, changes), refusal)
    expect((await ask('GET /users', { access: 'server' })).body.items).toHaveLength(1)
  })

  it('is refused for a provider that has been switched off', async () => {
    const { visit, chosen, platform } = oauthWorld()
    const back = await chosen(grace)
    await platform.seed({ project: { config: { oauthProviders: [] } } })
    expectRefusal(await visit(back), 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')
  })
})

describe('a refusal after the provider on the newer wire', () => {
  const refused = {
    status: 307,
    error: 'server_error',
    error_description: expect.stringMatching(/./),
    errorCode: 'OAUTH_PROVIDER_ACCESS_DENIED',
    message: expect.stringMatching(/./),
    details: '{}',
  }

  it.each<[what: string, config: Partial<ProjectConfig>, redirect_uri: string, at: object]>([
    ['the redirect URI with its query', {}, `${app}/callback?flow=7`, { at: `${app}/callback`, flow: '7' }],
    ['the error page if the redirect URI is not trusted', trustedApp, untrusted, { at: `${app}/error`, tab: '1' }],
  ])('redirects to %s, without the state', async (_, config, redirect_uri, at) => {
    const answer = await newer(config).signIn('refuses', { redirect_uri, error_redirect_url: otherPage })
    expect(refusedTo(answer)).toEqual({ ...refused, ...at })
  })

  it.each([
    ['if neither is trusted', 'refuses', { error_redirect_url: untrusted }, 'OAUTH_PROVIDER_ACCESS_DENIED'],
    ['of an untrusted redirect URI, as JSON', grace, {}, 'REDIRECT_URL_NOT_WHITELISTED'],
  ] as const)('shows the error %s', async (_, user, changes, code) => {
    expectRefusal(await newer(trustedApp).signIn(user, { redirect_uri: untrusted, ...changes }), code)
  })

  it('redirects to the error page only, without `error`, on the reference wire', async () => {
    const { signIn } = oauthWorld()
    expectRefusal(await signIn('refuses'), 'OAUTH_PROVIDER_ACCESS_DENIED')
    const { error: _, error_description: __, ...before } = refused
    const answer = await signIn('refuses', { error_redirect_url: otherPage })
    expect(refusedTo(answer)).toEqual({ ...before, at: `${app}/error`, tab: '1' })
  })

  it.each([
    ['link_method', false, true],
    ['raise_error', true, false],
  ] as const)('of a taken address with %s says whether a verified one would do', async (strategy, verified, would) => {
    const world = newer({ oauthAccountMergeStrategy: strategy }, { seed: { users: [{ ...ada, verified }] } })
    const { details } = refusedTo(await world.signIn({ email: ada.email, accountId: '1', verified: true }))
    expect(JSON.parse(details ?? '')).toEqual({
      type: 'email',
      contact_channel_value: ada.email,
      would_work_if_email_was_verified: would,
    })
  })
})

/** The target of a refusal's redirect, without its message. */
function refusedTo(answer: Answer) {
  const url = new URL(answer.headers.get('location') ?? 'http://nowhere')
  const { message, details, ...others } = Object.fromEntries(url.searchParams)
  return { status: answer.status, at: url.origin + url.pathname, message, details, ...others }
}
