import currentUser from '../../wire/current-user.json'
import userForServers from '../../wire/user-for-servers.json'
import { ada, expectAnswer, expectPlain, expectRefusal, isAlive, signInAda, team, wireWorld } from '../wire-world'
import type { Ask } from '../wire-world'
import type { PlatformOptions, ProjectConfig } from 'rxauth/platform'

const png = 'data:image/png;base64,iVBORw0KGgo='

/** Ada, signed in, a second after the world began. */
async function asAda(config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) {
  const world = wireWorld({
    seed: {
      project: { config },
      users: [
        { ...ada, serverMetadata: { crm: 17 } },
        { email: 'grace@example.com', password: ada.password },
      ],
      teams: [{ ...team, members: [{ email: ada.email }] }],
    },
    ...options,
  })
  await world.clock.advance(1000)
  const { access_token: accessToken, refresh_token: refreshToken } = await signInAda(world)
  const me = (method: string, body?: unknown, access: Ask['access'] = 'client') =>
    world.ask(`${method} /users/me`, { access, accessToken, ...(body !== undefined && { body }) })
  return { ...world, me, accessToken, refreshToken }
}

it.each([
  ['client', currentUser],
  ['server', userForServers],
  ['admin', userForServers],
] as const)('reading oneself gives a %s its fields', async (access, fields) => {
  const { me } = await asAda()
  await me('PATCH', { selected_team_id: team.id })
  expect((await me('GET', undefined, access)).body).toEqual(fields)
})

describe('changing oneself', () => {
  it.each<[what: string, body: object, expected: object]>([
    ['the name', { display_name: 'Countess' }, { display_name: 'Countess' }],
    ['the name to none, when it is empty', { display_name: '' }, { display_name: null }],
    ['metadata to any JSON', { client_metadata: [null, { a: 1 }] }, { client_metadata: [null, { a: 1 }] }],
    ['the selected team', { selected_team_id: team.id.toUpperCase() }, { selected_team_id: team.id }],
    ['the second factor', { totp_secret_base64: 'AAAA' }, { requires_totp_mfa: true }],
    ['nothing', {}, { display_name: 'Ada' }],
    ['a passkey to none', { passkey_auth_enabled: false }, { passkey_auth_enabled: false }],
  ])('changes %s', async (_, body, expected) => {
    const { me } = await asAda()
    const answer = await me('PATCH', body)
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(expected)])
    expect((await me('GET')).body).toEqual(answer.body)
  })

  it('accepts null to remove', async () => {
    const { me } = await asAda()
    const set = { profile_image_url: png, selected_team_id: team.id, client_metadata: 1 }
    await me('PATCH', { ...set, totp_secret_base64: 'AAAA' })
    const none = { profile_image_url: null, selected_team_id: null, client_metadata: null }
    const { body } = await me('PATCH', { ...none, totp_secret_base64: null })
    expect(body).toMatchObject({ ...none, selected_team: null, requires_totp_mfa: false })
  })

  it('switches sign-in by code on if the project has it', async () => {
    const { me } = await asAda({ magicLinkEnabled: true })
    expect((await me('PATCH', { otp_auth_enabled: true })).body).toMatchObject({ otp_auth_enabled: true })
  })

  it.each<[what: string, body: object, refusal?: number | string]>([
    ['switching a passkey on', { passkey_auth_enabled: true }, 400],
    ['sign-in by code where the project has none', { otp_auth_enabled: true }, 400],
    ['a field of servers', { server_metadata: {} }],
    ['a team that is no UUID', { selected_team_id: 'team' }],
    ['a secret that is no base64', { totp_secret_base64: 'AAA' }],
    ['null for a flag', { otp_auth_enabled: null }],
  ])('refuses %s: %j', async (_, body, refusal = 'SCHEMA_ERROR') => {
    expectAnswer(await (await asAda()).me('PATCH', body), refusal)
  })

  it('refuses a team that the user is not in', async () => {
    const teamId = '00000000-0000-4000-8000-000000000000'
    const answer = await (await asAda()).me('PATCH', { display_name: 'Lost', selected_team_id: teamId })
    expect(expectRefusal(answer, 'TEAM_MEMBERSHIP_NOT_FOUND')).toEqual({ team_id: teamId, user_id: ada.id })
  })
})

