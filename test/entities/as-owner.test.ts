import type { ClientApp, Tokens } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import { coreOf } from '../../src/store/kit-parts'
import { ada, grace, world } from '../world'

const callbackUrl = 'http://localhost:3000/verify'

const calls: readonly (readonly [what: string, call: (app: ClientApp) => Promise<unknown>])[] = [
  ['updatePassword', app => app.updatePassword({ oldPassword: ada.password, newPassword: 'difference engine' })],
  ['setPassword', app => app.setPassword({ password: 'difference engine' })],
  ['sendVerificationEmail', app => app.sendVerificationEmail({ callbackUrl })],
  [
    'sendContactChannelVerification',
    app =>
      app.sendContactChannelVerification({ contactChannelId: '00000000-0000-4000-8000-000000000000', callbackUrl }),
  ],
]

describe.each(calls)('%s', (_, call) => {
  it.each([
    ['no user is signed in', false, 'USER_AUTHENTICATION_REQUIRED'],
    ['the kit is disposed of', true, 'DISPOSED'],
  ])('is refused before a request when %s', async (_, isDisposed, code) => {
    const { newApp, requests, settled } = await world()
    const app = newApp()
    if (isDisposed) app.dispose()
    await expect(settled(call(app))).rejects.toMatchObject({ code })
    expect(requests).toEqual([])
  })

  it('is not begun with a signal that has aborted', async () => {
    const { app, requests, settled } = await world()
    const options = { signal: AbortSignal.abort() }
    const aborted = call(
      new Proxy(app, {
        get: (target, name: keyof ClientApp) => (input: never) =>
          (target[name] as (input: never, options: object) => Promise<unknown>)(input, options),
      }),
    )
    await expect(settled(aborted)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(requests).toEqual([])
  })

  it('is never sent in another session, whenever another user signs in', async () => {
    for (let ticks = 0; ticks < 40; ticks++) {
      const { newApp, platform, settled } = await world()
      const senders: unknown[] = []
      const app = newApp({
        tokens: await platform.tokensFor(ada.email),
        fetch: (input, init) => {
          const token = new Headers(init?.headers).get('x-stack-access-token')
          if (init?.method === 'POST' && token) senders.push(readAccessToken(token)?.userId)
          return platform.options.fetch(input, init)
        },
      })
      const adasId = (await settled(app.user$.get()))?.id
      const others = (await platform.tokensFor(grace.email)).read() as Tokens
      const calling = Promise.allSettled([call(app)])
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      const starting = coreOf(app).session.start(others)
      await settled(calling)
      await settled(starting)
      expect([ticks, senders.filter(id => id !== adasId)]).toEqual([ticks, []])
      app.dispose()
    }
  })
})
