import { comeBack, exchanges, opener, outcome } from './popup-world'
import { home, parameter, type Tab } from '../../oauth-web'
import { web } from './web'

describe('the messages between the windows', () => {
  it.each([
    null,
    7,
    'arrived',
    {},
    { line: 'x', message: { step: 'arrived', arrived: { code: 'theirs' } } },
    { message: { step: 'arrived', arrived: { code: 'theirs' } } },
  ])('is understood or left alone: %j', async said => {
    await expectsOwn(() => said)
  })

  it.each([
    null,
    {},
    { step: 'stop' },
    { step: 'arrived' },
    { step: 'arrived', arrived: null },
    { step: 'arrived', arrived: { code: 7 } },
    { step: 'arrived', arrived: { error: 'x' } },
    { step: 'arrived', arrived: { error: { code: {} } } },
  ])('is understood or left alone on the right line: %j', async message => {
    await expectsOwn(line => ({ line, message }))
  })

  async function expectsOwn(said: (line: string) => unknown) {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const name = `rxauth-oauth-${parameter(await one.popup.gone, 'state')!}`
    const channel = web.channels.of({})(name)
    channel.postMessage(said(name))
    channel.close()
    await web.clock.advance(0)
    await comeBack(one)
    expect(await result).toMatchObject({ ok: true })
  }

  it('goes by the windows themselves where the browser has no channels', async () => {
    const one = opener({ host: { channel: undefined as never } })
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const back = await web.walk(await one.popup.gone)
    const inPopup = web.open(back, { host: { channel: undefined as never } })
    const said: unknown[] = []
    /** To a window, if its page is of that origin. */
    const to = (tab: () => Tab) => (data: unknown, origin: string) => {
      said.push(data)
      if (origin === home) void Promise.resolve().then(() => tab().dispatch('message', { origin: home, data }))
    }
    inPopup.set({ opener: { postMessage: to(() => one.page) } })
    one.popup.postMessage = to(() => inPopup)
    one.page.dispatch('message', { origin: 'https://evil.example', data: { line: 'x' } })
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    expect(await result).toMatchObject({ ok: true })
    expect(await callback).toMatchObject({ status: 'ignored' })
    expect(said.length).toBeGreaterThan(0)
    expect([one.page, inPopup].map(page => page.listeners('message'))).toEqual([0, 0])
  })

  it('goes by the windows, too, where the browser refuses a channel', async () => {
    const channel = () => {
      throw new Error('refused')
    }
    const one = opener({ host: { channel } })
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: 1 }))
    await one.popup.gone
    await web.clock.advance(1)
    expect(await result).toMatchObject({ code: 'TIMED_OUT' })
  })

  it('is not believed from another origin', async () => {
    const one = opener({ host: { channel: undefined as never } })
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const line = `rxauth-oauth-${parameter(await one.popup.gone, 'state')!}`
    const data = { line, message: { step: 'arrived', arrived: { code: 'theirs' } } }
    one.page.dispatch('message', { origin: 'https://evil.example', data })
    await web.clock.advance(0)
    expect(exchanges()).toEqual([])
    one.page.dispatch('message', { origin: home, data })
    await expect(result).rejects.toMatchObject({ code: 'INVALID_AUTHORIZATION_CODE' })
  })
})