describe('changing oneself through a server', () => {
  it.each<[what: string, body: object, expected?: object]>([
    ['metadata', { client_read_only_metadata: 1, server_metadata: [2] }],
    [
      'the address, which keeps its flags and is stored in lower case',
      { primary_email: 'Lovelace@Example.com' },
      { primary_email: 'lovelace@example.com', primary_email_verified: true, primary_email_auth_enabled: true },
    ],
    [
      'the flags of the address',
      { primary_email_verified: false, primary_email_auth_enabled: false },
      { primary_email: ada.email, primary_email_verified: false, primary_email_auth_enabled: false },
    ],
    [
      'the address to none',
      { primary_email: null },
      { primary_email: null, primary_email_verified: false, has_password: true },
    ],
    ['the password to none', { password: null }, { has_password: false, auth_with_email: false }],
    ['nothing', { is_anonymous: false }],
  ])('changes %s', async (_, body, expected = body) => {
    const { me } = await asAda()
    const answer = await me('PATCH', body, 'server')
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(expected)])
    expect((await me('GET', undefined, 'server')).body).toEqual(answer.body)
  })

  const later = ['2.8.86', '2026'] as const

  it.each(later)('of release %s, leaves the former address in place, which still signs in', async wire => {
    const { ask, me, accessToken } = await asAda({}, { wire })
    const present = 'lovelace@example.com'
    const changed = await me('PATCH', { primary_email: 'Lovelace@Example.com' }, 'server')
    const unverified = { primary_email_verified: false, primary_email_auth_enabled: true }
    expect(changed.body).toMatchObject({ primary_email: present, ...unverified })
    const { items } = (await ask('GET /contact-channels?user_id=me', { access: 'server', accessToken })).body
    const byAddress = [...(items as readonly { readonly value: string }[])].sort((a, b) => (a.value < b.value ? -1 : 1))
    expect(byAddress).toMatchObject([
      { value: ada.email, is_primary: false, is_verified: true, used_for_auth: true },
      { value: present, is_primary: true, is_verified: false, used_for_auth: true },
    ])
    for (const email of [ada.email, present])
      expect((await ask('POST /auth/password/sign-in', { body: { email, password: ada.password } })).status).toBe(200)
  })

  it.each(later)('of release %s, verifies the new address where the call says so, and takes an own one', async wire => {
    const { me } = await asAda({}, { wire })
    const change = (body: object) => me('PATCH', body, 'server')
    const verified = { primary_email: 'new@example.com', primary_email_verified: true }
    expect((await change(verified)).body).toMatchObject(verified)
    const own = { primary_email: ada.email }
    expect((await change(own)).body).toMatchObject({ ...own, primary_email_verified: true })
    const taken = await change({ primary_email: 'grace@example.com' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'USER_EMAIL_ALREADY_EXISTS' } })
  })

  it.each(later)('of release %s, leaves the former address as a channel where the new one is null', async wire => {
    const { ask, me } = await asAda({}, { wire })
    expectPlain(await me('PATCH', { primary_email: null, primary_email_verified: true }, 'server'), 400)
    expect((await me('PATCH', { primary_email: null }, 'server')).body).toMatchObject({ primary_email: null })
    const body = { email: ada.email, password: ada.password }
    expect((await ask('POST /auth/password/sign-in', { body })).status).toBe(200)
  })

  it('sets a password of any length and ends every session', async () => {
    const world = await asAda()
    expect((await world.me('PATCH', { password: 'x' }, 'server')).status).toBe(200)
    expect(await isAlive(world, world.refreshToken)).toBe(false)
    const body = { email: ada.email, password: 'x' }
    expect((await world.ask('POST /auth/password/sign-in', { body })).status).toBe(200)
  })

  it('changes nothing when one of the changes is refused', async () => {
    const { me } = await asAda()
    const before = (await me('GET', undefined, 'server')).body
    const changes = { display_name: 'Lost', password: 'x', primary_email: 'grace@example.com' }
    const answer = await me('PATCH', changes, 'server')
    expect(expectRefusal(answer, 'USER_EMAIL_ALREADY_EXISTS')).toEqual({ email: 'grace@example.com' })
    expect((await me('GET', undefined, 'server')).body).toEqual(before)
  })

  it('refuses flags without an address in plain text', async () => {
    const { me } = await asAda()
    expectPlain(await me('PATCH', { primary_email: null, primary_email_verified: true }, 'server'), 400)
  })

  it.each([
    [true, 200],
    [false, 400],
  ])('sets the password of a user without an address who has one, %s: %i', async (hasPassword, status) => {
    const { me } = await asAda()
    await me('PATCH', { primary_email: null, ...(!hasPassword && { password: null }) }, 'server')
    expectAnswer(await me('PATCH', { password: 'x' }, 'server'), status)
  })
})

describe('deleting oneself', () => {
  it('is refused in plain text if the project does not allow it, and the session stays', async () => {
    const world = await asAda()
    expectPlain(await world.me('DELETE'), 400)
    expect(await isAlive(world, world.refreshToken)).toBe(true)
  })

  it('ends the sessions, and frees the address', async () => {
    const world = await asAda({ clientUserDeletionEnabled: true })
    expect((await world.me('DELETE')).body).toEqual({ success: true })
    expect(await isAlive(world, world.refreshToken)).toBe(false)
    const body = { email: ada.email, password: ada.password, verification_callback_url: 'http://localhost/v' }
    expect((await world.ask('POST /auth/password/sign-up', { body })).status).toBe(200)
  })
})
