import { claimsOf, readAccessToken } from '../../src/transport/access-token'
import { accessTokenText } from '../session/access-token-text'

it('reads user, session and times', () => {
  expect(readAccessToken(accessTokenText({ iat: 1000, exp: 1600 }))).toEqual({
    userId: 'user-1',
    sessionId: 'session-1',
    isAnonymous: undefined,
    restriction: null,
    issuedAtMillis: 1_000_000,
    expiresAtMillis: 1_600_000,
    isLimited: false,
  })
})

it('reads the later spelling of the session claim', () => {
  const text = accessTokenText({ refreshTokenId: undefined, refresh_token_id: 'session-2' })
  expect(readAccessToken(text)?.sessionId).toBe('session-2')
})

it.each(['is_anonymous', 'is_restricted'])('reads from %s that the platform may refuse the user’s calls', claim => {
  expect(readAccessToken(accessTokenText({ [claim]: true }))?.isLimited).toBe(true)
  expect(readAccessToken(accessTokenText({ [claim]: false }))?.isLimited).toBe(false)
})

it.each([
  [{}, { restriction: null }],
  [{ is_restricted: false, restricted_reason: null }, { restriction: null }],
  [{ is_restricted: true, restricted_reason: { type: 'email_not_verified' } }, { restriction: 'email_not_verified' }],
  [{ is_restricted: true, restricted_reason: null }, { restriction: 'unknown' }],
  [{ is_restricted: true, restricted_reason: { type: '' } }, { restriction: 'unknown' }],
  // An anonymous user is restricted for no other reason.
  [
    { is_anonymous: true, is_restricted: true, restricted_reason: { type: 'anonymous' } },
    { isAnonymous: true, restriction: null },
  ],
])('reads from %j the requirement that the user has yet to meet', (claims, expected) => {
  expect(readAccessToken(accessTokenText(claims))).toMatchObject(expected)
})

// Promise: anonymous-unknown
it.each([
  [{}, undefined],
  [{ is_restricted: false }, undefined],
  [{ is_anonymous: 'yes' }, undefined],
  [{ is_anonymous: true }, true],
  [{ is_anonymous: false }, false],
  // A release that names the session so marks anonymous users.
  [{ refreshTokenId: undefined, refresh_token_id: 'session-1' }, false],
  [{ refreshTokenId: undefined, refresh_token_id: 'session-1', is_anonymous: true }, true],
])(
  'reads from %j whether the user is anonymous: %s, where undefined is that the token cannot say it',
  (claims, isAnonymous) => {
    expect(readAccessToken(accessTokenText(claims))).toMatchObject({ isAnonymous })
  },
)

it('names no session if the token does not', () => {
  expect(readAccessToken(accessTokenText({ refreshTokenId: undefined }))?.sessionId).toBe('')
})

it('treats a token without exp as never expiring, and exp 0 as expired in 1970', () => {
  expect(readAccessToken(accessTokenText())?.expiresAtMillis).toBeNull()
  expect(readAccessToken(accessTokenText({ exp: 0 }))?.expiresAtMillis).toBe(0)
})

it('reads names in any alphabet', () => {
  expect(readAccessToken(accessTokenText({ sub: 'Ünal-李-🙂' }))?.userId).toBe('Ünal-李-🙂')
})

it.each([
  ['the text "undefined"', 'undefined'],
  ['an empty text', ''],
  ['two dots', '..'],
  ['a payload that is no base64', 'a.%%%.c'],
  ['a payload that is no JSON', `a.${btoa('{')}.c`],
  ['a payload that is null', `a.${btoa('null')}.c`],
  ['no user', accessTokenText({ sub: undefined })],
  ['a user that is a number', accessTokenText({ sub: 7 })],
  ['a session that is a number', accessTokenText({ refreshTokenId: 7 })],
  ['exp as a text', accessTokenText({ exp: '1600' })],
  ['exp null', accessTokenText({ exp: null })],
])('does not accept %s as an access token', (_, text) => {
  expect(readAccessToken(text)).toBeNull()
})

it.each([
  [8192, 'user-1'],
  [8193, undefined],
])('of %i characters has the user %s', (length, userId) => {
  const text = accessTokenText().padEnd(length, 's')
  expect(text).toHaveLength(length)
  expect(readAccessToken(text)?.userId).toBe(userId)
})

it('is decoded once for each pair of tokens', () => {
  const tokens = { accessToken: accessTokenText({ sub: 'decoded-once' }), refreshToken: null }
  const decoded = jest.spyOn(JSON, 'parse')
  for (let time = 0; time < 3; time++) expect(claimsOf(tokens)?.userId).toBe('decoded-once')
  expect(decoded).toHaveBeenCalledTimes(1)
  decoded.mockRestore()
  expect(claimsOf({ ...tokens, accessToken: 'not a token' })).toBeNull()
  expect([claimsOf({ accessToken: null, refreshToken: 'refresh' }), claimsOf(null)]).toEqual([null, null])
})
