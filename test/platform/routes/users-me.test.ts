import currentUser from '../../wire/current-user.json'
import userForServers from '../../wire/user-for-servers.json'
import { ada, expectAnswer, expectPlain, expectRefusal, isAlive, signInAda, team, wireWorld } from '../wire-world'
import type { Ask } from '../wire-world'
import type { PlatformOptions, ProjectConfig } from 'rxauth/platform'

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
  it('refuses a team that the user is not in', async () => {
    const teamId = '00000000-0000-4000-8000-000000000000'
    const answer = await (await asAda()).me('PATCH', { display_name: 'Lost', selected_team_id: teamId })
    expect(expectRefusal(answer, 'TEAM_MEMBERSHIP_NOT_FOUND')).toEqual({ team_id: teamId, user_id: ada.id })
  })
})

describe('changing oneself through a server', () => {
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

  it('sets a password of any length and ends every session', async () => {
    const world = await asAda()
    expect((await world.me('PATCH', { password: 'x' }, 'server')).status).toBe(200)
    expect(await isAlive(world, world.refreshToken)).toBe(false)
    const body = { email: ada.email, password: 'x' }
    expect((await world.ask('POST /auth/password/sign-in', { body })).status).toBe(200)
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
