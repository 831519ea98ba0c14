import {
  anyUser$,
  authHeaders,
  cookieTokens,
  createClientApp,
  inspect,
  isAuthError,
  requestTokens,
  tokens$,
} from 'rxauth'
import { wait } from '../../src/core/clock'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { createServerApp, type RequestApp } from 'rxauth/server'
import { runs } from '../runs'

const people = 50
const requests = runs(200, 1000)

/** A user of its own for each number, in a team of its own. */
function person(index: number) {
  return { email: `user${index}@example.com`, displayName: `User ${index}`, verified: true }
}

interface Request {
  readonly user: number
  readonly app: RequestApp
}

async function scene() {
  const clock = virtualClock(undefined, { seed: 18 })
  const platform = createPlatform({
    clock,
    seed: {
      project: { config: { clientTeamCreationEnabled: true } },
      users: Array.from({ length: people }, (_, index) => person(index)),
      teams: Array.from({ length: people }, (_, index) => ({
        displayName: `Team ${index}`,
        members: [{ email: person(index).email, permissions: ['team_admin'] }],
      })),
    },
  })
  /** Whose token went with which answer: every call of a session carries one. */
  const carried: { readonly token: string; readonly body: string }[] = []
  const server = createServerApp({
    ...platform.serverOptions,
    async fetch(input, init) {
      // So that answers overtake each other.
      await wait(clock, clock.random() * 2000)
      const response = await platform.options.fetch(input, init)
      const token = new Headers(init?.headers).get('x-stack-access-token')
      if (token !== null) carried.push({ token, body: await response.clone().text() })
      return response
    },
  })
  const sessions = await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      const tokens = (await platform.tokensFor(person(index).email)).read()
      return JSON.stringify(tokens)
    }),
  )
  const userIds = (await inTime(server.users$().get())).items.map(({ id }) => id)

  /** A request of one of the users; its cookies or header are an object of its own, as in a real server. */
  const begin = (user: number): Request => {
    const request = { headers: new Headers({ 'x-stack-auth': sessions[user] ?? '' }) }
    return { user, app: server.withTokens(requestTokens(request)) }
  }

  async function inTime<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined)
    for (let seconds = 0; seconds < 120; seconds++) await clock.advance(1000)
    return clock.settled(promise)
  }

  return { clock, platform, server, carried, userIds, begin, inTime }
}

/** What a request shows of its user, read and written in between. */
async function serve({ user, app }: Request, visit: number) {
  const [self, teams] = await Promise.all([app.user$.get(), app.teams$.get()])
  const updated = await app.updateUser({ clientMetadata: { user, visit } })
  const own = await app.ownUser$.get()
  const headers = await authHeaders(app, { as: 'stack' })
  return { self, teams, updated, own, headers }
}

/** Each request makes four calls, with a signature each. */
const limitMillis = 300_000

describe(`${requests} interleaved requests of ${people} users`, () => {
  // Promise: requests-isolated
  it(
    'show each user its own, and write nothing as another user',
    async () => {
      const { server, platform, carried, userIds, begin, inTime, clock } = await scene()
      // Half of them come after the access tokens of their cookies have expired.
      const running: Promise<unknown>[] = []
      const served: { readonly user: number; readonly shown: Awaited<ReturnType<typeof serve>> }[] = []
      const failures: unknown[] = []
      for (let visit = 0; visit < requests; visit++) {
        if (visit === requests / 2) await clock.advance(700_000)
        const request = begin((visit * 7) % people)
        const run = serve(request, visit)
          .then(shown => served.push({ user: request.user, shown }))
          .catch((error: unknown) => failures.push(error))
          .finally(() => {
            request.app.dispose()
          })
        running.push(run)
        if (visit % 10 === 9) await clock.advance(clock.random() * 500)
      }
      await inTime(Promise.all(running))
      expect(failures).toEqual([])
      expect(served).toHaveLength(requests)
      for (const { user, shown } of served) {
        const { email, displayName } = person(user)
        const id = userIds[user]
        expect(shown.self).toMatchObject({ id, primaryEmail: email, displayName })
        expect(shown.own).toMatchObject({ id, primaryEmail: email })
        expect(shown.teams.map(team => team.displayName)).toEqual([`Team ${user}`])
        expect(shown.updated).toMatchObject({ id })
        expect(
          subjectOf((JSON.parse(shown.headers['x-stack-auth'] ?? '') as { accessToken: string }).accessToken),
        ).toBe(id)
      }
      // What went over the wire: no answer about one user was asked for with the token of another.
      for (const { token, body } of carried) {
        const others = userIds.filter(id => id !== subjectOf(token))
        expect(others.filter(id => body.includes(id))).toEqual([])
      }
      expect(carried.length).toBeGreaterThanOrEqual(requests * 4)
      // And each write changed the user's own fields.
      const fresh = createServerApp(platform.serverOptions)
      for (const [user, { clientMetadata }] of (await inTime(fresh.users$().get())).items.entries())
        expect(clientMetadata).toMatchObject({ user })
      // Nothing of the requests is left in the app that they came from.
      expect(inspect(server)).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    },
    limitMillis,
  )

  // Promise: requests-isolated
  it('share no store, not even one that no session owns', async () => {
    const { server, userIds, begin, inTime, platform } = await scene()
    const [first, second] = [begin(0), begin(1)]
    const paths: string[] = []
    platform.requests$.subscribe(({ path }) => paths.push(path))
    const byId = { userId: userIds[0] ?? '' }
    for (const { app } of [first, second]) await inTime(Promise.all([app.project$.get(), app.userById$(byId).get()]))
    expect(paths.filter(path => path === '/projects/current')).toHaveLength(2)
    // A write of one request does not change stores of another, which reads the platform's present state.
    await inTime(first.app.updateUserById({ ...byId, displayName: 'Changed' }))
    expect(second.app.userById$(byId).snapshot).not.toMatchObject({ value: { displayName: 'Changed' } })
    expect(server.userById$(byId).snapshot.status).toBe('pending')
    for (const { app } of [first, second]) app.dispose()
  })

  it('never reach an app of a module: it is signed out while they are served, and cannot take their cookies', async () => {
    const { server, platform, begin, inTime } = await scene()
    const client = createClientApp({ ...platform.options, tokens: cookieTokens() })
    const seen: unknown[] = []
    tokens$(server).subscribe(tokens => seen.push(tokens))
    anyUser$(server).subscribe(user => seen.push(user))
    const served = Array.from({ length: 20 }, async (_, user) => {
      const { app } = begin(user)
      const [own, shared] = await Promise.all([app.user$.get(), anyUser$(server).get()])
      app.dispose()
      return [own?.primaryEmail, shared]
    })
    expect(await inTime(Promise.all(served))).toEqual(
      Array.from({ length: 20 }, (_, user) => [person(user).email, null]),
    )
    expect(seen).toEqual([null, null])
    await expect(inTime(client.user$.get())).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
  })

  // Promise: requests-isolated
  it('end alone: when one disposes of its app, the others go on', async () => {
    const { begin, inTime } = await scene()
    const [first, second] = [begin(0), begin(0)]
    const reading = [first, second].map(({ app }) => app.user$.get())
    first.app.dispose()
    const outcomes = await inTime(Promise.allSettled(reading))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    const [rejected] = outcomes as [PromiseRejectedResult]
    expect(isAuthError(rejected.reason) && rejected.reason.code).toBe('DISPOSED')
    second.app.dispose()
  })
})

function subjectOf(token: string): string {
  const [, payload = ''] = token.split('.')
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub
}
