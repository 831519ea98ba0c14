import type { ClientOptions } from 'rxauth'
import { ada, grace, world, type World } from '../world'

const signIn = ({ email, password }: typeof ada) => ({ email, password })

/** The rejection of the promise. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )

/** Ada's kit, whose sign-ins are answered by `answer`. */
async function answeredBy(one: World, answer: (real: () => Promise<Response>) => Promise<Response>) {
  const fetch: NonNullable<ClientOptions['fetch']> = (input, init) => {
    const real = async () => one.platform.options.fetch(input, init)
    return (input as string).endsWith('/sign-in') ? answer(real) : real()
  }
  return one.newApp({ tokens: await one.tokensOf(ada), fetch })
}

describe('a call whose answer is a session', () => {
  it('resolves when watched stores show the new user, after one load of each', async () => {
    const { app, inTime, requests } = await world()
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    app.teams$.subscribe()
    await inTime(app.user$.get())
    requests.length = 0
    const shown = app.signInWithPassword(signIn(grace)).then(() => names.at(-1))
    expect(await inTime(shown)).toBe('Grace')
    expect(requests.filter(line => line !== 'POST /auth/password/sign-in').sort()).toEqual([
      'GET /teams',
      'GET /users/me',
    ])
  })

  it('has the present user loaded again if its outcome is not known', async () => {
    const one = await world()
    const app = await answeredBy(one, async real => {
      await real()
      throw new TypeError('network')
    })
    app.user$.subscribe()
    await one.inTime(app.user$.get())
    one.requests.length = 0
    expect(await one.inTime(rejection(app.signInWithPassword(signIn(grace))))).toMatchObject({ code: 'NETWORK_ERROR' })
    expect(one.requests).toContain('GET /users/me')
  })

  it('has the present user loaded again before it rejects, if its answer cannot be used', async () => {
    const one = await world()
    const app = await answeredBy(one, async real => {
      await real()
      return new Response('<html>')
    })
    app.user$.subscribe()
    await one.inTime(app.user$.get())
    one.requests.length = 0
    const seen = rejection(app.signInWithPassword(signIn(grace))).then(error => [error, one.requests.at(-1)])
    expect(await one.inTime(seen)).toEqual([
      expect.objectContaining({ code: 'INVALID_RESPONSE', details: { isDone: true } }),
      'GET /users/me',
    ])
  })

  it('loads nothing if it is refused', async () => {
    const { app, inTime, requests } = await world()
    app.user$.subscribe()
    await inTime(app.user$.get())
    requests.length = 0
    const refused = await inTime(app.signInWithPassword({ ...signIn(grace), password: 'wrong horse' }))
    expect(refused).toMatchObject({ ok: false, error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    expect(requests).toEqual(['POST /auth/password/sign-in'])
  })

  it('rejects with DISPOSED when the kit is disposed of, and starts nothing', async () => {
    const one = await world()
    const app = await answeredBy(one, () => new Promise(() => {}))
    const waiting = rejection(app.signInWithPassword(signIn(grace)))
    await one.clock.advance(100)
    app.dispose()
    expect(await one.settled(waiting)).toMatchObject({ code: 'DISPOSED' })
  })

  it('rejects with ABORTED in the middle, and sends nothing if the signal is aborted before', async () => {
    const one = await world()
    const app = await answeredBy(one, () => new Promise(() => {}))
    const controller = new AbortController()
    const waiting = rejection(app.signInWithPassword(signIn(grace), { signal: controller.signal }))
    await one.clock.advance(100)
    controller.abort()
    expect(await one.settled(waiting)).toMatchObject({ code: 'ABORTED' })
    one.requests.length = 0
    // Before the input is checked, too.
    for (const password of [grace.password, 5 as never]) {
      const late = rejection(one.app.signInWithPassword({ ...grace, password }, { signal: controller.signal }))
      expect(await one.settled(late)).toMatchObject({ code: 'ABORTED' })
    }
    expect(one.requests).toEqual([])
  })
})
