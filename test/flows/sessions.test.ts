import { createClientApp, memoryTokens, systemClock } from 'rxauth'
import type { ClientApp, Clock } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import type { Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'

const ada = { email: 'ada@example.com', password: 'correct horse' }

interface Way {
  readonly platform: Platform
  newApp(): ClientApp
  /** Lets so much time pass on the platform's clock and on that of the apps. */
  pass(millis: number): Promise<void>
  close(): Promise<void>
}

function inProcess(): Promise<Way> {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada] } })
  return Promise.resolve({
    platform,
    newApp: () => createClientApp({ ...platform.options, tokens: memoryTokens() }),
    pass: millis => clock.advance(millis),
    close: () => Promise.resolve(),
  })
}

async function overHttp(): Promise<Way> {
  const { platform, pass } = await inProcess()
  const server = await listen(platform, { port: 0 })
  // Sockets wait for nobody's clock but the machine's; the apps have one that ends backoffs at once.
  const { clock } = platform.options
  const impatient: Clock = {
    now: () => clock.now(),
    random: () => 0,
    setTimeout: (run, millis, options) => systemClock.setTimeout(run, millis >= 5000 ? millis : 0, options),
  }
  return {
    platform,
    newApp: () => createClientApp({ baseUrl: server.url, tokens: memoryTokens(), clock: impatient }),
    pass,
    close: () => server.close(),
  }
}

const revoke = 'DELETE /auth/sessions/{sessionId}'

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
])('a person who is signed in at several places, %s,', (name, open) => {
  let way: Way
  let requests: string[]
  let apps: ClientApp[]
  beforeEach(async () => {
    way = await open()
    requests = []
    apps = []
    way.platform.requests$.subscribe(({ method, path, status }) => requests.push(`${method} ${path} ${status}`))
  })
  afterEach(async () => {
    for (const app of apps) app.dispose()
    await way.close()
  })

  /** Another place, a second later. */
  async function signIn(): Promise<ClientApp> {
    await way.pass(1000)
    const app = way.newApp()
    apps.push(app)
    expect((await app.signInWithPassword(ada)).ok).toBe(true)
    return app
  }

  const current = async (app: ClientApp) => (await app.sessions$.get()).find(each => each.isCurrentSession)!
  /** What it comes to while time passes, where time is virtual. */
  async function meanwhile<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined)
    if (name === 'in process') await way.pass(4000)
    return promise
  }

  it('sees them all, ends one, and is signed out there', async () => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const shown: number[] = []
    const subscription = laptop.sessions$.subscribe(all => shown.push(all.length))
    const [newest, oldest] = await laptop.sessions$.get()
    expect([newest, oldest]).toMatchObject([{ isCurrentSession: false }, { isCurrentSession: true }])
    expect(+newest!.createdAt - +oldest!.createdAt).toBe(1000)
    await laptop.revokeSession({ sessionId: newest!.id })
    expect(shown).toEqual([2, 1])
    subscription.unsubscribe()
    await way.pass(10 * 60_000)
    expect(await phone.accessToken()).toBeNull()
    expect(phone.auth$.value).toEqual({ phase: 'signed-out', reason: 'expired' })
    expect(await laptop.accessToken()).not.toBeNull()
  })

  it('cannot end the present one that way, and stays signed in', async () => {
    const laptop = await signIn()
    const { id } = await current(laptop)
    await expect(laptop.revokeSession({ sessionId: id })).rejects.toMatchObject({
      code: 'CANNOT_DELETE_CURRENT_SESSION',
    })
    await way.pass(10 * 60_000)
    expect((await laptop.user$.get())?.primaryEmail).toBe(ada.email)
  })

  it('ends one whose answer is lost, and knows that it is done', async () => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const { id } = await current(phone)
    way.platform.faults.next(revoke, { loseResponse: true })
    await meanwhile(laptop.revokeSession({ sessionId: id }))
    const route = `DELETE /auth/sessions/${id}`
    expect(requests.filter(line => line.startsWith(route))).toEqual([`${route} 200`, `${route} 404`])
    expect((await laptop.sessions$.get()).map(each => each.isCurrentSession)).toEqual([true])
  })

  it.each([
    ['waits when it is asked to', { status: 429, retryAfter: '1' }, true],
    ['is told of a server that fails', { status: 500 }, false],
    ['is told of an answer that is no answer', { body: 'wrong-code' }, false],
  ] as const)('%s', async (_, fault, works) => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const { id } = await current(phone)
    const subscription = laptop.sessions$.subscribe()
    await laptop.sessions$.get()
    way.platform.faults.next(revoke, fault)
    const call = meanwhile(laptop.revokeSession({ sessionId: id }))
    if (works) await call
    else
      await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(REQUEST_FAILED|INVALID_RESPONSE)$/) })
    // Whatever was shown meanwhile, what is shown in the end is the truth.
    await meanwhile(laptop.sessions$.refresh())
    const done = works || 'body' in fault
    expect(laptop.sessions$.snapshot).toMatchObject({ unconfirmed: 0, value: { length: done ? 1 : 2 } })
    subscription.unsubscribe()
  })

  it('has signed out everywhere after ending the others and then this one', async () => {
    const [laptop, phone, tablet] = [await signIn(), await signIn(), await signIn()]
    const others = (await laptop.sessions$.refresh()).filter(each => !each.isCurrentSession)
    expect(others.length).toBe(2)
    await Promise.all(others.map(({ id }) => laptop.revokeSession({ sessionId: id })))
    await laptop.signOut()
    await way.pass(10 * 60_000)
    for (const app of [laptop, phone, tablet]) expect(await app.accessToken()).toBeNull()
  })
})
