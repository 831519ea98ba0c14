import { app, grace, led, newer, oauthWorld, untrusted, type OAuthWorld } from '../oauth-world'
import { accessTokenOf, expectAnswer, expectPlain, expectRefusal, toAnswer } from '../wire-world'
import { newerWires } from '../world-2026'

const base64Url43 = /^[A-Za-z0-9_-]{43}$/

describe('going to a provider', () => {
  it('redirects with its own state and challenge, and their cookie', async () => {
    const { begin, origin, clock } = oauthWorld()
    const answer = await begin()
    expect([answer.status, answer.text]).toEqual([307, ''])
    expect([answer.headers.get('content-type'), answer.headers.get('x-stack-request-id')]).toEqual([null, null])
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const location = new URL(answer.headers.get('location')!)
    const { state, code_challenge, ...fixed } = Object.fromEntries(location.searchParams)
    expect(fixed).toEqual({
      client_id: 'Iv1.x',
      redirect_uri: `${origin}/api/v1/auth/oauth/callback/github`,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      access_type: 'offline',
    })
    expect([state, code_challenge]).toEqual([expect.stringMatching(base64Url43), expect.stringMatching(base64Url43)])
    const expires = new Date(clock.now() + 600_000).toUTCString()
    expect(answer.headers.getSetCookie()).toEqual([
      `stack-oauth-inner-${state}=true; Path=/; Expires=${expires}; Max-Age=600; HttpOnly`,
    ])
  })

  it('marks the cookie as secure on https', async () => {
    const { visit, authorizeUrl } = oauthWorld()
    const answer = await visit((await authorizeUrl()).replace('http://localhost:8102', 'https://auth.test'))
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Max-Age=600; Secure; HttpOnly$/)
  })

  it('requests the extra scopes, once each, and refuses them with shared keys only to link an account', async () => {
    const { begin } = oauthWorld()
    expect(led(await begin({ provider_scope: 'repo' }), 'scope')).toBe('openid email profile repo')
    expect((await begin({ provider_scope: 'drive' }, 'google')).status).toBe(307)
  })

  // Each row has its own mistake and those of the rows below.
  it.each<[code: string, changes: Readonly<Record<string, string | undefined>>, provider: string]>([
    ['SCHEMA_ERROR', { client_id: 'unknown', redirect_uri: '/callback' }, 'myspace'],
    ['INVALID_OAUTH_CLIENT_ID_OR_SECRET', { client_id: 'unknown', client_secret: 'x' }, 'myspace'],
    ['INVALID_PUBLISHABLE_CLIENT_KEY', { client_secret: 'x' }, 'myspace'],
    ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', { type: 'link', token: '' }, 'myspace'],
    ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', {}, 'spotify'],
    ['UNPARSABLE_ACCESS_TOKEN', { type: 'link', token: '', provider_scope: 'x' }, 'google'],
    ['UNPARSABLE_ACCESS_TOKEN', { type: 'link' }, 'google'],
  ])('answers %s in its turn', async (code, changes, provider) => {
    const { begin, platform } = oauthWorld()
    const details = expectRefusal(await begin(changes, provider), code)
    if (code === 'INVALID_OAUTH_CLIENT_ID_OR_SECRET') expect(details).toEqual({ client_id: 'unknown' })
    if (code === 'INVALID_PUBLISHABLE_CLIENT_KEY') expect(details).toEqual({ project_id: platform.options.projectId })
  })

  const needed = [
    ...['client_id', 'client_secret', 'redirect_uri', 'scope', 'state', 'grant_type', 'code_challenge'],
    ...['code_challenge_method', 'response_type'],
  ]
  it.each<[changes: Readonly<Record<string, string | null>>, answered: number | string]>([
    ...needed.map(name => [{ [name]: null }, 'SCHEMA_ERROR'] as [Record<string, null>, string]),
    [{ grant_type: 'refresh_token' }, 'SCHEMA_ERROR'],
    [{ type: 'merge' }, 'SCHEMA_ERROR'],
    [{ error_redirect_url: 'nonsense' }, 'SCHEMA_ERROR'],
    [{ error_redirect_uri: '/error' }, 'SCHEMA_ERROR'],
    [{ more: '1' }, 'SCHEMA_ERROR'],
    [{ scope: 'openid' }, 307],
    [{ response_type: 'token' }, 307],
    [{ code_challenge_method: 'S512' }, 307],
    // The redirect is checked later.
    [{ redirect_uri: 'https://evil.example/' }, 307],
  ])('with %j, null for none, answers %s', async (changes, answered) => {
    const sent = Object.entries(changes).map(([name, value]) => [name, value ?? undefined])
    expectAnswer(await oauthWorld().begin(Object.fromEntries(sent) as Record<string, string | undefined>), answered)
  })
})

