import { AuthError, mutation, type ClientOptions } from 'rxauth'
import { invalidResponse } from '../../../src/errors/auth-error'
import { ada, grace, world } from '../../world'
import { outcome } from '../own-backend'
import { renaming } from '../renaming'

const unusable = { 'no JSON': '<html>', 'half of it': '{"id":"t', 'no id': '{"display_name":"Lab"}', nothing: '' }

/** A kit whose next answer to `line` is another text, although the platform has done the write. */
async function spoilt(text: string, line: string) {
  const one = await world({
    platform: { seed: { users: [ada, grace], project: { config: { clientTeamCreationEnabled: true } } } },
  })
  let isSpoilt = false
  const [method, path = ''] = line.split(' ')
  const fetch: NonNullable<ClientOptions['fetch']> = async (input, init) => {
    const response = await one.platform.options.fetch(input, init)
    if (isSpoilt || init?.method !== method || !(input as string).endsWith(path)) return response
    isSpoilt = true
    return new Response(text, { status: response.status })
  }
  const app = one.newApp({ tokens: await one.tokensOf(ada), fetch })
  return { ...one, app }
}

/** The rejection of the promise. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )

describe('a write that the platform has done, and whose answer cannot be used', () => {
  // Promise: write-unusable-answer
  it.each(Object.entries(unusable))('rejects after the stores that it makes stale have loaded: %s', async (_, text) => {
    const { app, inTime, requests } = await spoilt(text, 'POST /teams')
    const shown: number[] = []
    app.teams$.subscribe(teams => shown.push(teams.length))
    await inTime(app.teams$.get())
    requests.length = 0
    const seen = rejection(app.createTeam({ displayName: 'Lab' })).then(error => [error, [...shown]])
    expect(await inTime(seen)).toEqual([
      expect.objectContaining({ code: 'INVALID_RESPONSE', status: 201, details: { isDone: true } }),
      // Before it rejects, the subscriber has the new team.
      [0, 1],
    ])
    expect(requests.filter(line => line === 'POST /teams')).toHaveLength(1)
  })

  // Promise: write-unusable-answer
  it('keeps what it shows until that load has ended, and is not rolled back', async () => {
    const { app, inTime } = await spoilt('<html>', 'PATCH /users/me')
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await inTime(app.user$.get())
    const error = await inTime(rejection(app.updateUser({ displayName: 'Countess' })))
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', details: { isDone: true } })
    expect(names).toEqual(['Ada', 'Countess'])
  })

  it('can be a sign-in: no user is signed in, and the flow can be tried again', async () => {
    const { newApp, platform, inTime } = await world()
    const app = newApp({
      fetch: async (input, init) => {
        const response = await platform.options.fetch(input, init)
        return (input as string).endsWith('/sign-in') ? new Response('<html>', { status: 200 }) : response
      },
    })
    const error = await inTime(rejection(app.signInWithPassword({ email: ada.email, password: ada.password })))
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', details: { isDone: true } })
    expect(await inTime(app.user$.get())).toBeNull()
  })
})

describe('a read', () => {
  // Promise: write-unusable-answer
  it.each(Object.entries(unusable))('is never done: %s', async (_, text) => {
    const { app, inTime } = await spoilt(text, 'GET /users/me')
    expect(await inTime(rejection(app.user$.refresh()))).toMatchObject({
      code: 'INVALID_RESPONSE',
      details: { isDone: false },
    })
  })

  // Promise: write-unusable-answer
  it('that a write needs before it is sent does not make it done', async () => {
    const { app, inTime, clock, requests } = await spoilt('<html>', 'POST /auth/oauth/token')
    await inTime(app.user$.get())
    await clock.advance(3_600_000)
    requests.length = 0
    expect(await inTime(rejection(app.updateUser({ displayName: 'Countess' })))).toMatchObject({
      code: 'INVALID_RESPONSE',
      details: { isDone: false },
    })
    expect(requests).not.toContain('PATCH /users/me')
  })
})

describe('a write of the app itself', () => {
  it.each([
    ['rejects as done after the load', true, ['old', 'old+a', 'new']],
    ['is rolled back, and loaded', false, ['old', 'old+a', 'old', 'new']],
  ])('%s', async (_, isDone, told) => {
    const { kit, rename, values, reads, writes, answer, run, clock } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    writes.last.refuse(invalidResponse('no JSON', '', { isDone }))
    await run()
    expect(done.value).toBe(isDone ? 'pending' : 'error: INVALID_RESPONSE')
    await answer(reads, 'new')
    await clock.advance(1000)
    expect([done.value, values.told]).toEqual(['error: INVALID_RESPONSE', told])
  })

  it('may throw an error of that code without details', async () => {
    const { kit, run } = await renaming()
    const odd = mutation(() => Promise.reject(new AuthError('INVALID_RESPONSE', 'odd')), { refreshes: () => [] })
    const done = outcome(odd(kit, {}))
    await run()
    expect(done.value).toBe('error: INVALID_RESPONSE')
  })
})
