import { verifyWebhook } from 'rxauth/server'
import { createPlatform } from 'rxauth/platform'
import { hooked, type Body } from './webhook-world'

describe('a delivery', () => {
  it("that fails is repeated at Svix's intervals, with the same id and a new signature", async () => {
    const one = await hooked()
    const { state, server, settled, clock, deliveries, told, ids, platform } = one
    state.fails = 99
    await settled(server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 999_999]) {
      await clock.advance(seconds * 1000)
      await platform.webhooks.idle()
    }
    expect(deliveries).toHaveLength(8)
    expect(new Set(ids).size).toBe(1)
    expect(deliveries.map(({ attempt, isDelivered, status }) => [attempt, isDelivered, status])).toEqual(
      Array.from({ length: 8 }, (_, index) => [index + 1, false, 500]),
    )
    expect(deliveries.map(({ nextAt }) => nextAt === null)).toEqual([...Array<boolean>(7).fill(false), true])
    expect(told).toEqual([])
  })

  // Promise: webhooks-as-hosted
  it('that waits for its next attempt holds up no later one', async () => {
    const one = await hooked()
    one.state.fails = 1
    await one.settled(one.server.createTeamById({ displayName: 'first' }))
    await one.settled(one.server.createTeamById({ displayName: 'second' }))
    await one.news().then(news => expect(news).toMatchObject([{ data: { display_name: 'second' } }]))
    await one.clock.advance(5000)
    expect(await one.news()).toMatchObject([{ data: { display_name: 'first' } }])
  })

  it('waits for the answer to the one before it, for 15 s at most', async () => {
    const asked: string[] = []
    const handler = async (request: unknown) => {
      asked.push(((await (request as Request).json()) as Body).data['display_name'] as string)
      return new Promise<undefined>(() => undefined)
    }
    const one = await hooked({ webhooks: [{ handler }] })
    for (const displayName of ['first', 'second']) await one.settled(one.server.createTeamById({ displayName }))
    await one.clock.advance(14_999)
    expect(asked).toEqual(['first'])
    await one.clock.advance(1)
    await one.clock.advance(0)
    expect(asked).toEqual(['first', 'second'])
    expect(one.deliveries).toMatchObject([{ status: null, isDelivered: false, attempt: 1 }])
  })

  it('is repeated by replay, unless its id is unknown', async () => {
    const one = await hooked()
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    const [first] = await one.news()
    const [id = ''] = one.ids as string[]
    await one.clock.advance(600_000)
    await one.platform.webhooks.replay(id)
    expect(await one.news()).toEqual([first])
    expect(one.ids).toEqual([id, id])
    await expect(one.platform.webhooks.replay('msg_none')).rejects.toThrow('msg_none')
  })

  it('goes to every endpoint, with its own secret, until that is removed', async () => {
    const one = await hooked({ webhooks: [] })
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const types: string[] = []
    const take = async (request: Request, key: string) => {
      types.push((await verifyWebhook(request, key, { clock: one.clock })).type)
      return undefined
    }
    const remove = one.platform.webhooks.add({ handler: request => take(request, secret), secret })
    one.platform.webhooks.add({ handler: request => take(request, one.platform.webhooks.secret) })
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    expect(types).toEqual(['team.created', 'team.created'])
    remove()
    await one.settled(one.server.createTeamById({ displayName: 'Dev' }))
    await one.news()
    expect(types).toHaveLength(3)
    expect(one.deliveries.every(({ isDelivered }) => isDelivered)).toBe(true)
  })

  it('of a handler that throws has failed', async () => {
    const one = await hooked({ webhooks: [{ handler: () => Promise.reject(new Error('mine')) }] })
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    expect(one.deliveries).toMatchObject([{ status: null, isDelivered: false, url: null }])
  })

  it('is refused for an invalid address', () => {
    expect(() => createPlatform({ webhooks: [{ url: 'mailto:ada@example.com' }] })).toThrow(/"mailto:ada@example.com"/)
    expect(() => createPlatform({ webhooks: [{ url: '/hook' }] })).toThrow(/"\/hook"/)
  })
})
