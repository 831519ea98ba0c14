import { memoryTokens, userFromToken, type TokenStore } from 'rxauth'
import { accessTokenText } from '../session/access-token-text'
import { ada, world } from '../world'

/** The user of a kit with this access token, and how many requests it took. */
async function read(accessToken: string | null, refreshToken: string | null = 'refresh-1') {
  const { newApp, settled, requests } = await world()
  const tokens: TokenStore = { ...memoryTokens(), read: () => ({ accessToken, refreshToken }) }
  const app = newApp({ tokens })
  const user = await settled(userFromToken(app))
  expect(requests).toEqual([])
  return user
}

describe('the user from the token', () => {
  // Promise: user-from-token
  it('has what a token of a newer release says', async () => {
    const claims = {
      refreshTokenId: undefined,
      refresh_token_id: 'session-1',
      name: 'Ada',
      email: 'ada@example.com',
      email_verified: true,
      selected_team_id: 'team-1',
      is_anonymous: false,
      is_restricted: false,
      restricted_reason: null,
      requires_totp_mfa: false,
    }
    expect(await read(accessTokenText(claims))).toEqual({
      id: 'user-1',
      displayName: 'Ada',
      primaryEmail: 'ada@example.com',
      primaryEmailVerified: true,
      selectedTeamId: 'team-1',
      isAnonymous: false,
      isRestricted: false,
      requiresTotpMfa: false,
    })
  })

  // Promise: user-from-token
  it('is only an id where a token of the reference release says no more, not even whether it is of an anonymous user', async () => {
    expect(await read(accessTokenText())).toStrictEqual({ id: 'user-1', isAnonymous: undefined, isRestricted: false })
  })

  it.each([
    [{ is_restricted: true, restricted_reason: { type: 'email_not_verified' } }, 'email_not_verified'],
    [{ is_restricted: true }, 'unknown'],
  ])('is restricted with %j', async (claims, type) => {
    expect(await read(accessTokenText(claims))).toMatchObject({ isRestricted: true, restriction: { type } })
  })

  it('may be anonymous', async () => {
    const claims = { is_anonymous: true, is_restricted: true, restricted_reason: { type: 'anonymous' }, name: null }
    const user = await read(accessTokenText(claims))
    expect(user).toEqual({ id: 'user-1', isAnonymous: true, isRestricted: true, displayName: null })
  })

  it('leaves out what is of another type', async () => {
    const claims = { name: 7, email: { a: 1 }, email_verified: 'yes', selected_team_id: [], requires_totp_mfa: null }
    expect(await read(accessTokenText(claims))).toStrictEqual({
      id: 'user-1',
      isAnonymous: undefined,
      isRestricted: false,
    })
  })

  it.each([
    ['there is no token', null],
    ['the text is no token', 'nonsense'],
    ['it is encoded by no known rule', 'a.%%%.c'],
  ])('is null where %s', async (_, accessToken) => {
    expect(await read(accessToken)).toBeNull()
  })

  it('is null while signed out, and waits for a token store that answers later', async () => {
    const { newApp, settled, clock } = await world()
    expect(await settled(userFromToken(newApp()))).toBeNull()
    const inner = memoryTokens({ accessToken: accessTokenText({ name: 'Ada' }), refreshToken: null })
    const slow: TokenStore = {
      ...inner,
      read: () => new Promise(resolve => clock.setTimeout(() => resolve(inner.read()), 1000)),
    }
    const user = userFromToken(newApp({ tokens: slow }))
    await clock.advance(2000)
    expect(await settled(user)).toMatchObject({ displayName: 'Ada' })
  })

  // Promise: user-from-token
  it('is the same as user$ has, on the newer wire', async () => {
    const { app, settled } = await world({ platform: { wire: '2026', seed: { users: [ada] } } })
    const user = await settled(app.user$.get())
    const { id, displayName, primaryEmail, primaryEmailVerified, selectedTeamId, requiresTotpMfa } = user!
    const expected = { id, displayName, primaryEmail, primaryEmailVerified, selectedTeamId, requiresTotpMfa }
    expect(await settled(userFromToken(app))).toEqual({ ...expected, isAnonymous: false, isRestricted: false })
  })
})
