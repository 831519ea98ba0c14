import { defer, of, Subject, throwError, type Observable } from 'rxjs'
import type { TokenStore } from 'rxauth'
import { withBearer } from '../../src/backend/bearer'
import { ada, grace, world } from '../world'
import { credentialsOf } from '../tabs'
import { watchable } from '../sign-in/watchable'

const api = 'https://api.example.com'

/** A library that has interceptors in place of a `fetch`. */
async function library() {
  const all = await world({ app: { apiOrigins: [api] } })
  const token = await all.settled(all.app.accessToken())
  /** The tokens that were sent; undefined: without one. */
  const sent: (string | undefined)[] = []
  const told: unknown[] = []
  /** Sends a request, whose answer, error and end are told. */
  const send = (answer$: Observable<unknown>, { url = `${api}/notes`, method = 'GET' } = {}) =>
    withBearer(all.app, { url, method }, token =>
      defer(() => {
        sent.push(token)
        return answer$
      }),
    ).subscribe({
      next: value => told.push(value),
      error: (error: unknown) => told.push(error),
      complete: () => told.push('complete'),
    })
  const refreshes = () => all.requests.filter(line => line === 'POST /auth/oauth/token').length
  return { ...all, refreshes, send, sent, token, told }
}

const never$ = new Subject()
const unauthorized = { status: 401 }

describe('a request of another library', () => {
  it('is sent with the token, and its answer handed on', async () => {
    const { clock, send, sent, told, token } = await library()
    send(of('tea'))
    await clock.advance(0)
    expect([sent, told]).toEqual([[token], ['tea', 'complete']])
  })

  it.each(['https://elsewhere.example/a', 'https://api.example.com.evil.example', 'https://', 'data:,a'])(
    'to %s is sent at once, without a token and without a read of the session',
    async url => {
      const { send, sent, told } = await library()
      send(of('tea'), { url })
      expect([sent, told]).toEqual([[undefined], ['tea', 'complete']])
    },
  )

  it('has a token of its own for each subscription', async () => {
    const { app, clock, sent, settled, token } = await library()
    const request$ = withBearer(app, { url: `${api}/notes`, method: 'GET' }, given => {
      sent.push(given)
      return of('tea')
    })
    request$.subscribe()
    await clock.advance(600_000)
    request$.subscribe()
    await clock.advance(0)
    await settled(app.signOut())
    request$.subscribe()
    await clock.advance(0)
    expect(sent).toEqual([token, expect.stringMatching(/^ey/), undefined])
    expect(sent[1]).not.toBe(token)
  })

  it('does not watch the token store after it has ended, not even before its token was there', async () => {
    const { clock, newApp, tokensOf } = await world()
    const { store, watchers } = watchable((await tokensOf(ada)) as TokenStore)
    const app = newApp({ tokens: store, apiOrigins: [api] })
    const request$ = withBearer(app, { url: `${api}/notes`, method: 'GET' }, () => never$)
    request$.subscribe().unsubscribe()
    await clock.advance(0)
    expect(watchers()).toBe(0)
    const subscription = request$.subscribe()
    await clock.advance(0)
    expect(watchers()).toBe(1)
    subscription.unsubscribe()
    expect(watchers()).toBe(0)
    app.dispose()
  })

  it('is repeated once after a 401, with another token', async () => {
    const { clock, refreshes, send, sent, told } = await library()
    send(throwError(() => unauthorized))
    await clock.advance(0)
    expect([sent.length, new Set(sent).size, refreshes(), told]).toEqual([2, 2, 1, [unauthorized]])
  })

  it.each([{ status: 403 }, { status: '401' }, null, undefined, 'failed', 401])(
    'that fails with %j is not repeated',
    async error => {
      const { clock, send, sent, told } = await library()
      send(throwError(() => error))
      await clock.advance(0)
      expect([sent.length, told]).toEqual([1, [error]])
    },
  )

  it('is not repeated without a session', async () => {
    const { app, clock, refreshes, send, sent, settled, told } = await library()
    await settled(app.signOut())
    send(throwError(() => unauthorized))
    await clock.advance(0)
    expect([sent, told, refreshes()]).toEqual([[undefined], [unauthorized], 0])
  })

  it('fails with SESSION_CHANGED at a sign-out, also while it is repeated', async () => {
    const { app, clock, send, settled, told } = await library()
    let isFirst = true
    const answer$ = defer(() => (isFirst ? ((isFirst = false), throwError(() => unauthorized)) : never$))
    send(answer$)
    await clock.advance(0)
    send(never$)
    await clock.advance(0)
    await settled(app.signOut())
    expect(told).toEqual([
      expect.objectContaining({ code: 'SESSION_CHANGED' }),
      expect.objectContaining({ code: 'SESSION_CHANGED' }),
    ])
    expect([never$.observed, app.inspect().subscriptions]).toEqual([false, 0])
  })

  it('is not sent, or fails, if its session ends at any moment before that', async () => {
    const counts = new Set<number>()
    // So many turns of promises lie between its subscription and its token.
    for (let turns = 0; turns < 15; turns++) {
      const { app, clock, send, sent, told } = await library()
      send(never$)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      void app.signOut()
      await clock.advance(0)
      expect({ turns, told }).toEqual({ turns, told: [expect.objectContaining({ code: 'SESSION_CHANGED' })] })
      expect(never$.observed).toBe(false)
      counts.add(sent.length)
      app.dispose()
    }
    expect(counts).toEqual(new Set([0, 1]))
  })

  it('completes with its kit, also while it waits for the token or is repeated', async () => {
    const { app, clock, platform, send, told } = await library()
    send(never$)
    let isFirst = true
    send(defer(() => (isFirst ? ((isFirst = false), throwError(() => unauthorized)) : never$)))
    await clock.advance(0)
    platform.faults.every('POST /auth/oauth/token', { delayMillis: 500 })
    await clock.advance(600_000)
    send(never$)
    app.dispose()
    expect([told, never$.observed]).toEqual([['complete', 'complete', 'complete'], false])
    await clock.advance(1000)
    expect(told).toHaveLength(3)
  })

  it('fails with DISPOSED after the end of its kit, and is not sent', async () => {
    const { app, clock, send, sent, told } = await library()
    app.dispose()
    send(of('tea'))
    await clock.advance(0)
    expect([sent, told]).toEqual([[], [expect.objectContaining({ code: 'DISPOSED' })]])
  })

  it('is not sent once its caller has unsubscribed', async () => {
    const { app, clock, send, sent } = await library()
    await clock.advance(600_000)
    send(of('tea')).unsubscribe()
    await clock.advance(0)
    expect([sent, app.inspect().subscriptions]).toEqual([[], 0])
  })

  it('is not sent as another user who signs in meanwhile', async () => {
    const { app, clock, platform, send, sent, settled, told } = await library()
    platform.faults.every('POST /auth/oauth/token', { delayMillis: 500 })
    await clock.advance(600_000)
    send(of('tea'), { method: 'POST' })
    await clock.advance(100)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(1000)
    expect([sent, told]).toEqual([[], [expect.objectContaining({ code: 'SESSION_CHANGED' })]])
  })
})
