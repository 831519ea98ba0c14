import { requestTokens, type CookieWrite } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { browser } from '../tabs'
import { ada, grace } from '../world'
import { answered, intercept, isRefresh, knownError } from './intercept'

const tenMinutes = 600_000

/** Answers to a refresh of what is not the platform: a gateway, a captive portal, a mock, a cache. */
const foreign: readonly (readonly [what: string, answer: () => Response])[] = [
  ...[
    {},
    null,
    [],
    'ok',
    7,
    true,
    { error: 'invalid_grant' },
    { error: { code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' } },
    { data: { access_token: 'a' } },
    { success: true },
    { access_token: '' },
    { access_token: null },
    { access_token: 7 },
    { access_token: 'undefined' },
    { access_token: 'opaque', refresh_token: 'another' },
    { refresh_token: 'another' },
  ].map(body => [`200 ${JSON.stringify(body)}`, () => Response.json(body)] as const),
  ['200 with a page', () => answered(200, '<!doctype html><title>Sign in to the Wi-Fi</title>')],
  ['200 without a body', () => answered(200, '')],
  ['201 with tokens', () => Response.json({ access_token: 'a' }, { status: 201 })],
  ['204', () => new Response(null, { status: 204 })],
  ...[400, 401, 403, 404, 410, 511].flatMap(status => [
    [`${status} with a page`, () => answered(status, '<h1>No</h1>')] as const,
    // In the body alone, where any OAuth server may write it.
    [
      `${status} with the code in the body`,
      () => answered(status, { code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', error: 'no' }),
    ] as const,
    [`${status} with another code`, () => knownError(status, 'USER_NOT_FOUND')] as const,
  ]),
  ['401 with a code that the body lacks', () => answered(401, {}, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')],
]

const shared = browser()

describe.each(foreign)('a refresh that is answered %s', (_, answer) => {
  it('ends no session: both tabs keep it, and go on when the platform answers again', async () => {
    await shared.signIn(ada)
    let isForeign = true
    const fetch = intercept(shared.platform.options.fetch, request =>
      isForeign && isRefresh(request) ? answer() : undefined,
    )
    const tabs = [shared.tab({ fetch }), shared.tab({ fetch })]
    const before = shared.jar.all
    const reasons: unknown[] = []
    for (const { app } of tabs)
      app.auth$.subscribe(auth => {
        if ('reason' in auth) reasons.push(auth.reason)
      })
    await shared.clock.advance(tenMinutes)
    for (const { app } of tabs) {
      const refused = { code: expect.stringMatching(/^(INVALID_RESPONSE|REQUEST_FAILED|USER_NOT_FOUND)$/) as string }
      for (const call of [() => app.accessToken(), () => app.updateUser({ displayName: 'Countess' })]) {
        const refusal = expect(call()).rejects.toMatchObject(refused)
        // The other tab may have the lock at this moment.
        await shared.clock.advance(150)
        await refusal
      }
    }
    expect([shared.jar.all, reasons]).toEqual([before, []])
    isForeign = false
    for (const { app } of tabs) {
      expect(await shared.clock.settled(app.accessToken())).toEqual(expect.any(String))
      expect(app.auth$.value.status).toBe('signed-in')
      app.dispose()
    }
  })

  it('ends no session on a server: no cookie is deleted', async () => {
    const { clock, platform } = shared
    const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}; stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
    const fetch = intercept(platform.options.fetch, request => (isRefresh(request) ? answer() : undefined))
    const server = createServerApp({ ...platform.serverOptions, fetch })
    await clock.advance(tenMinutes)
    const written: CookieWrite[] = []
    const request = new Request('https://app.example.com/', { headers: { cookie } })
    const app = server.withTokens(requestTokens(request, write => void written.push(write)))
    await expect(clock.settled(app.user$.get())).rejects.toMatchObject({ code: expect.any(String) as string })
    expect(app.auth$.value.status).toBe('unknown')
    expect(written).toEqual([])
    server.dispose()
  })
})

// Promise: answer-names-the-user
it('a refresh that is answered with the tokens of another user is handed on to no other request of a server', async () => {
  const { clock, platform } = shared
  const theirs = (await platform.tokensFor(grace.email)).read()!
  const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
  await clock.advance(tenMinutes)
  let isMixedUp = true
  const fetch = intercept(platform.options.fetch, request => {
    if (!isMixedUp || !isRefresh(request)) return undefined
    isMixedUp = false
    return answered(200, { access_token: theirs.accessToken, refresh_token: theirs.refreshToken })
  })
  const server = createServerApp({ ...platform.serverOptions, fetch })
  const refresh = `stack-refresh-${platform.options.projectId}=${refreshToken}`
  const both = `${refresh}; stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
  const userOf = (cookie: string) => {
    const request = new Request('https://app.example.com/', { headers: { cookie } })
    return clock.settled(server.withTokens(requestTokens(request, () => undefined)).user$.get())
  }
  await expect(userOf(both)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  // The refresh token alone does not say whose it is.
  expect(await userOf(refresh)).toMatchObject({ primaryEmail: ada.email })
  expect(await userOf(both)).toMatchObject({ primaryEmail: ada.email })
  server.dispose()
})
