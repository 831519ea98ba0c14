import * as v from 'valibot'
import { fromWire } from '../../../src/core/wire'
import { teamPermissionDefinitionPage$ } from '../../../src/entities/permission-definitions/admin-pages'
import { teamPage$ } from '../../../src/entities/teams/server'
import wire from '../../wire/newer-lists.json'
import { grace, newer, newerWires } from '../world-2026'
import { accessTokenOf, ada, expectRefusal, wireWorld } from '../wire-world'

const [opsId, labId] = ['b0c1d2e3-1111-4222-8333-444455556666', 'c0c1d2e3-1111-4222-8333-444455556667'] as const
const seed = {
  users: [ada],
  teams: [
    { id: opsId, displayName: 'Ops', members: [{ email: ada.email }] },
    { id: labId, displayName: 'Lab' },
  ],
  permissions: [{ id: 'publish', scope: 'team' as const, contains: ['$read_members'] }],
}
interface Listed {
  readonly items: readonly { readonly id: string }[]
  readonly pagination: { readonly next_cursor: string }
}

const [teams, definitions] = ['GET /teams', 'GET /team-permission-definitions'] as const

describe('the pages of teams', () => {
  it('are as documented, by order, length, place and search', async () => {
    const { ask } = newer({ seed })
    const list = async (query: string) => (await ask(`${teams}?${query}`, { access: 'server' })).body as Listed
    expect(await list('order_by=created_at&limit=1')).toEqual(wire.teams)
    const rest = await list(`order_by=created_at&limit=1&cursor=${labId}`)
    expect([rest.items.length, rest.items[0]?.id, rest.pagination]).toEqual([1, labId, { next_cursor: null }])
    expect((await list('desc=true')).items.map(({ id }) => id)).toEqual([labId, opsId])
    expect((await list('query=oP')).items).toEqual(wire.teams.items)
    // Nothing asks for pages.
    expect((await ask(teams, { access: 'server' })).body).toMatchObject({ is_paginated: false })
  })

  it('are what the kit reads', () => {
    const { returns } = teamPage$.endpoint!
    expect(v.parse(returns!, fromWire(returns!, wire.teams))).toEqual({
      items: [
        {
          id: opsId,
          displayName: 'Ops',
          profileImageUrl: null,
          clientMetadata: null,
          clientReadOnlyMetadata: null,
          serverMetadata: null,
          createdAt: new Date('2026-01-01T00:00:00.000Z'),
        },
      ],
      nextCursor: labId,
    })
  })
})

describe('the pages of definitions of team permissions', () => {
  it('are as documented, by length, place and search', async () => {
    const { ask } = newer({ seed })
    const list = async (query: string) => (await ask(`${definitions}?${query}`, { access: 'admin' })).body as Listed
    expect(await list('query=PUBL')).toEqual(wire.definitions)
    const first = await list('limit=2')
    expect(first.items).toHaveLength(2)
    const next = await list(`limit=2&cursor=${encodeURIComponent(first.pagination.next_cursor)}`)
    expect(next.items[0]?.id).toBe(first.pagination.next_cursor)
    expect((await ask(definitions, { access: 'admin' })).body).toMatchObject({ is_paginated: false })
    const older = await wireWorld({ seed }).ask(`${definitions}?limit=2`, { access: 'admin' })
    expectRefusal(older, 'SCHEMA_ERROR')
  })

  it('are what the kit reads', () => {
    const { returns } = teamPermissionDefinitionPage$.endpoint!
    expect(v.parse(returns!, fromWire(returns!, wire.definitions))).toEqual({
      items: [{ id: 'publish', description: null, containedPermissionIds: ['$read_members'] }],
      nextCursor: null,
    })
  })
})

describe('the own primary address', () => {
  it.each(newerWires)('is a new channel that signs in like the former one, which stays: %s', async wire => {
    const world = newer({ wire, seed: { users: [ada, grace] } })
    const accessToken = await accessTokenOf(world)
    const choose = (primary_email: string | null) =>
      world.ask('PATCH /users/me', { body: { primary_email }, accessToken })
    const channels = async () =>
      (await world.ask('GET /contact-channels?user_id=me', { accessToken })).body.items as { readonly id: string }[]
    const answer = await choose('New@Example.com')
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { primary_email: 'new@example.com', primary_email_verified: false },
    ])
    const [older, newest] = [
      { value: ada.email, is_primary: false, is_verified: true, used_for_auth: true },
      { value: 'new@example.com', is_primary: true, is_verified: false, used_for_auth: true },
    ]
    expect(await channels()).toMatchObject([older, newest])
    // Another user's sign-in address, and the own older one, which comes back as a channel.
    for (const email of [grace.email.toUpperCase(), ada.email]) {
      const added = { would_work_if_email_was_verified: 'boolean' }
      const details = expectRefusal(await choose(email), 'USER_EMAIL_ALREADY_EXISTS', added)
      expect(details).toEqual({ email: email.toLowerCase(), would_work_if_email_was_verified: false })
    }
    const body = { is_primary: true }
    await world.ask(`PATCH /contact-channels/me/${(await channels())[0]?.id}`, { body, accessToken })
    expect(await channels()).toMatchObject([
      { ...older, is_primary: true },
      { ...newest, is_primary: false },
    ])
    expect((await choose(null)).body).toMatchObject({ primary_email: null, has_password: true, auth_with_email: true })
    expect(await channels()).toHaveLength(2)
  })
})
