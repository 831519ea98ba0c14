import { createLocalJWKSet, jwtVerify } from 'jose'
import { led, grace, oauthWorld, standard, sub } from '../oauth-world'
import type { OAuthWorld } from '../oauth-world'
import { ada } from '../wire-world'
import { challengeOf } from '../../../src/platform/model/pkce'

const verifier = 'b'.repeat(43)

/** A client of the provider itself, without the platform's authorize endpoint. */
async function asClient(changes: Readonly<Record<string, string>> = {}) {
  const world = oauthWorld()
  const issuer = `${world.origin}/oauth-provider/github`
  const redirect_uri = `${world.origin}/api/v1/auth/oauth/callback/github`
  const query = new URLSearchParams({
    client_id: standard.clientId,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email profile repo',
    state: 's',
    nonce: 'n',
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  const redeem = (code: string | null, change: object = {}, headers = {}) => {
    const parameters = {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri,
      code_verifier: verifier,
      client_id: standard.clientId,
      client_secret: standard.clientSecret,
      ...change,
    }
    return world.visit(`${issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(parameters) })
  }
  return { ...world, issuer, authorizeAt: `${issuer}/authorize?${query.toString()}`, redeem }
}

async function codeFor({ platform, visit }: OAuthWorld, url: string): Promise<string | null> {
  platform.oauth.nextUser(grace)
  return led(await visit(url), 'code')
}

describe('the local provider', () => {
  it('answers its discovery document', async () => {
    const { visit, issuer } = await asClient()
    const { status, body } = await visit(`${issuer}/.well-known/openid-configuration`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks.json`,
      code_challenge_methods_supported: ['S256'],
    })
  })

  it('signs id tokens', async () => {
    const world = await asClient()
    const { status, body } = await world.redeem(await codeFor(world, world.authorizeAt))
    expect(status).toBe(200)
    const keys = createLocalJWKSet((await world.visit(`${world.issuer}/jwks.json`)).body)
    const { payload } = await jwtVerify(body.id_token, keys, {
      issuer: world.issuer,
      audience: standard.clientId,
      currentDate: new Date(world.clock.now()),
    })
    expect(payload).toMatchObject({
      sub: grace.accountId,
      email: grace.email,
      email_verified: true,
      name: 'Grace',
      nonce: 'n',
    })
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email profile repo' })
  })

  it('also authenticates clients by a basic header', async () => {
    const world = await asClient()
    const code = await codeFor(world, world.authorizeAt)
    const authorization = `Basic ${btoa(`${standard.clientId}:${standard.clientSecret}`)}`
    expect((await world.redeem(code, { client_id: '', client_secret: '' }, { authorization })).status).toBe(200)
  })

  it.each([
    ['invalid_client', { client_secret: 'x' }, 401],
    ['invalid_client', { client_id: 'x' }, 401],
    ['unsupported_grant_type', { grant_type: 'password' }, 400],
    ['invalid_grant', { code: 'x' }, 400],
    ['invalid_grant', { code_verifier: 'x' }, 400],
    ['invalid_grant', { redirect_uri: 'x' }, 400],
  ])('answers %s to %j', async (error, change, status) => {
    const world = await asClient()
    const answer = await world.redeem(await codeFor(world, world.authorizeAt), change)
    expect([answer.status, answer.body]).toEqual([status, { error }])
  })

  it('lets a code be used once, and for a minute', async () => {
    const world = await asClient()
    const code = await codeFor(world, world.authorizeAt)
    expect((await world.redeem(code)).status).toBe(200)
    expect((await world.redeem(code)).body).toEqual({ error: 'invalid_grant' })
    const late = await codeFor(world, world.authorizeAt)
    await world.clock.advance(60_000)
    expect((await world.redeem(late)).body).toEqual({ error: 'invalid_grant' })
  })

  it('refreshes its tokens, and refuses user info without one', async () => {
    const world = await asClient()
    const first = (await world.redeem(await codeFor(world, world.authorizeAt))).body
    const userinfo = (token: string) =>
      world.visit(`${world.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    await world.clock.advance(3_600_000)
    expect((await userinfo(first.access_token)).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token as string }
    const second = (await world.redeem(null, refresh)).body
    expect(Object.keys(second)).toEqual(['access_token', 'token_type', 'expires_in', 'scope'])
    expect((await userinfo(second.access_token)).status).toBe(200)
    expect((await userinfo(first.refresh_token)).status).toBe(401)
    expect((await world.visit(`${world.issuer}/userinfo`)).status).toBe(401)
  })

  it.each(['/oauth-provider/myspace/authorize', '/oauth-provider/github/nothing', '/oauth-provider/'])(
    'has nothing at %s',
    async path => {
      const { visit, origin } = await asClient()
      expect([404, 308]).toContain((await visit(`${origin}${path}`)).status)
    },
  )

  it.each([
    { client_id: 'unknown' },
    { redirect_uri: 'https://evil.example/' },
    { response_type: 'token' },
    { code_challenge: '' },
    { code_challenge_method: 'plain' },
  ])('shows an error and does not redirect with %j', async changes => {
    const world = await asClient(changes)
    world.platform.oauth.nextUser(grace)
    const answer = await world.visit(world.authorizeAt)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.text).toContain('role="alert"')
  })
})

describe('the page of the local provider', () => {
  it('shows accounts and scopes, with every text escaped', async () => {
    const world = await asClient({ scope: 'openid <b>' })
    await codeFor(world, world.authorizeAt)
    const { status, headers, text } = await world.visit(world.authorizeAt)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html'])
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(text).toContain('<form method="post">')
    expect(text).toContain('value="583231" checked')
    expect(text).toContain('Grace <small>grace@example.com, account 583231</small>')
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('<script')
  })

  it.each<[what: string, form: Readonly<Record<string, string>>, outcome: object]>([
    ['a known account', { who: '583231', scope: 'repo' }, { sub: '583231', email: grace.email, scope: 'repo' }],
    [
      'a new account',
      { who: '', email: ' new@example.com ', name: 'New', account_id: '7', verified: 'on', scope: 'openid' },
      { sub: '7', email: 'new@example.com', name: 'New', email_verified: true, scope: 'openid' },
    ],
    [
      'an address alone',
      { who: '', email: 'New@example.com' },
      { sub: 'new@example.com', email: 'New@example.com', name: undefined, email_verified: false, scope: '' },
    ],
  ])('signs in %s', async (_, form, outcome) => {
    const world = await asClient()
    await codeFor(world, world.authorizeAt)
    const body = new URLSearchParams({ decision: 'allow', ...form })
    const answer = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect([answer.status, led(answer, 'state')]).toEqual([303, 's'])
    const tokens = (await world.redeem(led(answer, 'code'))).body
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const profile = (await world.visit(`${world.issuer}/userinfo`, { headers })).body
    expect({ name: undefined, ...profile, scope: tokens.scope }).toMatchObject(outcome)
  })

  it('offers the users of the requesting project, and signs in the chosen one', async () => {
    const world = oauthWorld()
    const page = (await world.visit(await world.authorizeUrl())).headers.get('location')!
    const { text } = await world.visit(page)
    expect(text).toContain(`value="${ada.email}" checked`)
    expect(text).not.toContain('owner')
    const body = new URLSearchParams({ decision: 'allow', who: ada.email })
    const back = (await world.visit(page, { method: 'POST', body })).headers.get('location')!
    const { body: tokens } = await world.exchange(led(await world.visit(back), 'code'))
    expect(sub(tokens.access_token as string)).toBe(ada.id)
    // The account now belongs to the provider, and is offered once.
    expect((await world.visit(page)).text.match(new RegExp(`value="${ada.email}"`, 'g'))).toHaveLength(1)
  })

  it('refuses with an OAuth error', async () => {
    const world = await asClient()
    const body = new URLSearchParams({ decision: 'refuse', email: 'not even an address' })
    const answer = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect([answer.status, led(answer, 'error'), led(answer, 'state')]).toEqual([303, 'access_denied', 's'])
  })

  it('asks again after an invalid address', async () => {
    const world = await asClient()
    const body = new URLSearchParams({ who: '', email: 'no-address' })
    const { status, text } = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect(status).toBe(400)
    expect(text).toContain('role="alert"')
    expect(text).toContain('aria-invalid="true"')
  })
})

describe('nextUser', () => {
  it('answers in order, each once, then the page is shown again', async () => {
    const world = await asClient()
    world.platform.oauth.nextUser(grace)
    world.platform.oauth.nextUser('refuses')
    const ends = [
      await world.visit(world.authorizeAt),
      await world.visit(world.authorizeAt),
      await world.visit(world.authorizeAt),
    ]
    expect(ends.map(each => [led(each, 'code') !== null, led(each, 'error')])).toEqual([
      [true, null],
      [false, 'access_denied'],
      [false, null],
    ])
    expect(ends[2]?.text).toContain('<form')
  })

  it('uses one account for the same address', async () => {
    const world = oauthWorld()
    const users = []
    for (const email of ['Grace@example.com', 'grace@example.com'])
      users.push((await world.exchange(led(await world.signIn({ email }), 'code'))).body.is_new_user)
    expect(users).toEqual([true, false])
  })
})
