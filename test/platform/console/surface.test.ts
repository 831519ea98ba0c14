import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform, movableClock, virtualClock, type MovableClock, type Platform } from 'rxauth/platform'
import { createServerApp, verifyWebhook } from 'rxauth/server'
import { ada, wireWorld } from '../wire-world'
import { askLocal, listenTo } from './local-world'

// Promise: mcp-reset
it('a reset gives the data that the platform has begun with, and no faults', async () => {
  const platform = createPlatform({ clock: virtualClock(), seed: { users: [ada] } })
  const events = await listenTo(platform)
  const server = createServerApp(platform.serverOptions)
  const tokens = await platform.tokensFor(ada.email)
  await server.createUser({ primaryEmail: 'grace@example.com' })
  platform.faults.every('GET /users', { status: 503 })
  expect((await askLocal(platform, 'POST /reset', {})).status).toBe(200)
  await events.until('restored')
  const { items } = await createServerApp(platform.serverOptions).users$().get()
  expect(items.map(({ primaryEmail }) => primaryEmail)).toEqual([ada.email])
  expect(await createClientApp({ ...platform.options, tokens }).user$.get()).toBeNull()
})

it('lists the mails to one address', async () => {
  const grace = 'grace@example.com'
  const project = { config: { magicLinkEnabled: true } }
  const platform = createPlatform({ seed: { users: [ada, { email: grace, verified: true }], project } })
  const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
  for (const email of [ada.email, grace])
    await app.sendMagicLinkEmail({ email, callbackUrl: 'http://localhost:3000/link' })
  const listed = async (query: string) => {
    const { items } = (await askLocal(platform, `GET /mails${query}`)).body as { items: { to: string }[] }
    return items.map(({ to }) => to)
  }
  expect(await listed('')).toEqual([grace, ada.email])
  expect(await listed(`?to=%20${ada.email.toUpperCase()}`)).toEqual([ada.email])
  expect(await listed('?to=eve@example.com')).toEqual([])
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
    [{ mail: 'lost' }, /mail/],
    [{ mail: 'refused', route: '*' }, /route/],
    [null, /whole/],
  ])('are refused if they are invalid: %j', async (body, reason) => {
    const { platform } = wireWorld()
    const answer = await askLocal(platform, 'POST /faults', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(reason)
    expect((await askLocal(platform, 'GET /faults')).body).toEqual({ items: [] })
  })

  it('let the mail server refuse connections, until they are switched off', async () => {
    const { platform, ask } = wireWorld({ seed: { users: [ada], project: { config: { magicLinkEnabled: true } } } })
    const send = async () => {
      const body = { email: ada.email, callback_url: 'http://localhost:3000/' }
      return (await ask('POST /auth/otp/send-sign-in-code', { body })).status
    }
    const added = await askLocal(platform, 'POST /faults', { mail: 'refused' })
    const planned = { id: 1, route: 'mail', fault: { mail: 'refused' }, left: null }
    expect([added.status, added.body]).toEqual([201, { items: [planned] }])
    expect(await send()).toBe(500)
    expect((await askLocal(platform, 'DELETE /faults/1')).body).toEqual({ items: [] })
    expect(await send()).toBe(200)
  })

  it('are refused for unknown routes', async () => {
    const { platform } = wireWorld()
    const { items } = (await askLocal(platform, 'GET /routes')).body
    expect(items).toContain('GET /users/me')
    for (const route of items) platform.faults.next(route, { status: 500 })
  })
})

describe('the time of a local platform', () => {
  it('moves a virtual clock', async () => {
    const { platform, clock } = wireWorld()
    const events = await listenTo(platform)
    await askLocal(platform, 'POST /time', { forwardMillis: 1000 })
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:01.000Z')
    expect((await events.until('time')).time).toEqual({ now: '2026-01-01T00:00:01.000Z', movedMillis: 1000 })
  })

  it('is that of a given clock that can be moved: the console moves this clock', async () => {
    const clock = movableClock(virtualClock())
    const platform = createPlatform({ clock })
    clock.forward(1000)
    await askLocal(platform, 'POST /time', { forwardMillis: 2000 })
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:03.000Z')
  })

  // Promise: webhook-time
  it.each([
    ['by the console', (platform: Platform) => askLocal(platform, 'POST /time', { forwardMillis: 3_600_000 })],
    [
      'by its clock',
      (_platform: Platform, clock: MovableClock) => {
        clock.forward(3_600_000)
        return Promise.resolve()
      },
    ],
  ])(
    'is not the one of signatures of webhooks when it was moved %s',
    async (_how, move: (platform: Platform, clock: MovableClock) => Promise<unknown>) => {
      const base = virtualClock()
      const clock = movableClock(base)
      const platform = createPlatform({ clock })
      const sentAt = new Promise<Date>((resolve, reject) => {
        const handler = async (request: Request) => {
          await verifyWebhook(request, platform.webhooks.secret, { clock: base }).then(event => {
            resolve(event.sentAt)
          }, reject)
          return undefined
        }
        platform.webhooks.add({ handler })
      })
      await move(platform, clock)
      await createServerApp(platform.serverOptions).createUser({ primaryEmail: ada.email })
      expect((await sentAt).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    },
  )
})
