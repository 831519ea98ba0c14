import * as v from 'valibot'
import type { CurrentUser as User } from 'rxauth'
import { fromWire, toWire } from '../../../src/core/wire'
import { CurrentUser, updateUser } from '../../../src/entities/users/client'
import { ada, world } from '../../world'
import recorded from '../../wire/current-user.json'

describe('the current user', () => {
  it('is what the platform sends, in local terms', () => {
    expect(v.parse(CurrentUser, fromWire(CurrentUser, recorded))).toEqual({
      id: recorded.id,
      primaryEmail: 'ada@example.com',
      primaryEmailVerified: true,
      displayName: 'Ada',
      profileImageUrl: null,
      signedUpAt: new Date('2026-01-01T00:00:00.000Z'),
      clientMetadata: null,
      clientReadOnlyMetadata: null,
      hasPassword: true,
      otpAuthEnabled: false,
      passkeyAuthEnabled: false,
      authWithEmail: true,
      requiresTotpMfa: false,
      isAnonymous: false,
      oauthProviders: [],
      selectedTeamId: recorded.selected_team_id,
      selectedTeam: {
        id: recorded.selected_team.id,
        displayName: 'Analytical',
        profileImageUrl: null,
        clientMetadata: null,
        clientReadOnlyMetadata: null,
      },
    })
  })

  it('has nothing that only a server may see', () => {
    const user = fromWire(CurrentUser, { ...recorded, server_metadata: { secret: 1 }, last_active_at_millis: 1 })
    expect(Object.keys(user as object)).not.toEqual(expect.arrayContaining(['serverMetadata', 'lastActiveAt']))
  })

  it('is read with one request, which anyUser$ and user$ share', async () => {
    const { app, clock, requests } = await world()
    const seen: (User | null)[] = []
    for (const store of [app.user$, app.anyUser$]) store.subscribe(user => seen.push(user))
    await clock.advance(0)
    expect(seen).toEqual([
      expect.objectContaining({ displayName: 'Ada' }),
      expect.objectContaining({ displayName: 'Ada' }),
    ])
    expect(requests).toEqual(['GET /users/me'])
  })

  it('that is anonymous is one for anyUser$ and none for user$', async () => {
    const { newApp, tokensOf, platform, settled } = await world()
    const { fetch } = platform.options
    const anonymous: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      const body = (await answer.json()) as object
      return Response.json({ ...body, is_anonymous: true }, { headers: answer.headers })
    }
    const app = newApp({ tokens: await tokensOf(ada), fetch: anonymous })
    expect(await settled(app.anyUser$.get())).toMatchObject({ isAnonymous: true })
    expect(await settled(app.user$.get())).toBeNull()
  })
})

describe('updating the user', () => {
  it('sends what is given, in wire names', () => {
    const input = {
      displayName: null,
      selectedTeamId: 't',
      totpSecretBase64: null,
      otpAuthEnabled: true,
      clientMetadata: { keepMe: 1 },
    }
    expect(toWire(updateUser.endpoint!.input, input)).toEqual({
      display_name: null,
      selected_team_id: 't',
      totp_secret_base64: null,
      otp_auth_enabled: true,
      client_metadata: { keepMe: 1 },
    })
  })

  it('shows the team that is selected with all that it embeds, and none while it is not known', async () => {
    const teams = [
      { id: 'f0000000-0000-4000-8000-000000000001', displayName: 'Analysts', members: [ada] },
      { id: 'f0000000-0000-4000-8000-000000000002', displayName: 'Engineers', members: [ada] },
    ]
    const { app, clock, requests, settled } = await world({ platform: { seed: { users: [ada], teams } } })
    const seen: unknown[] = []
    app.user$.subscribe(user => seen.push([user?.selectedTeamId ?? null, user?.selectedTeam?.displayName ?? null]))
    await clock.advance(0)
    requests.length = 0
    for (const { id } of teams) await settled(app.updateUser({ selectedTeamId: id }))
    await settled(app.updateUser({ selectedTeamId: null }))
    expect(seen.slice(-4)).toEqual([
      [null, null],
      [teams[0]!.id, 'Analysts'],
      [teams[1]!.id, 'Engineers'],
      [null, null],
    ])
    expect(requests).toEqual(Array(3).fill('PATCH /users/me'))
  })

  it('shows an empty name as none, as the platform will', async () => {
    const { app, clock } = await world()
    const seen: unknown[] = []
    app.user$.subscribe(user => seen.push(user?.displayName))
    await clock.advance(0)
    void app.updateUser({ displayName: '' })
    await clock.advance(0)
    expect(seen).toEqual(['Ada', null])
  })

  it('leaves what is not mentioned as it is', async () => {
    const { app, settled } = await world()
    await settled(app.updateUser({ clientMetadata: { theme: 'dark' } }))
    await settled(app.updateUser({ displayName: undefined }))
    expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Ada', clientMetadata: { theme: 'dark' } })
  })
})

describe('deleting the user', () => {
  it('where the project forbids it, is REQUEST_FAILED with status 400, and the session stays', async () => {
    const { app, settled, clock } = await world({
      platform: { seed: { users: [ada], project: { config: { clientUserDeletionEnabled: false } } } },
    })
    app.user$.subscribe()
    await clock.advance(0)
    await expect(settled(app.deleteUser())).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
    expect(app.auth$.value.status).toBe('signed-in')
  })
})
