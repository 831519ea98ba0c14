import * as v from 'valibot'
import type { Session as ActiveSession } from 'rxauth'
import { fromWire } from '../../../src/core/wire'
import { Session, sessions$ } from '../../../src/entities/sessions/client'
import { ada, world, type World } from '../../world'
import recorded from '../../wire/sessions.json'

const [entry] = recorded.list.items
const session = {
  ...{ id: entry!.id, userId: entry!.user_id, isImpersonation: false, isCurrentSession: true },
  ...{ createdAt: new Date(1767225601000), lastUsedAt: new Date(1767225602000) },
}
const { returns } = sessions$.endpoint!
const decode = (body: unknown) => v.parse(returns!, fromWire(returns!, body)) as ActiveSession[]

/** Ada in two places: `app` here, `other` a second later and elsewhere. */
async function signedInTwice(options: Parameters<typeof world>[0] = {}) {
  const one = await world(options)
  const asked: string[] = []
  const { fetch } = one.platform.options
  const app = one.newApp({
    tokens: await one.tokensOf(ada),
    fetch: (input, init) => {
      const { pathname, search } = new URL(input as string)
      asked.push(`${init?.method} ${pathname.replace('/api/v1', '')}${search}`)
      return fetch(input, init)
    },
  })
  await one.clock.advance(1000)
  const other = one.newApp({ tokens: await one.tokensOf(ada) })
  const [there] = (await one.settled(other.sessions$.get())).filter(({ isCurrentSession }) => isCurrentSession)
  await one.settled(app.user$.get())
  await one.clock.advance(1000)
  one.requests.length = 0
  asked.length = 0
  return { ...one, app, other, there: there!, asked }
}

/** What the store of `app` shows from now on: how many sessions, and how many writes are under way. */
async function watch({ clock, app }: Pick<World, 'clock' | 'app'>) {
  const seen: unknown[] = []
  app.sessions$.snapshot$.subscribe(snapshot => {
    if (snapshot.status === 'ready') seen.push([snapshot.value.length, snapshot.unconfirmed])
  })
  await clock.advance(0)
  return seen
}

describe('a session', () => {
  it('is what the platform sends, in local terms', () => {
    expect(decode(recorded.list)).toEqual([session])
  })

  it('has the place that the platform knows, untouched', () => {
    const [{ last_used_at_end_user_ip_info: place } = {}] = recorded['with-place'].items
    const times = { createdAt: new Date(1751900000000), lastUsedAt: new Date(1751990000000) }
    expect(decode(recorded['with-place'])).toEqual([{ ...session, ...times, lastUsedAtEndUserIpInfo: place }])
    expect(() => v.parse(Session, { ...session, lastUsedAtEndUserIpInfo: { ip: 7 } })).toThrow()
  })

  it('that was never used, in a sparse answer, is not the present one', () => {
    const { last_used_at: _, is_current_session: __, ...least } = entry!
    expect(decode({ items: [least] })).toEqual([{ ...session, lastUsedAt: null, isCurrentSession: false }])
  })
})

describe('the list of sessions', () => {
  it('is asked for with the user, which the platform insists on', async () => {
    const { app, settled, asked } = await signedInTwice()
    await settled(app.sessions$.get())
    expect(asked).toEqual(['GET /auth/sessions?user_id=me'])
  })
})

describe('revoking a session', () => {
  it('ends it there as soon as its access token has expired', async () => {
    const { app, other, there, settled, clock } = await signedInTwice()
    await settled(app.revokeSession({ sessionId: there.id }))
    expect(await settled(other.user$.refresh())).toMatchObject({ displayName: 'Ada' })
    await clock.advance(10 * 60_000)
    expect(await settled(other.accessToken())).toBeNull()
    expect(other.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
    expect((await settled(app.user$.refresh()))?.displayName).toBe('Ada')
  })

  it('of the present session is CANNOT_DELETE_CURRENT_SESSION; it neither vanishes nor ends', async () => {
    const one = await signedInTwice()
    const seen = await watch(one)
    const [here] = (await one.settled(one.app.sessions$.get())).filter(({ isCurrentSession }) => isCurrentSession)
    const call = one.app.revokeSession({ sessionId: here!.id })
    await expect(one.settled(call)).rejects.toMatchObject({
      code: 'CANNOT_DELETE_CURRENT_SESSION',
      status: 400,
    })
    expect(seen.every(each => (each as number[])[0] === 3)).toBe(true)
    await one.settled(one.app.user$.refresh())
    expect(one.requests).not.toContain('POST /auth/oauth/token')
  })

  it.each([{}, { sessionId: 7 }, { sessionId: '..' }, { sessionId: 'x', userId: 'me' }])(
    'refuses %j before a request',
    async input => {
      const { app, settled, requests } = await signedInTwice()
      await expect(settled(app.revokeSession(input as { sessionId: string }))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
      expect(requests).toEqual([])
    },
  )
})

describe('the program that acts in a session', () => {
  it('is named on newer releases, null without one, and absent on the reference release', async () => {
    expect(decode({ items: [{ ...entry, agent_name: 'Shop bot' }] })[0]).toMatchObject({ agentName: 'Shop bot' })
    for (const wire of ['2026', '2.8.18'] as const) {
      const { app, settled } = await world({ platform: { wire, seed: { users: [ada] } } })
      const [first] = await settled(app.sessions$.get())
      expect(first).toEqual(wire === '2026' ? expect.objectContaining({ agentName: null }) : first)
      expect('agentName' in first!).toBe(wire === '2026')
    }
  })
})
