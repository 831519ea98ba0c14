import { createAdminApp } from 'rxauth/admin'
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { ada, wireWorld } from '../wire-world'
import { askLocal, listenTo } from './local-world'

const signUp = (email: string) => ({
  body: {
    email,
    password: 'correct horse',
    verification_callback_url: 'http://localhost:3000/handler/email-verification',
  },
})

const tokensIn = ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => ({
  accessToken,
  refreshToken,
})

describe('the events of a local platform', () => {
  it('begin with the id of the platform, then report mails, requests and webhooks', async () => {
    const { platform, ask } = wireWorld()
    const events = await listenTo(platform)
    expect(await events.next()).toEqual({
      type: 'hello',
      platformId: expect.any(String),
      projectId: platform.options.projectId,
    })
    await ask('POST /auth/password/sign-up', signUp('new@example.com'))
    const webhook = await events.until('webhook')
    expect(webhook).toMatchObject({
      projectId: platform.options.projectId,
      webhook: { type: 'user.created', data: { primary_email: 'new@example.com' } },
    })
    const { mail } = await events.until('mail')
    expect(mail).toMatchObject({ id: expect.any(String), to: 'new@example.com', sentAt: '2026-01-01T00:00:00.000Z' })
    expect((await events.until('request')).request).toMatchObject({
      path: '/api/v1/auth/password/sign-up',
      status: 200,
    })
  })

  it('report users of every project, with the id of the webhook', async () => {
    const { platform, ask } = wireWorld()
    const ids: string[] = []
    platform.webhooks$.subscribe(({ id, projectId }) => ids.push(`${projectId} ${id}`))
    const events = await listenTo(platform)
    await ask('POST /auth/password/sign-up', {
      ...signUp('owner@example.com'),
      headers: {
        'x-stack-project-id': 'internal',
        'x-stack-publishable-client-key': platform.ownerOptions.publishableClientKey,
      },
    })
    expect((await events.until('webhook')).projectId).toBe('internal')
    await ask('POST /auth/password/sign-up', signUp('new@example.com'))
    const { webhook } = await events.until('webhook')
    await platform.webhooks.idle()
    expect(ids.at(-1)).toBe(`${platform.options.projectId} ${webhook.id as string}`)
  })

  it('end when the platform is disposed, and release a reader that has disconnected', async () => {
    const { platform, ask } = wireWorld()
    const left = await listenTo(platform)
    const stays = await listenTo(platform)
    await left.close()
    await ask('GET /projects/current')
    await stays.until('request')
    platform.dispose()
    expect(await stays.next()).toBeUndefined()
  })

  it('keep a quiet connection open, but no process running', async () => {
    const { platform, clock } = wireWorld()
    const response = await platform.fetch(new Request(`${platform.options.baseUrl}/__local__/events`))
    const reader = response.body!.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toMatch(/^event: hello\n/)
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await reader.cancel()
  })

  it('end for a reader that stops reading', async () => {
    const { platform } = wireWorld()
    const events = await listenTo(platform)
    for (let count = 0; count < 1001; count++) platform.faults.clear()
    let seen = 0
    while (await events.next()) seen++
    expect(seen).toBe(1000)
  })
})

describe('the log of requests', () => {
  it('has bodies and headers of both sides, without secrets', async () => {
    const { platform, ask } = wireWorld()
    await ask('POST /auth/password/sign-in', { body: { email: ada.email, password: ada.password } })
    await ask('POST /auth/password/sign-in', { body: { email: ada.email, password: 'wrong' } })
    const { items } = (await askLocal(platform, 'GET /requests')).body
    expect(items).toMatchObject([
      { method: 'POST', status: 400, errorCode: 'EMAIL_PASSWORD_MISMATCH', access: 'client', fault: null },
      { path: '/api/v1/auth/password/sign-in', status: 200, errorCode: null, at: '2026-01-01T00:00:00.000Z' },
    ])
    const [refused, signedIn] = items
    const detail = (await askLocal(platform, `GET /requests/${signedIn.id}`)).body
    expect(JSON.parse(detail.requestBody.text)).toEqual({ email: ada.email, password: '••••••' })
    expect(JSON.parse(detail.responseBody.text)).toMatchObject({ access_token: '••••••', refresh_token: '••••••' })
    expect(detail.requestHeaders['x-stack-project-id']).toBe(platform.options.projectId)
    expect(JSON.stringify(detail)).not.toContain(ada.password)
    const other = (await askLocal(platform, `GET /requests/${refused.id}`)).body
    expect(JSON.parse(other.responseBody.text).code).toBe('EMAIL_PASSWORD_MISMATCH')
  })

  it('keeps the last 200, no body that is too long, and nothing of the console', async () => {
    const { platform, ask } = wireWorld()
    await ask('GET /projects/current', { headers: { 'x-rxauth-console': '1' } })
    await ask('POST /auth/password/sign-in', { body: { email: 'a'.repeat(70_000), password: 'x' } })
    const [long] = (await askLocal(platform, 'GET /requests')).body.items as [{ id: number }]
    expect((await askLocal(platform, `GET /requests/${long.id}`)).body.requestBody).toEqual({
      text: null,
      length: expect.any(Number),
    })
    for (let count = 0; count < 200; count++) await ask('GET /projects/current')
    const { items } = (await askLocal(platform, 'GET /requests')).body
    expect([items.length, items[199].path]).toEqual([200, '/api/v1/projects/current'])
    expect((await askLocal(platform, `GET /requests/${long.id}`)).status).toBe(404)
    await askLocal(platform, 'DELETE /requests')
    expect((await askLocal(platform, 'GET /requests')).body).toEqual({ items: [] })
  })
})

