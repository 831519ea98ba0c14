import { memoryTokens, type ClientOptions, type Host } from 'rxauth'
import { comeBack, exchanges, nothing, opener, outcome } from './popup-world'
import { mary, parameter, signInPage } from '../../oauth-web'
import { web } from './web'

describe('a window that does not come back', () => {
  it('for five minutes is TIMED_OUT', async () => {
    const one = opener()
    let result: unknown
    void outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' })).then(value => (result = value))
    await one.popup.gone
    await web.clock.advance(299_999)
    expect(result).toBeUndefined()
    await web.clock.advance(1)
    expect(result).toMatchObject({ code: 'TIMED_OUT', message: expect.stringContaining('300 s') })
    expect(one.popup.closed).toBe(false)
  })

  it('within the time that the caller gives is TIMED_OUT; without a limit it is waited for', async () => {
    const [hasty, patient] = [opener(), opener()]
    const early = outcome(hasty.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: 1000 }))
    let late: unknown
    void outcome(patient.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: Infinity })).then(
      value => (late = value),
    )
    await Promise.all([hasty.popup.gone, patient.popup.gone])
    await web.clock.advance(1000)
    expect(await early).toMatchObject({ code: 'TIMED_OUT' })
    await web.clock.advance(86_400_000)
    expect(late).toBeUndefined()
  })

  it.each([0, -1, NaN, 2 ** 31])('within %p ms is refused before a window is opened', async popupTimeoutMillis => {
    const one = opener()
    const call = one.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis })
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'popupTimeoutMillis' } })
    expect(one.calls).toEqual([])
  })

  it('seems closed at once where the platform cuts it off, and signs in all the same', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    await one.popup.gone
    one.popup.closed = true
    await web.clock.advance(120_000)
    const { callback } = await comeBack(one)
    expect(await result).toMatchObject({ ok: true })
    await callback
  })

  const ways = ['TIMED_OUT', 'ABORTED'] as const
  /** A call that was given up, and where its window may still come back to. */
  async function givenUp(code: (typeof ways)[number], options: Partial<ClientOptions> = {}) {
    const one = opener(options)
    const controller = new AbortController()
    const { signal } = controller
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal }))
    await one.popup.gone
    if (code === 'ABORTED') controller.abort()
    else await web.clock.advance(300_000)
    expect(await result).toMatchObject({ code })
    return one
  }

  it.each(ways)('until the call is %s signs in here when it does', async code => {
    const one = await givenUp(code, { tokens: memoryTokens() })
    const { inPopup, callback } = await comeBack(one)
    expect(await callback).toMatchObject({
      status: 'ignored',
      reason: expect.stringContaining('continues the sign-in'),
    })
    expect(inPopup.isClosed).toBe(true)
    await web.clock.advance(1000)
    expect(one.page.app.flow$.value.status).toBe('done')
    expect((await one.page.app.user$.get())?.primaryEmail).toBe(mary.email)
    expect(exchanges()).toHaveLength(1)
    await web.clock.advance(5000)
    expect(one.page.app.inspect()).toEqual(nothing)
    expect(web.channels.openCount).toBe(0)
  })

  it.each(ways)('until the call is %s reports no refusal any more', async code => {
    const one = await givenUp(code)
    await (
      await comeBack(one, 'refuses')
    ).callback
    expect(one.page.app.flow$.value.status).toBe('idle')
    expect(web.channels.openCount).toBe(0)
  })

  it.each(ways)('until the call is %s, and not until the platform waits no longer, is forgotten', async code => {
    const one = await givenUp(code)
    expect(web.channels.openCount).toBe(1)
    await web.clock.advance(600_000)
    expect(one.page.app.inspect()).toEqual(nothing)
    expect(web.channels.openCount).toBe(0)
  })

  it('until the call is given up reports an unawaited failure to the app', async () => {
    const told: unknown[] = []
    const one = await givenUp('ABORTED', { onUnhandled: error => told.push(error) })
    web.platform.faults.next('POST /auth/oauth/token', { status: 503 })
    await (
      await comeBack(one)
    ).callback
    await web.clock.advance(0)
    expect(told).toMatchObject([{ code: 'REQUEST_FAILED' }])
  })

  it('but hands over in the moment in which the caller gives up, signs in', async () => {
    const one = opener({ tokens: memoryTokens() })
    const controller = new AbortController()
    const { signal } = controller
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal }))
    const back = await web.walk(await one.popup.gone)
    const name = `rxauth-oauth-${parameter(back, 'state')!}`
    const line = web.channels.of({})(name)
    line.postMessage({ line: name, message: { step: 'arrived', arrived: { code: parameter(back, 'code')! } } })
    const got = new Promise<void>(resolve => {
      line.onmessage = () => resolve()
    })
    one.page.focus()
    await got
    controller.abort()
    expect(await result).toMatchObject({ code: 'ABORTED' })
    await web.clock.advance(1000)
    expect((await one.page.app.user$.get())?.primaryEmail).toBe(mary.email)
    line.close()
  })

  it('to the page that waits, since it was reloaded, signs in by itself', async () => {
    const one = opener()
    void outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    one.page.load(signInPage)
    const inPopup = web.open(back)
    const callback = inPopup.app.handleOAuthCallback()
    await web.clock.advance(1999)
    expect(exchanges()).toEqual([])
    await web.clock.advance(1)
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(inPopup.isClosed).toBe(false)
    expect(inPopup.app.inspect()).toEqual(nothing)
  })

  it('because the caller gives up is ABORTED, and closed where it can be', async () => {
    const one = await givenUp('ABORTED')
    expect(one.popup.closed).toBe(true)
  })

  it('because the kit is disposed of is DISPOSED, and signs in by itself if it does', async () => {
    const one = opener()
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    one.page.app.dispose()
    expect(await result).toMatchObject({ code: 'DISPOSED' })
    expect(one.popup.closed).toBe(true)
    expect(web.channels.openCount).toBe(0)
    const callback = web.open(back).app.handleOAuthCallback()
    await web.clock.advance(2000)
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
  })

  it('before it was sent off, because the caller gives up, leaves no cookie', async () => {
    const one = opener()
    const controller = new AbortController()
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal: controller.signal }))
    controller.abort()
    expect(await result).toMatchObject({ code: 'ABORTED' })
    expect(one.popup.closed).toBe(true)
    for (let turn = 0; turn < 20; turn++) await web.clock.advance(0)
    expect(web.jar.all).toEqual([])
  })

  it('to a page that answers too late, is not handed over as well', async () => {
    // Everything that is said to the page arrives when the window has stopped waiting.
    const late: (() => void)[] = []
    const channel: Host['channel'] = name => {
      const open = web.channels.of({})(name)
      const slow: typeof open = {
        onmessage: null,
        postMessage: message => open.postMessage(message),
        close: () => open.close(),
      }
      open.onmessage = event => {
        late.push(() => {
          slow.onmessage?.call(slow as BroadcastChannel, event)
        })
      }
      return slow
    }
    const one = opener({ host: { channel } })
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    const inPopup = web.open(back)
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    await web.clock.advance(2000)
    for (const deliver of late) deliver()
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(await result).toMatchObject({
      code: 'ABORTED',
      message: expect.stringContaining('continues in the popup'),
    })
    expect(one.popup.closed).toBe(false)
    expect(exchanges()).toHaveLength(1)
  })
})
