import type { PlatformOptions, ProjectConfig } from 'rxauth/platform'
import { app, grace, led, oauthWorld, sub } from '../oauth-world'
import { accessTokenOf, ada, expectPlain, expectRefusal, isAlive } from '../wire-world'
import type { Answer } from '../wire-world'

const newer = (config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) =>
  oauthWorld(config, { wire: '2026', ...options })

const untrusted = 'https://elsewhere.example.com/page'
const otherPage = `${app}/error?tab=1`
const trustedApp = { domains: [{ domain: app, handlerPath: '/handler' }], allowLocalhost: false }

/** The target of a refusal's redirect, without its message. */
function refusedTo(answer: Answer) {
  const url = new URL(answer.headers.get('location') ?? 'http://nowhere')
  const { message, details, ...others } = Object.fromEntries(url.searchParams)
  return { status: answer.status, at: url.origin + url.pathname, message, details, ...others }
}

describe('authorize on the newer wire', () => {
  it.each([
    ['/welcome', 'SCHEMA_ERROR'],
    [untrusted, 'REDIRECT_URL_NOT_WHITELISTED'],
  ])('refuses %s as the target after the callback, in the page', async (url, code) => {
    const { visit, authorizeUrl } = newer()
    expectRefusal(await visit(await authorizeUrl({ after_callback_redirect_url: url })), code)
    const reference = oauthWorld()
    const start = await reference.visit(await reference.authorizeUrl({ after_callback_redirect_url: url }))
    expect(start.status).toBe(307)
  })

  it.each(['stack_response_mode', 'hexclave_response_mode'])(
    'takes %s, which the reference wire refuses',
    async name => {
      const { visit, authorizeUrl } = newer()
      const [plain, asked] = [
        await visit(await authorizeUrl()),
        await visit(await authorizeUrl({ [name]: 'redirect' })),
      ]
      expect([plain.status, asked.status]).toEqual([307, 307])
      const reference = oauthWorld()
      expectRefusal(await reference.visit(await reference.authorizeUrl({ [name]: 'redirect' })), 'SCHEMA_ERROR')
    },
  )

  it('passes a trusted target after the callback to the app', async () => {
    const { signIn, exchange } = newer()
    const url = `${app}/welcome`
    const { body } = await exchange(led(await signIn(grace, { after_callback_redirect_url: url }), 'code'))
    expect(body.after_callback_redirect_url).toBe(url)
  })

  it.each(['authenticate', 'link'])('has no extra scopes with shared keys, to %s', async type => {
    const world = newer()
    const changes = { type, token: await accessTokenOf(world), provider_scope: 'repo' }
    const answer = await world.visit(await world.authorizeUrl(changes, 'google'))
    expectRefusal(answer, 'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS')
  })

  it.each([
    ['__stack_public_client__', null],
    ['', 'SCHEMA_ERROR'],
    [undefined, 'SCHEMA_ERROR'],
    ['pck_x', 'INVALID_PUBLISHABLE_CLIENT_KEY'],
  ])('takes the client secret %j: %s', async (secret, code) => {
    const { visit, authorizeUrl } = newer()
    const answer = await visit(await authorizeUrl({ client_secret: secret }))
    if (code === null) expect(answer.status).toBe(307)
    else expectRefusal(answer, code)
  })

  it('refuses a public client where the project demands its key', async () => {
    const { visit, authorizeUrl } = newer({ requirePublishableClientKey: true })
    const answer = await visit(await authorizeUrl({ client_secret: '__stack_public_client__' }))
    expectRefusal(answer, 'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT')
  })
})