describe('faults that are switched on', () => {
  it('apply until they are switched off, and not to the console', async () => {
    const { platform, ask } = wireWorld()
    const events = await listenTo(platform)
    const route = 'GET /projects/current'
    const added = await askLocal(platform, 'POST /faults', { route, fault: { status: 503, retryAfter: '7' } })
    expect([added.status, added.body.items]).toEqual([
      201,
      [{ id: 1, route, fault: { status: 503, retryAfter: '7' }, left: null }],
    ])
    expect((await events.until('faults')).faults).toEqual(added.body.items)
    const refused = await ask(route)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7'])
    expect((await ask(route, { headers: { 'x-rxauth-console': '1' } })).status).toBe(200)
    expect((await events.until('request')).request).toMatchObject({ status: 503, fault: { status: 503 } })
    expect((await askLocal(platform, 'DELETE /faults/1')).body).toEqual({ items: [] })
    expect((await ask(route)).status).toBe(200)
    expect((await askLocal(platform, 'DELETE /faults/1')).status).toBe(404)
  })

  it('are listed with their remaining number, those of tests too, until they are used', async () => {
    const { platform, ask } = wireWorld()
    await askLocal(platform, 'POST /faults', { route: '*', fault: { status: 500, times: 2 } })
    platform.faults.every('GET /users/me', { status: 502 })
    const left = async () => {
      const { items } = (await askLocal(platform, 'GET /faults')).body as { items: { left: number | null }[] }
      return items.map(item => item.left)
    }
    expect(await left()).toEqual([2, null])
    await ask('GET /projects/current')
    expect(await left()).toEqual([1, null])
    await ask('GET /projects/current')
    expect(await left()).toEqual([null])
    expect((await askLocal(platform, 'DELETE /faults')).body).toEqual({ items: [] })
    expect((await ask('GET /projects/current')).status).toBe(200)
  })

  it.each([
    [{ route: 'GET /nowhere', fault: { status: 500 } }, /no route of the local platform/],
    [{ route: '*', fault: { status: 200 } }, /fault\.status/],
    [{ route: '*', fault: { delayMillis: -1 } }, /fault\.delayMillis/],
    [{ route: '*', fault: { retryAfter: 'a\nb' } }, /fault\.retryAfter/],
    [{ route: '*', fault: { other: 1 } }, /fault/],
    [{ fault: {} }, /route/],
    [null, /whole/],
  ])('are refused if they are invalid: %j', async (body, reason) => {
    const { platform } = wireWorld()
    const answer = await askLocal(platform, 'POST /faults', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(reason)
    expect((await askLocal(platform, 'GET /faults')).body).toEqual({ items: [] })
  })

  it('are refused for unknown routes', async () => {
    const { platform } = wireWorld()
    const { items } = (await askLocal(platform, 'GET /routes')).body
    expect(items).toContain('GET /users/me')
    for (const route of items) platform.faults.next(route, { status: 500 })
  })
})

describe('the time of a local platform', () => {
  it('is moved forward, and tokens expire', async () => {
    const platform = createPlatform({ seed: { users: [ada] } })
    const tokens = await platform.tokensFor(ada.email)
    const app = createClientApp({ ...platform.options, tokens })
    const before = (await askLocal(platform, 'GET /time')).body
    const hour = 3_600_000
    const moved = await askLocal(platform, 'POST /time', { forwardMillis: hour })
    expect(moved.body.movedMillis).toBe(hour)
    expect(Date.parse(moved.body.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(hour)
    expect(platform.options.clock.now()).toBeGreaterThanOrEqual(Date.parse(before.now) + hour)
    // The access token has expired; the kit refreshes it.
    const old = tokens.read()!.accessToken
    expect((await app.user$.get())?.primaryEmail).toBe(ada.email)
    expect(tokens.read()!.accessToken).not.toBe(old)
    app.dispose()
    platform.dispose()
  })

  it('moves a virtual clock', async () => {
    const { platform, clock } = wireWorld()
    const events = await listenTo(platform)
    await askLocal(platform, 'POST /time', { forwardMillis: 1000 })
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:01.000Z')
    expect((await events.until('time')).time).toEqual({ now: '2026-01-01T00:00:01.000Z', movedMillis: 1000 })
  })

  it.each([0, -1, 1.5, 1e15, '5'])('is not moved by %j', async forwardMillis => {
    const { platform, clock } = wireWorld()
    expect((await askLocal(platform, 'POST /time', { forwardMillis })).status).toBe(400)
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })
})

describe("the console's session", () => {
  it.each(['2.8.18', '2026'] as const)('manages every project, also later ones, on %s', async wire => {
    const { platform } = wireWorld({ wire })
    const { status, body } = await askLocal(platform, 'POST /session', {})
    expect(status).toBe(201)
    const owner = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens(tokensIn(body)) })
    const names = async () => (await owner.ownedProjects$.get({ maxAgeMillis: 0 })).map(project => project.id)
    expect(await names()).toEqual([platform.options.projectId])
    const other = await owner.createOwnedProject({ displayName: 'Shop' })
    const again = await askLocal(platform, 'POST /session', {})
    const later = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens(tokensIn(again.body)) })
    expect((await later.ownedProjects$.get()).map(({ id }) => id)).toEqual([platform.options.projectId, other.id])
    const admin = createAdminApp({ owner: later, projectId: platform.options.projectId })
    expect((await admin.users$({}).get()).items.map(user => user.primaryEmail)).toEqual([ada.email])
    for (const app of [owner, later, admin]) app.dispose()
  })

  it('is one of ten at most', async () => {
    const { platform } = wireWorld()
    const first = (await askLocal(platform, 'POST /session', {})).body
    for (let count = 0; count < 10; count++) await askLocal(platform, 'POST /session', {})
    const app = createClientApp({
      ...platform.ownerOptions,
      tokens: memoryTokens({ ...tokensIn(first), accessToken: null }),
    })
    expect(await app.user$.get()).toBeNull()
  })
})

