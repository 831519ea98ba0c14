import type { Seed } from 'rxauth/platform'
import {
  accessTokenOf,
  ada,
  expectAnswer,
  expectPlain,
  expectRefusal,
  team,
  unknownCode,
  wireWorld,
  type Ask,
} from '../wire-world'
import wire from '../../wire/newer-owners.json'
import { newer } from '../world-2026'

const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const

const nobody = '00000000-0000-4000-8000-000000000000'

const asServer = { access: 'server' } as const

const request = { team_id: team.id, email: grace.email, callback_url: 'http://localhost:3000/handler/team-invitation' }

describe('an invitation on the newer wire', () => {
  it('names its team', async () => {
    const world = newer({ seed: { users: [ada], teams: [{ ...team, members: [{ email: ada.email }] }] } })
    const body = { team_id: team.id, email: grace.email, callback_url: 'http://localhost:3000/' }
    await world.ask('POST /team-invitations/send-code', { access: 'server', body })
    const listed = await world.ask(`GET /team-invitations?team_id=${team.id}`, { access: 'server' })
    const [invitation] = listed.body.items
    expect({ ...invitation, id: 'string' }).toEqual(wire.invitation)
  })
})

async function make(permissions = ['team_admin'], seed: Partial<Seed> = {}) {
  const members = [{ email: ada.email, permissions }]
  const world = wireWorld({ seed: { users: [ada, grace], teams: [{ ...team, members }], ...seed } })
  const asAda = { accessToken: await accessTokenOf(world) }
  const asGrace = { accessToken: await accessTokenOf(world, grace.email) }
  const send = (change: object = {}, how: Ask = asAda) =>
    world.ask('POST /team-invitations/send-code', { body: { ...request, ...change }, ...how })
  const list = (how: Ask = asAda, id: string = team.id) => world.ask(`GET /team-invitations?team_id=${id}`, how)
  const code = async () => (await world.platform.mailbox(grace.email).next()).code ?? ''
  const accept = (given: string, path = '', how: Ask = asGrace) =>
    world.ask(`POST /team-invitations/accept${path}`, { body: { code: given }, ...how })
  return { ...world, asAda, asGrace, send, list, code, accept }
}

describe('an invitation to a team', () => {
  it('is mailed, listed, read and accepted once', async () => {
    const { send, list, code, accept, clock, ask, asGrace } = await make()
    const sent = await send()
    expect([sent.status, sent.body]).toEqual([200, { success: true, id: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
    const expires_at_millis = clock.now() + 7 * 86_400_000
    const invitation = { id: sent.body.id as string, team_id: team.id, recipient_email: grace.email, expires_at_millis }
    expect((await list()).body).toEqual({ items: [invitation], is_paginated: false })
    const given = await code()
    expect((await accept(given, '/check-code', {})).body).toEqual({ is_code_valid: true })
    const details = { team_id: team.id, team_display_name: team.displayName }
    expect((await accept(given, '/details')).body).toEqual(details)
    expectAnswer(await accept(given), 200, {})
    expect((await ask('GET /teams?user_id=me', asGrace)).body.items).toMatchObject([{ id: team.id }])
    expect((await list()).body.items).toEqual([])
    expectRefusal(await accept(given), 'VERIFICATION_CODE_ALREADY_USED')
    expectRefusal(await accept(unknownCode), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('is used by accepting it without a user, and not by reading it', async () => {
    const { send, code, accept } = await make()
    await send()
    const given = await code()
    expectRefusal(await accept(given, '/details', {}), 'USER_AUTHENTICATION_REQUIRED')
    expectRefusal(await accept(given, '', {}), 'USER_AUTHENTICATION_REQUIRED')
    expectRefusal(await accept(given), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('is checked in this order: signed in, member, permitted, trusted', async () => {
    const untrusted = { callback_url: 'https://evil.example' }
    const { send, asGrace } = await make()
    expectRefusal(await send(untrusted, {}), 'USER_AUTHENTICATION_REQUIRED')
    expectRefusal(await send(untrusted, asGrace), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await send(untrusted), 'REDIRECT_URL_NOT_WHITELISTED')
    expectRefusal(await send({ email: 'x' }), 'SCHEMA_ERROR')
    const without = await make([])
    expect(expectRefusal(await without.send(untrusted), 'TEAM_PERMISSION_REQUIRED')['permission_id']).toBe(
      '$invite_members',
    )
  })

  it('of a server to an unknown team fails after the check of the link', async () => {
    const { send } = await make()
    const answer = await send({ team_id: nobody }, asServer)
    expectPlain(answer, 500)
    expect(answer.text).toBe(`There is no team with the id ${nobody}. The hosted platform fails here, too.`)
    const untrusted = { team_id: nobody, callback_url: 'https://evil.example' }
    expectRefusal(await send(untrusted, asServer), 'REDIRECT_URL_NOT_WHITELISTED')
    expectRefusal(await send({ team_id: nobody }), 'TEAM_MEMBERSHIP_NOT_FOUND')
  })
})