describe('a refusal after the provider on the newer wire', () => {
  const refused = {
    status: 307,
    error: 'server_error',
    errorCode: 'OAUTH_PROVIDER_ACCESS_DENIED',
    message: expect.stringMatching(/./),
    details: '{}',
  }

  it('redirects to the redirect URI with its query, without the state', async () => {
    const { signIn } = newer()
    const answer = await signIn('refuses', { redirect_uri: `${app}/callback?flow=7`, error_redirect_url: otherPage })
    expect(refusedTo(answer)).toEqual({ ...refused, at: `${app}/callback`, flow: '7' })
  })

  it('redirects to the error page if the redirect URI is not trusted', async () => {
    const { signIn } = newer(trustedApp)
    const answer = await signIn('refuses', { redirect_uri: untrusted, error_redirect_url: otherPage })
    expect(refusedTo(answer)).toEqual({ ...refused, at: `${app}/error`, tab: '1' })
  })

  it('shows the error if neither is trusted', async () => {
    const { signIn } = newer(trustedApp)
    const answer = await signIn('refuses', { redirect_uri: untrusted, error_redirect_url: untrusted })
    expectRefusal(answer, 'OAUTH_PROVIDER_ACCESS_DENIED')
  })

  it('redirects to the error page only, without `error`, on the reference wire', async () => {
    const { signIn } = oauthWorld()
    expectRefusal(await signIn('refuses'), 'OAUTH_PROVIDER_ACCESS_DENIED')
    const { error: _, ...before } = refused
    expect(refusedTo(await signIn('refuses', { error_redirect_url: otherPage }))).toEqual({
      ...before,
      at: `${app}/error`,
      tab: '1',
    })
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

describe('an authorization code on the newer wire', () => {
  it('is refused in plain text with another redirect URI, and works afterwards', async () => {
    const { signIn, exchange } = newer()
    const code = led(await signIn(grace), 'code')
    expectPlain(await exchange(code, { redirect_uri: `${app}/other` }), 400)
    expect((await exchange(code)).status).toBe(200)
    const reference = oauthWorld()
    const old = led(await reference.signIn(grace), 'code')
    expectRefusal(await reference.exchange(old, { redirect_uri: `${app}/other` }), 'REDIRECT_URL_NOT_WHITELISTED')
  })

  it('is exchanged by a public client', async () => {
    const { signIn, exchange } = newer()
    const secret = { client_secret: '__stack_public_client__' }
    expect((await exchange(led(await signIn(grace, secret), 'code'), secret)).status).toBe(200)
  })
})

describe('linking accounts on the newer wire', () => {
  it('takes several of one provider', async () => {
    const world = newer()
    const link = { type: 'link', token: await accessTokenOf(world) }
    for (const accountId of ['1', '2', '2'])
      expect(led(await world.signIn({ ...grace, accountId }, link), 'code')).not.toBeNull()
    const me = await world.ask('GET /users/me', { accessToken: link.token })
    expect(me.body.oauth_providers).toMatchObject([
      { id: 'github', account_id: '1' },
      { id: 'github', account_id: '2' },
    ])
  })
})

describe('an anonymous user who signs in at a provider', () => {
  async function anonymous(world: ReturnType<typeof newer>) {
    const { body } = await world.ask('POST /auth/anonymous/sign-up')
    return body as { readonly access_token: string; readonly refresh_token: string; readonly user_id: string }
  }

  it('becomes the new user, with the same id and session', async () => {
    const world = newer()
    const before = await anonymous(world)
    const back = await world.signIn(grace, { token: before.access_token })
    const { body } = await world.exchange(led(back, 'code'))
    expect([sub(body.access_token), body.is_new_user]).toEqual([before.user_id, true])
    expect((await world.ask('GET /users/me', { accessToken: body.access_token })).body).toMatchObject({
      id: before.user_id,
      display_name: 'Grace',
      primary_email: grace.email,
      is_anonymous: false,
      is_restricted: false,
    })
    expect(await isAlive(world, before.refresh_token)).toBe(true)
  })

  it('stays anonymous if the account has a user already', async () => {
    const world = newer()
    const first = await world.exchange(led(await world.signIn(grace), 'code'))
    const before = await anonymous(world)
    const again = await world.exchange(led(await world.signIn(grace, { token: before.access_token }), 'code'))
    expect(sub(again.body.access_token)).toBe(sub(first.body.access_token))
    const headers = { 'x-stack-allow-anonymous-user': 'true' }
    const me = await world.ask('GET /users/me', { accessToken: before.access_token, headers })
    expect(me.body).toMatchObject({ is_anonymous: true, oauth_providers: [] })
  })

  it('stays apart from the new user on the reference wire', async () => {
    const world = oauthWorld()
    const before = await anonymous(world)
    const { body } = await world.exchange(led(await world.signIn(grace, { token: before.access_token }), 'code'))
    expect(sub(body.access_token)).not.toBe(before.user_id)
  })
})
