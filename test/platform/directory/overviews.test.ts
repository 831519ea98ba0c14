import { expectRefusal, wireWorld } from '../wire-world'
import { newer } from '../newer-world'

describe('the metrics on the newer wire', () => {
  const metrics = (world: ReturnType<typeof newer>, query = '') =>
    world.ask(`GET /internal/metrics${query}`, { access: 'admin' })
  const old = [
    'total_users',
    'daily_users',
    'daily_active_users',
    'users_by_country',
    'recently_registered',
    'recently_active',
    'login_methods',
  ]
  const overviews = ['auth_overview', 'payments_overview', 'email_overview', 'analytics_overview']

  it('have all that they had, and overviews', async () => {
    const { body } = await metrics(newer())
    expect(Object.keys(body).sort()).toEqual([...old, ...overviews].sort())
    expect(body.auth_overview).toMatchObject({ verified_users: 1, unverified_users: 0, anonymous_users: 0, mau: 0 })
    const before = await metrics(wireWorld())
    expect(Object.keys(before.body).sort()).toEqual([...old].sort())
  })

  it('leave anonymous users out by default', async () => {
    const world = newer()
    await world.ask('POST /auth/anonymous/sign-up')
    expect((await metrics(world)).body).toMatchObject({ total_users: 1, auth_overview: { anonymous_users: 1 } })
    expect((await metrics(world, '?include_anonymous=true')).body).toMatchObject({ total_users: 2 })
    expectRefusal(await metrics(wireWorld(), '?include_anonymous=true'), 'SCHEMA_ERROR')
  })
})
