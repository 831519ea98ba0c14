import type { ClientApp, Tokens } from 'rxauth'
import { firstValueFrom } from 'rxjs'
import { home, type Tab } from '../../oauth-web'
import { accessTokenText } from '../../session/access-token-text'
import { ada, grace } from '../../world'
import { web } from './web'

const exchangeLine = 'POST /auth/oauth/token'

const revokeLine = 'DELETE /auth/sessions/current'

let tab: Tab

beforeEach(async () => {
  tab = web.open(`${home}/settings`)
  await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
})

/** The address that a link comes back to. */
async function linked(): Promise<string> {
  return web.walk(await tab.left(tab.app.connectAccount({ provider: 'github' })))
}

const tokensOf = (app: ClientApp): Promise<Tokens | null | undefined> => firstValueFrom(app.tokens$)
const revocations = () => web.sent.filter(({ line }) => line === revokeLine)

describe('an account that has been linked', () => {
  it('brings a session that takes the place of the present one, which alone is revoked', async () => {
    const before = await tokensOf(tab.app)
    const app = tab.load(await linked())
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    await web.clock.advance(0)
    const after = await tokensOf(app)
    expect(after?.refreshToken).not.toBe(before?.refreshToken)
    expect(revocations().map(({ headers }) => headers.get('x-stack-access-token'))).toEqual([before?.accessToken])
    // The new one lasts.
    await web.clock.advance(660_000)
    expect((await app.user$.refresh())?.primaryEmail).toBe(ada.email)
  })

  it('revokes the superseded session although its access token runs out meanwhile', async () => {
    await web.clock.advance(530_000)
    const back = await linked()
    await web.clock.advance(45_000)
    const app = tab.load(back)
    const before = await tokensOf(app)
    web.platform.faults.next(exchangeLine, { delayMillis: 29_000 })
    const callback = app.handleOAuthCallback()
    await web.clock.advance(29_000)
    expect(await callback).toMatchObject({ result: { ok: true } })
    await web.clock.advance(0)
    const { headers } = revocations().at(-1)!
    expect(headers.get('x-stack-refresh-token')).toBe(before?.refreshToken)
    expect(headers.get('x-stack-access-token')).not.toBe(before?.accessToken)
    expect(await app.sessions$.get()).toHaveLength(1)
  })

  it('is linked all the same when the superseded session cannot be revoked', async () => {
    const app = tab.load(await linked())
    web.platform.faults.every(revokeLine, { status: 500 })
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    await web.clock.advance(0)
    expect((await app.user$.get())?.oauthProviders).toMatchObject([{ id: 'github' }])
  })
})

describe('an unwanted session', () => {
  it('is not begun when the user has signed out before the code came', async () => {
    const app = tab.load(await linked())
    await app.signOut()
    const before = web.sent.length
    await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(web.sent.slice(before).map(({ line }) => line)).toEqual([])
  })

  it.each([
    ['the user has signed out', (app: ClientApp): Promise<unknown> => app.signOut()],
    [
      'another user has signed in',
      (app: ClientApp): Promise<unknown> => app.signInWithPassword({ email: grace.email, password: grace.password }),
    ],
  ])('is revoked, and changes nothing, when %s while the code was on its way', async (what, change) => {
    const app = tab.load(await linked())
    web.platform.faults.next(exchangeLine, { delayMillis: 1000 })
    const callback = app.handleOAuthCallback()
    await web.clock.advance(0)
    await web.clock.settled(change(app))
    const now = await tokensOf(app)
    const before = revocations().length
    const refused = expect(callback).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    await web.clock.advance(1000)
    await refused
    await web.clock.advance(0)
    expect(await tokensOf(app)).toEqual(now)
    expect(now === null).toBe(what === 'the user has signed out')
    expect(revocations().length - before).toBe(1)
    expect(revocations().at(-1)!.headers.get('x-stack-access-token')).not.toBe(now?.accessToken)
  })

  it('is revoked, and changes nothing, when it is another user’s', async () => {
    const back = await linked()
    const theirs = accessTokenText({ sub: 'another-user' })
    const { fetch } = web.platform.options
    const revoked: (string | null)[] = []
    const app = tab.load(back, {
      fetch: (input, init) => {
        const request = new Request(input, init)
        if (request.url.endsWith('/auth/oauth/token'))
          return Promise.resolve(
            Response.json({
              access_token: theirs,
              refresh_token: 'their-refresh-token',
              is_new_user: false,
              after_callback_redirect_url: null,
            }),
          )
        if (request.method === 'DELETE') revoked.push(request.headers.get('x-stack-access-token'))
        return fetch(input, init)
      },
    })
    const before = await tokensOf(app)
    await expect(app.handleOAuthCallback()).rejects.toMatchObject({
      code: 'SESSION_CHANGED',
      message: expect.stringContaining('another user') as string,
    })
    await web.clock.advance(0)
    expect(await tokensOf(app)).toEqual(before)
    expect(revoked[0]).toBe(theirs)
  })
})

it('a link can be tried again after a failure unrelated to the code', async () => {
  const app = tab.load(await linked())
  web.platform.faults.next(exchangeLine, { status: 502 })
  await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
  expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true, value: { next: '/settings' } } })
})
