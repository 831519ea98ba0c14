import { createKit, flow$, memoryTokens, signInWithPassword, signOut } from 'rxauth'
import { flowOf, SignInFlow } from '../../src/sign-in/flow'
import { signInsOf } from '../../src/sign-in/sign-ins'
import { coreOf } from '../../src/store/kit-parts'
import { ada } from '../world'
import { askForTotp, gracesPassword, steps, tab, type Tab } from './flow-world'

const adasPassword = { email: ada.email, password: ada.password }

const sentTo = { email: 'ada@example.com', nonce: 'the-nonce' }

/** As if the platform had just mailed a code. */
function codeSent(app: Tab['app']): void {
  flowOf(app).codeSent(signInsOf(app).begin(), sentTo.email, sentTo.nonce)
}

describe('flow$', () => {
  it('is idle, and emits so at once', async () => {
    const { app } = await tab()
    expect(app.flow$.value).toEqual({ status: 'idle' })
    expect(steps(app)).toEqual(['idle'])
  })

  // Promise: prerender
  it('reads no time where no sign-in has begun, as while a page is built', async () => {
    const { platform } = await tab()
    const { clock } = platform.options
    const now = jest.fn(() => clock.now())
    const kit = createKit({ ...platform.options, tokens: memoryTokens(), clock: { ...clock, now } })
    expect(flow$(kit).value).toEqual({ status: 'idle' })
    expect(now).not.toHaveBeenCalled()
  })

  it('is done with the result of the sign-in, when the user is loaded', async () => {
    const { app, settled } = await tab()
    const seen: unknown[] = []
    app.auth$.subscribe()
    app.flow$.subscribe(flow => seen.push([flow.status, app.auth$.value.status]))
    const result = await settled(app.signInWithPassword(adasPassword))
    expect(seen).toEqual([
      ['idle', 'signed-out'],
      ['done', 'signed-in'],
    ])
    expect(app.flow$.value).toEqual({ status: 'done', signedIn: result.ok && result.value })
  })

  it('fails with the error of a first factor, and is done after the next one', async () => {
    const { app, settled } = await tab()
    const seen = steps(app)
    const result = await settled(app.signInWithPassword({ ...adasPassword, password: 'wrong' }))
    expect(app.flow$.value).toEqual({ status: 'failed', error: !result.ok && result.error })
    await settled(app.signInWithPassword(adasPassword))
    expect(seen).toEqual(['idle', 'failed', 'done'])
  })

  // Promise: listeners-in-order
  it('of each copy of this package in one page shows the sign-in of a kit that they share', async () => {
    const { app, settled } = await tab()
    const other = new SignInFlow(coreOf(app), signInsOf(app))
    const seen = [steps(app), steps({ flow$: other.flow$ } as typeof app)]
    await settled(app.signInWithPassword(adasPassword))
    expect(seen).toEqual([
      ['idle', 'done'],
      ['idle', 'done'],
    ])
  })

  it('stays as it is when the outcome of a sign-in is unknown', async () => {
    const { app, platform, settled } = await tab()
    const seen = steps(app)
    platform.faults.next('POST /auth/password/sign-in', { loseResponse: true })
    await expect(settled(app.signInWithPassword(adasPassword))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(seen).toEqual(['idle'])
  })

  it.each([
    ['signs out', (one: Tab): Promise<unknown> => one.app.signOut()],
    ['signs in once more', (one: Tab): Promise<unknown> => one.app.signInWithPassword(adasPassword)],
  ])('is done until the session ends: the user %s', async (what, end) => {
    const one = await tab()
    const seen = steps(one.app)
    await one.settled(one.app.signInWithPassword(adasPassword))
    await one.settled(end(one))
    expect(seen).toEqual(['idle', 'done', 'idle', ...(what === 'signs out' ? [] : ['done'])])
  })

  it('is idle again after a sign-out without watchers', async () => {
    const { app, settled } = await tab()
    await settled(app.signInWithPassword(adasPassword))
    expect(app.flow$.value.status).toBe('done')
    await settled(app.signOut())
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })

  it('emits the same steps to every subscriber, whatever one of them does inside next', async () => {
    const { app, settled } = await tab()
    const first: string[] = []
    app.flow$.subscribe(flow => {
      first.push(flow.status)
      if (flow.status === 'done') void app.signOut()
    })
    const second = steps(app)
    await settled(app.signInWithPassword(adasPassword))
    expect(first).toEqual(['idle', 'done', 'idle'])
    expect(second).toEqual(first)
  })

  it('completes with the kit, and leaves nothing behind when its subscribers have left', async () => {
    const { app } = await tab()
    let completed = false
    app.flow$.subscribe({ complete: () => (completed = true) })
    app.flow$.subscribe().unsubscribe()
    app.dispose()
    expect(completed).toBe(true)
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it('keeps the code that was sent over a reload, with its nonce', async () => {
    const { app, newTab } = await tab()
    codeSent(app)
    const reloaded = newTab()
    expect(reloaded.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: sentTo.email })
    expect(signInsOf(reloaded).nonce).toBe(sentTo.nonce)
  })

  it('keeps nothing that another tab sees', async () => {
    const { app, newTab } = await tab()
    codeSent(app)
    expect(newTab({ host: {} }).flow$.value).toEqual({ status: 'idle' })
  })

  it('remembers without session storage as long as the page lives', async () => {
    const { newTab, settled, totp } = await tab()
    const app = newTab({ host: {} })
    await askForTotp({ app, settled })
    expect(app.flow$.value.status).toBe('second-factor')
    expect(await settled(app.continueSignIn({ totp: await totp() }))).toMatchObject({ ok: true })
  })

  it('remembers where session storage is full or forbidden', async () => {
    const { newTab, settled } = await tab()
    const forbidden = () => {
      throw new Error('SecurityError')
    }
    const app = newTab({ host: { sessionStorage: { getItem: forbidden, setItem: forbidden, removeItem: forbidden } } })
    await askForTotp({ app, settled })
    expect(app.flow$.value.status).toBe('second-factor')
  })

  it('keeps waiting for a code when another way fails, and no longer when one is done', async () => {
    const { app, settled, newTab } = await tab()
    codeSent(app)
    await settled(app.signInWithPassword({ ...adasPassword, password: 'wrong' }))
    expect(app.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: sentTo.email })
    await settled(app.signInWithPassword(adasPassword))
    expect(app.flow$.value.status).toBe('done')
    expect(newTab().flow$.value).toEqual({ status: 'idle' })
  })

  it('forgets an awaited code when another user is signed in after a reload', async () => {
    const { app, newTab, settled, tokensOf, storage } = await tab()
    await settled(app.user$.get())
    codeSent(app)
    const reloaded = newTab({ tokens: await tokensOf(ada) })
    expect(reloaded.flow$.value.status).toBe('code-sent')
    await settled(reloaded.user$.get())
    expect(reloaded.flow$.value).toEqual({ status: 'idle' })
    expect(storage.items.size).toBe(0)
  })

  it('forgets a code and its address when the user who was signed in when it was sent signs out', async () => {
    const { app, newTab, settled, storage } = await tab()
    await settled(app.user$.get())
    await settled(app.signInWithPassword(adasPassword))
    codeSent(app)
    const seen = steps(app)
    await settled(app.signOut())
    expect(app.flow$.value).toEqual({ status: 'idle' })
    expect(newTab({ tokens: memoryTokens() }).flow$.value).toEqual({ status: 'idle' })
    expect(seen).toEqual(['code-sent', 'idle'])
    expect(storage.items.size).toBe(0)
  })

  it('forgets no code if the user who was signed in when it was sent is unknown', async () => {
    const { newTab, settled, tokensOf } = await tab()
    const app = newTab({ tokens: await tokensOf(ada) })
    codeSent(app)
    await settled(app.user$.get())
    expect(app.flow$.value.status).toBe('code-sent')
  })

  it.each([
    ['done', adasPassword, { ...adasPassword, password: 'wrong' }, 'done'],
    ['failed', { ...adasPassword, password: 'wrong' }, gracesPassword, 'failed'],
    ['failed', { ...adasPassword, password: 'wrong' }, adasPassword, 'done'],
    ['second-factor', gracesPassword, adasPassword, 'done'],
  ])(
    'is %s by the sign-in that began last; the outcome of an earlier one is shown if it is done',
    async (shown, last, first, step) => {
      const { app, clock, platform, settled } = await tab()
      platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
      const early = app.signInWithPassword(first)
      await clock.advance(0)
      await settled(app.signInWithPassword(last))
      expect(app.flow$.value.status).toBe(shown)
      await clock.advance(1000)
      await settled(early)
      expect(app.flow$.value.status).toBe(step)
    },
  )

  it('stays done when a sign-in that began before fails after it', async () => {
    const { app, clock, platform, settled } = await tab()
    const done = app.signInWithPassword(adasPassword)
    const failing = app.signInWithPassword({ ...adasPassword, password: 'wrong' })
    platform.faults.next('POST /auth/password/sign-in', {})
    platform.faults.next('POST /auth/password/sign-in', { delayMillis: 1000 })
    await settled(done)
    await clock.advance(1000)
    expect(await settled(failing)).toMatchObject({ ok: false })
    expect(app.flow$.value.status).toBe('done')
  })

  it.each([
    'nonsense',
    '{',
    'null',
    '[]',
    '{"status":"done","signedIn":{"next":"https://evil.example"}}',
    '{"status":"code-sent"}',
    '{"status":"second-factor","code":1,"at":0}',
  ])('takes %s in session storage for nothing', async text => {
    const { app, newTab, storage } = await tab()
    codeSent(app)
    for (const key of storage.items.keys()) storage.items.set(key, text)
    expect(newTab().flow$.value).toEqual({ status: 'idle' })
  })
})

describe('the flow of a kit that first reads flow$ after the sign-in', () => {
  async function kitInTab() {
    const { platform, storage, ...rest } = await tab()
    const kit = createKit({ ...platform.options, tokens: memoryTokens(), host: { sessionStorage: storage } })
    return { ...rest, storage, kit }
  }

  it.each([
    ['second-factor', gracesPassword],
    ['failed', { ...adasPassword, password: 'wrong' }],
    ['done', adasPassword],
  ])('is %s', async (step, input) => {
    const { kit, settled } = await kitInTab()
    await settled(signInWithPassword(kit, input))
    expect(flow$(kit).value).toMatchObject({ status: step })
  })

  it('is idle when the session of its sign-in has ended', async () => {
    const { kit, settled } = await kitInTab()
    await settled(signInWithPassword(kit, adasPassword))
    await settled(signOut(kit))
    expect(flow$(kit).value).toEqual({ status: 'idle' })
  })

  it('remembers a second factor for the next page, though this one never reads it', async () => {
    const { kit, newTab, settled, totp } = await kitInTab()
    await settled(signInWithPassword(kit, gracesPassword))
    const reloaded = newTab()
    expect(reloaded.flow$.value).toEqual({ status: 'second-factor' })
    expect(await settled(reloaded.continueSignIn({ totp: await totp() }))).toMatchObject({ ok: true })
  })

  it.each([
    ['done', adasPassword],
    ['refused', { ...gracesPassword, password: 'wrong' }],
  ])('remembers none when a later sign-in is %s', async (_, later) => {
    const { kit, newTab, settled, storage } = await kitInTab()
    await settled(signInWithPassword(kit, gracesPassword))
    await settled(signInWithPassword(kit, later))
    expect(storage.items.size).toBe(0)
    expect(newTab().flow$.value).toEqual({ status: 'idle' })
  })

  it('keeps waiting for a code that an earlier page requested', async () => {
    const { app, kit, settled } = await kitInTab()
    codeSent(app)
    await settled(signInWithPassword(kit, { ...adasPassword, password: 'wrong' }))
    expect(flow$(kit).value).toMatchObject({ status: 'code-sent' })
  })
})
