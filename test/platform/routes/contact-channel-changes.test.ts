import wire from '../../wire/contact-channels.json'
import { ada, accessTokenOf, expectAnswer, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'

const [shape] = wire.items
const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const
const nobody = '00000000-0000-4000-8000-000000000000'
const work = 'ada@work.example.com'
const taken = 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'

async function make() {
  const world = wireWorld({ seed: { users: [{ ...ada, verified: true }, grace] } })
  const accessToken = await accessTokenOf(world)
  const own: Ask = { accessToken }
  const server: Ask = { access: 'server' }
  const list = async (userId: string = ada.id) =>
    (await world.ask(`GET /contact-channels?user_id=${userId}`, server)).body.items as (typeof wire.items)[number][]
  const [{ id } = { id: '' }] = await list()
  return {
    ...world,
    own,
    server,
    list,
    id,
    add: (change: object = {}, how: Ask = own) =>
      world.ask('POST /contact-channels', {
        body: { user_id: 'me', value: work, type: 'email', used_for_auth: false, ...change },
        ...how,
      }),
    change: (body: object, how: Ask = own, path = `me/${id}`) =>
      world.ask(`PATCH /contact-channels/${path}`, { body, ...how }),
    remove: (how: Ask = own, path = `me/${id}`) => world.ask(`DELETE /contact-channels/${path}`, how),
    me: async () => (await world.ask('GET /users/me', own)).body as Readonly<Record<string, unknown>>,
  }
}

describe('a new contact channel', () => {
  it('is normalised, neither primary nor verified, and the last in the list', async () => {
    const { add, list, id } = await make()
    const { status, body } = await add({ value: 'Ada@Work.Example.com' })
    const none = { is_primary: false, is_verified: false, used_for_auth: false }
    expect([status, body]).toEqual([201, { ...shape, id: body.id, value: work, ...none }])
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await list()).map(each => each.id)).toEqual([id, body.id])
  })

  it('that another user signs in with is refused for signing in only', async () => {
    const { add, list } = await make()
    const details = expectRefusal(await add({ value: grace.email, used_for_auth: true }), taken)
    expect(details).toEqual({ type: 'email', contact_channel_value: grace.email })
    expect((await add({ value: grace.email })).status).toBe(201)
    expect(await list()).toHaveLength(2)
  })
})

describe('changing a contact channel', () => {
  it('changes the given fields, and answers all', async () => {
    const { change, id } = await make()
    const answer = await change({ used_for_auth: false })
    expect([answer.status, answer.body]).toEqual([200, { ...shape, id, used_for_auth: false }])
    expect((await change({})).body).toEqual(answer.body)
  })

  it.each([
    [{ value: 'Ada@New.example.com' }, { value: 'Ada@New.example.com', is_verified: false }],
    [
      { value: 'Ada@New.example.com', type: 'email' },
      { value: 'ada@new.example.com', is_verified: false },
    ],
    [{ value: ada.email }, { value: ada.email, is_verified: false }],
    [{ type: 'email' }, { value: ada.email, is_verified: true }],
  ])('to %j makes it %j: a new value is not verified, and normalised beside its type only', async (body, expected) => {
    expect((await (await make()).change(body)).body).toMatchObject(expected)
  })

  it('to an address that another user signs in with is refused, without the address', async () => {
    const { add, change, own } = await make()
    const details = expectRefusal(await change({ value: grace.email }), taken)
    expect(details).toEqual({ type: 'email', contact_channel_value: null })
    const second = (await add({ value: grace.email })).body.id as string
    expectRefusal(await change({ used_for_auth: true }, own, `me/${second}`), taken)
    // The user has it by now.
    expectPlain(await change({ value: grace.email }), 400)
  })

  it('that does not exist is a bad request, of others is refused to a client', async () => {
    const { change, own, server, list, id } = await make()
    const [other] = await list(grace.id)
    expectPlain(await change({}, own, `me/${nobody}`), 400)
    expectPlain(await change({}, own, `me/${other?.id}`), 400)
    expectPlain(await change({}, own, `${grace.id}/${other?.id}`), 403)
    expectPlain(await change({}, server, `${grace.id}/${id}`), 400)
    expect((await change({}, own, `${ada.id.toUpperCase()}/${id.toUpperCase()}`)).status).toBe(200)
    expectRefusal(await change({}, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectRefusal(await change({}, own, 'me/ada'), 'SCHEMA_ERROR')
  })
})

describe('deleting a contact channel', () => {
  it('deletes it, the primary one too', async () => {
    const { remove, list, me } = await make()
    expectAnswer(await remove(), 200, { success: true })
    expect(await list()).toEqual([])
    expect(await me()).toMatchObject({ primary_email: null, primary_email_verified: false })
    expectPlain(await remove(), 400)
  })

  it('of others is for servers only', async () => {
    const { remove, own, server, list } = await make()
    const [other] = await list(grace.id)
    expectPlain(await remove(own, `${grace.id}/${other?.id}`), 403)
    expectPlain(await remove(own, `me/${other?.id}`), 400)
    expectPlain(await remove(server, `${ada.id}/${other?.id}`), 400)
    expect((await remove(server, `${grace.id}/${other?.id}`)).body).toEqual({ success: true })
    expect(await list(grace.id)).toEqual([])
  })
})