describe('a link to sign in as a user', () => {
  const callbackUrl = 'http://localhost:3000/handler/magic-link-callback'

  it('signs in once, without a second factor, and leaves the user unchanged', async () => {
    const user = { ...ada, verified: false, totpSecret: 'c2VjcmV0IHNlY3JldCBzZWM=' }
    const { platform } = wireWorld({ seed: { users: [user] } })
    const { projectId } = platform.options
    const link = await askLocal(platform, 'POST /sign-in-links', { projectId, userId: ada.id, callbackUrl })
    expect(link.status).toBe(201)
    const url = new URL(link.body.url)
    expect(url.origin + url.pathname).toBe(callbackUrl)
    const code = url.searchParams.get('code')!
    const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true, value: { isNewUser: false } })
    expect(await app.user$.get()).toMatchObject({ id: ada.id, primaryEmailVerified: false })
    const again = await app.signInWithMagicLink({ code })
    expect(again.ok ? null : again.error.code).toBe('VERIFICATION_CODE_ALREADY_USED')
    app.dispose()
  })

  it('needs a trusted target and an existing user', async () => {
    const { platform } = wireWorld()
    const { projectId } = platform.options
    const ask = (changes: object) =>
      askLocal(platform, 'POST /sign-in-links', { projectId, userId: ada.id, callbackUrl, ...changes })
    expect((await ask({ callbackUrl: 'https://evil.example/x' })).status).toBe(400)
    expect((await ask({ callbackUrl: 'javascript:alert(1)' })).status).toBe(400)
    expect((await ask({ userId: 'unknown' })).status).toBe(404)
    expect((await ask({ projectId: 'nothing' })).status).toBe(404)
  })
})

