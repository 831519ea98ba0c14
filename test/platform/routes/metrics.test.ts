import { createClientApp } from 'rxauth'
import type { PlatformOptions } from 'rxauth/platform'
import { ada, expectRefusal, wireWorld } from '../wire-world'

const dayMillis = 86_400_000
const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com', displayName: 'Grace' }

interface Day {
  readonly date: string
  readonly activity: number
}

function make(seed: PlatformOptions['seed'] = { users: [] }) {
  // The clock starts at midnight UTC on 1 January 2026.
  const world = wireWorld({ seed })
  const metrics = async () => {
    const answer = await world.ask('GET /internal/metrics', { access: 'admin' })
    expect(answer.status).toBe(200)
    return answer.body as Record<'daily_users' | 'daily_active_users', Day[]> & Record<string, unknown>
  }
  /** Only the days with an entry. */
  const busy = (days: readonly Day[]) => days.filter(({ activity }) => activity > 0)
  const create = (body: object = {}) => world.ask('POST /users', { access: 'server', body })
  const signUp = async (email: string) =>
    (
      await world.ask('POST /auth/password/sign-up', {
        body: { email, password: 'correct horse', verification_callback_url: 'http://localhost/v' },
      })
    ).body as { user_id: string; refresh_token: string }
  const refresh = (refreshToken: string) =>
    world.ask('POST /auth/sessions/current/refresh', { headers: { 'x-stack-refresh-token': refreshToken } })
  const remove = (id: string) => world.ask(`DELETE /users/${id}`, { access: 'server' })
  return { ...world, metrics, busy, create, signUp, refresh, remove }
}

describe('the metrics of a project', () => {
  it('are 31 empty days at first', async () => {
    const { metrics } = make()
    const { daily_users, daily_active_users, ...rest } = await metrics()
    const none = { recently_registered: [], recently_active: [], login_methods: [] }
    expect(rest).toEqual({ total_users: 0, users_by_country: {}, ...none })
    expect(daily_active_users).toEqual(daily_users)
    expect(daily_users).toHaveLength(31)
    const dates = ['2025-12-02', '2025-12-31', '2026-01-01'].map(date => ({ date, activity: 0 }))
    expect([daily_users[0], daily_users[29], daily_users[30]]).toEqual(dates)
  })

  it('count the sign-in methods of users, with providers and passkeys', async () => {
    const config = { magicLinkEnabled: true, passkeyEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' }] }
    const { metrics, create, platform, clock } = make({ project: { config } as object, users: [ada] })
    await create()
    await create({ primary_email: 'a@example.com', password: 'correct horse', otp_auth_enabled: true })
    await create({ primary_email: 'b@example.com', otp_auth_enabled: true })
    await create({ oauth_providers: [{ id: 'github', account_id: '1', email: null }] })
    const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    await clock.settled(app.registerPasskey({ hostname: 'localhost', authenticator: platform.authenticator() }))
    const counts = { github: 1, otp: 2, passkey: 1, password: 2 }
    const methods = Object.entries(counts).map(([method, count]) => ({ method, count }))
    expect((await metrics()).login_methods).toEqual(methods)
    app.dispose()
  })

  it('count each user in the country of its last used session', async () => {
    const from = (countryCode: string | null, day: number) => ({
      createdAt: new Date(Date.UTC(2025, 5, day)),
      lastUsedFrom: { ip: '192.0.2.1', countryCode },
    })
    const { metrics } = make({
      users: [
        { ...ada, sessions: [from('DE', 1), from('CH', 3), from('FR', 2)] },
        { ...grace, sessions: [from('CH', 1)] },
        { email: 'x@example.com', sessions: [from(null, 1)] },
      ],
    })
    expect((await metrics()).users_by_country).toEqual({ CH: 2 })
  })

  it('accept no parameters', async () => {
    expectRefusal(await make().ask('GET /internal/metrics?days=7', { access: 'admin' }), 'SCHEMA_ERROR')
  })
})

describe('the rows of the metrics', () => {
  it("are deleted when no metric shows them, except each user's last day", async () => {
    const { metrics, signUp, refresh, clock, platform } = make()
    const { refresh_token } = await signUp('grace@example.com')
    await signUp('hopper@example.com')
    for (let day = 0; day < 40; day++) {
      await clock.advance(dayMillis)
      await refresh(refresh_token)
    }
    expect((await metrics()).recently_active).toHaveLength(2)
    const kept = JSON.stringify(platform.snapshot()).match(/"lastAt"/g)
    expect(kept).toHaveLength(31 + 1)
  })
})
