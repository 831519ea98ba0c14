import { led, oauthWorld } from '../oauth-world'
import { expectRefusal } from '../wire-world'

const base64Url43 = /^[A-Za-z0-9_-]{43}$/

describe('going to a provider', () => {
  it('redirects with its own state and challenge, and their cookie', async () => {
    const { visit, authorizeUrl, origin, clock } = oauthWorld()
    const answer = await visit(await authorizeUrl())
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

  it('requests the extra scopes, once each', async () => {
    const { visit, authorizeUrl } = oauthWorld()
    const answer = await visit(await authorizeUrl({ provider_scope: 'repo' }))
    expect(led(answer, 'scope')).toBe('openid email profile repo')
  })

  it('refuses extra scopes with shared keys only to link an account', async () => {
    const { visit, authorizeUrl } = oauthWorld()
    expect((await visit(await authorizeUrl({ provider_scope: 'drive' }, 'google'))).status).toBe(307)
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
    const { visit, authorizeUrl, platform } = oauthWorld()
    const details = expectRefusal(await visit(await authorizeUrl(changes, provider)), code)
    if (code === 'INVALID_OAUTH_CLIENT_ID_OR_SECRET') expect(details).toEqual({ client_id: 'unknown' })
    if (code === 'INVALID_PUBLISHABLE_CLIENT_KEY') expect(details).toEqual({ project_id: platform.options.projectId })
  })

  it.each([
    ['client_id'],
    ['client_secret'],
    ['redirect_uri'],
    ['scope'],
    ['state'],
    ['grant_type'],
    ['code_challenge'],
    ['code_challenge_method'],
    ['response_type'],
  ])('needs %s', async name => {
    const { visit, authorizeUrl } = oauthWorld()
    expectRefusal(await visit(await authorizeUrl({ [name]: undefined })), 'SCHEMA_ERROR')
  })

  it.each([
    { grant_type: 'refresh_token' },
    { type: 'merge' },
    { error_redirect_url: 'nonsense' },
    { error_redirect_uri: '/error' },
    { more: '1' },
  ])('refuses %j by its form', async changes => {
    const { visit, authorizeUrl } = oauthWorld()
    expectRefusal(await visit(await authorizeUrl(changes)), 'SCHEMA_ERROR')
  })

  it.each([{ scope: 'openid' }, { response_type: 'token' }, { code_challenge_method: 'S512' }])(
    'lets %j pass',
    async changes => {
      const { visit, authorizeUrl } = oauthWorld()
      expect((await visit(await authorizeUrl(changes))).status).toBe(307)
    },
  )

  it('accepts the main branch only', async () => {
    const { visit, authorizeUrl, platform } = oauthWorld()
    const { projectId } = platform.options
    expect((await visit(await authorizeUrl({ client_id: `${projectId}#main` }))).status).toBe(307)
    const other = await visit(await authorizeUrl({ client_id: `${projectId}#dev` }))
    expect(expectRefusal(other, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET')).toEqual({ client_id: `${projectId}#dev` })
  })

  it('does not check the redirect yet', async () => {
    const { visit, authorizeUrl } = oauthWorld()
    expect((await visit(await authorizeUrl({ redirect_uri: 'https://evil.example/' }))).status).toBe(307)
  })
})