describe('the export of a platform', () => {
  it('is exported as a file and imported into another platform', async () => {
    const { platform, ask } = wireWorld()
    const file = await askLocal(platform, 'GET /data')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+-2026-01-01\.json"$/)
    expect(file.body).toEqual(JSON.parse(JSON.stringify(platform.snapshot())))
    await ask('POST /auth/password/sign-up', signUp('later@example.com'))
    const events = await listenTo(platform)
    expect((await askLocal(platform, 'PUT /data', file.body)).status).toBe(200)
    expect(await events.until('restored')).toEqual({ type: 'restored' })
    await expect(platform.tokensFor('later@example.com')).rejects.toThrow('there is no user')
    const other = wireWorld({ seed: {} }).platform
    await askLocal(other, 'PUT /data', file.body)
    await expect(other.tokensFor(ada.email)).resolves.toBeDefined()
  })

  it.each([
    {},
    [[]],
    { shared: {}, projects: {} },
    { shared: { projects: [{ id: 'other' }] }, projects: {} },
    { shared: { projects: [{ id: '10ca1de7-0000-4000-8000-000000000001' }] }, projects: {} },
  ])('is not imported from %j', async file => {
    const { platform } = wireWorld()
    await platform.seed({})
    const before = JSON.stringify(platform.snapshot())
    const answer = await askLocal(platform, 'PUT /data', file)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/^This file /)
    expect(JSON.stringify(platform.snapshot())).toBe(before)
  })
})

describe('an edited export', () => {
  const own = '10ca1de7-0000-4000-8000-000000000001'
  const noExport = 'is no export of a local platform:'

  /** Sets what is at this path; undefined deletes it. */
  function change(file: object, path: readonly (string | number)[], value: unknown): void {
    const [last = '', ...before] = [...path].reverse()
    const place = before.reverse().reduce<object>((at, key) => at[key as keyof typeof at], file)
    if (value === undefined) Reflect.deleteProperty(place, last)
    else Reflect.set(place, last, value)
  }

  it.each<[path: readonly (string | number)[], value: unknown, error: string]>([
    [['shared', 'projects', 0, 'config'], null, `${noExport} shared.projects.0.config is not Object.`],
    [
      ['shared', 'projects', 0, 'config', 'domains'],
      undefined,
      `${noExport} shared.projects.0.config.domains is missing.`,
    ],
    [
      ['shared', 'projects', 1, 'id'],
      'other',
      `has no project "internal", which this platform needs; it has ${own}, other.`,
    ],
    [['projects'], {}, `has no project "${own}", which this platform needs; it has ${own}, internal.`],
    [['projects', own, 'users', 0], { id: 'x' }, `${noExport} projects.${own}.users.0.displayName is missing.`],
    [['projects', own, 'users', 0, 'password'], 5, `${noExport} projects.${own}.users.0.password is not string.`],
    [['projects', own, 'users'], [], `${noExport} projects.${own}.contactChannels.0.userId names nothing in users.`],
    [['shared', 'mails'], undefined, `${noExport} shared.mails is missing.`],
    [['shared', 'signingKeys'], 'none', `${noExport} shared.signingKeys is not Array.`],
  ])('is refused as a whole with %j as %j', async (path, value, error) => {
    const { platform, ask } = wireWorld()
    const { body } = await askLocal(platform, 'GET /data')
    const events = await listenTo(platform)
    await events.next()
    const file = structuredClone(body) as object
    change(file, path, value)
    const answer = await askLocal(platform, 'PUT /data', file)
    expect([answer.status, answer.body]).toEqual([400, { error: `This file ${error}` }])
    expect((await askLocal(platform, 'GET /data')).body).toEqual(body)
    expect((await ask('GET /projects/current')).status).toBe(200)
    // The first event is that of its own request.
    expect((await events.next())?.type).toBe('request')
    await events.close()
  })
})

describe('the address', () => {
  it('has no other routes', async () => {
    const { platform } = wireWorld()
    for (const path of ['', '/', '/nothing', '/requests/1/x', '/mails/x', '/constructor', '/__proto__'])
      expect([path, (await askLocal(platform, `GET ${path}`)).status]).toEqual([path, 404])
    expect((await askLocal(platform, 'POST /mails', {})).status).toBe(405)
    expect((await askLocal(platform, 'OPTIONS /session')).status).toBe(405)
  })

  it('takes JSON only, and lets no other origin read', async () => {
    const { platform } = wireWorld()
    const url = `${platform.options.baseUrl}/__local__/session`
    const asForm = await platform.fetch(new Request(url, { method: 'POST', body: '{}' }))
    expect(asForm.status).toBe(415)
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
    expect((await platform.fetch(new Request(url, broken))).status).toBe(400)
    const { headers } = await askLocal(platform, 'GET /mails')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('does not exist on a strict platform, and is not counted as a request', async () => {
    const strict = wireWorld({ compatibility: 'strict' }).platform
    expect((await askLocal(strict, 'GET /mails')).status).toBe(404)
    const { platform } = wireWorld()
    const seen: string[] = []
    platform.requests$.subscribe(({ path }) => seen.push(path))
    await askLocal(platform, 'GET /mails')
    expect(seen).toEqual([])
  })
})