describe('authorize on the newer wire', () => {
  it.each([
    ['/welcome', 'SCHEMA_ERROR'],
    [untrusted, 'REDIRECT_URL_NOT_WHITELISTED'],
  ])('refuses %s as the target after the callback, in the page', async (url, code) => {
    expectRefusal(await newer().begin({ after_callback_redirect_url: url }), code)
    expect((await oauthWorld().begin({ after_callback_redirect_url: url })).status).toBe(307)
  })

  const fetched = async (world: OAuthWorld, changes: Readonly<Record<string, string>>) =>
    toAnswer(await world.platform.fetch(new Request(await world.authorizeUrl(changes))))

  // Promise: authorize-json
  it.each([
    ['2.8.86', { stack_response_mode: 'json' }],
    ['2026', { stack_response_mode: 'json' }],
    ['2026', { hexclave_response_mode: 'json' }],
  ] as const)('answers the address of the provider on %s to %j, and asks for no cookie later', async (wire, mode) => {
    const world = newer({}, { wire })
    const start = await fetched(world, mode)
    expect([start.status, start.headers.getSetCookie(), Object.keys(start.body as object)]).toEqual([
      ...[200, [], ['location']],
    ])
    world.platform.oauth.nextUser(grace)
    const withoutCookies = async (url: string) => toAnswer(await world.platform.fetch(new Request(url)))
    const chosen = await withoutCookies(start.body.location as string)
    const back = await withoutCookies(chosen.headers.get('location')!)
    expect(back.status).toBe(303)
    expect((await world.exchange(led(back, 'code'))).body.is_new_user).toBe(true)
    // The state is good for one callback.
    expectPlain(await withoutCookies(chosen.headers.get('location')!), 400)
  })

  it.each(newerWires)('redirects otherwise, and ignores other parameters: %s', async wire => {
    const world = newer({}, { wire })
    for (const changes of [{ stack_response_mode: 'redirect' }, { nonsense: '1' }])
      expect((await fetched(world, changes)).status).toBe(307)
    const refused = expectRefusal(await fetched(world, { stack_response_mode: 'text' }), 'SCHEMA_ERROR')
    expect(refused['message']).toContain(
      'query.stack_response_mode must be one of the following values: json, redirect',
    )
    expect((await fetched(world, { hexclave_response_mode: 'json' })).status).toBe(wire === '2026' ? 200 : 307)
    expectPlain(await fetched(world, { type: 'link' }), 400)
  })

  it('has no modes on the reference wire', async () => {
    for (const name of ['stack_response_mode', 'hexclave_response_mode', 'nonsense'])
      expectRefusal(await fetched(oauthWorld(), { [name]: 'redirect' }), 'SCHEMA_ERROR')
  })

  it('passes a trusted target after the callback to the app', async () => {
    const { signIn, exchange } = newer()
    const url = `${app}/welcome`
    const { body } = await exchange(led(await signIn(grace, { after_callback_redirect_url: url }), 'code'))
    expect(body.after_callback_redirect_url).toBe(url)
  })

  it.each(['authenticate', 'link'])('has no extra scopes with shared keys, to %s', async type => {
    const world = newer()
    const changes = { type, token: await accessTokenOf(world), provider_scope: 'repo' }
    const answer = await world.begin(changes, 'google')
    expectRefusal(answer, 'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS')
  })

  it.each<[client_secret: string | undefined, demandsKey: boolean, answered: number | string]>([
    ['__stack_public_client__', false, 307],
    ['__stack_public_client__', true, 'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT'],
    ['', false, 'SCHEMA_ERROR'],
    [undefined, false, 'SCHEMA_ERROR'],
    ['pck_x', false, 'INVALID_PUBLISHABLE_CLIENT_KEY'],
  ])(
    'takes the client secret %j, in a project that demands its key %s: %s',
    async (client_secret, demands, answered) => {
      expectAnswer(await newer({ requirePublishableClientKey: demands }).begin({ client_secret }), answered)
    },
  )
})
