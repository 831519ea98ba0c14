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
})
