import { memoryTokens, type Tokens } from 'rxauth'
import { usableTokens } from '../../src/session/token-store'
import { accessTokenText } from './access-token-text'

const accessToken = accessTokenText()
const first: Tokens = { accessToken, refreshToken: 'refresh-1' }
const second: Tokens = { accessToken: accessTokenText({ sub: 'user-2' }), refreshToken: 'refresh-2' }

describe('memoryTokens', () => {
  it('begins empty, or with the tokens that it is given', () => {
    expect(memoryTokens().read()).toBeNull()
    expect(memoryTokens(first).read()).toEqual(first)
  })

  it('begins empty with two nulls, as a session without either token is none', () => {
    const store = memoryTokens({ accessToken: null, refreshToken: null })
    expect(store.read()).toBeNull()
    expect(store.replace(null, first)).toBe(true)
  })

  it('of one kit are not seen by another', () => {
    const [one, other] = [memoryTokens(), memoryTokens()]
    void one.replace(null, first)
    expect(other.read()).toBeNull()
  })

  it('writes while it still holds the expected refresh token, with any access token', () => {
    const store = memoryTokens(first)
    expect(store.replace({ accessToken: null, refreshToken: 'refresh-1' }, second)).toBe(true)
    expect(store.read()).toEqual(second)
  })

  it('refuses, and keeps its tokens, if another writer was faster', () => {
    const store = memoryTokens(second)
    expect(store.replace(first, null)).toBe(false)
    expect(store.replace(null, first)).toBe(false)
    expect(store.read()).toEqual(second)
  })

  it('compares access tokens if there is no refresh token', () => {
    const store = memoryTokens({ accessToken, refreshToken: null })
    expect(store.replace({ accessToken: second.accessToken, refreshToken: null }, null)).toBe(false)
    expect(store.replace({ accessToken, refreshToken: null }, null)).toBe(true)
    expect(store.read()).toBeNull()
  })

  // Promise: malformed-tokens
  it.each<[string, Tokens]>([
    ['accessToken', { accessToken: 'undefined', refreshToken: null }],
    ['refreshToken', { accessToken, refreshToken: 'undefined' }],
    ['refreshToken', { accessToken, refreshToken: '' }],
    ['refreshToken', { accessToken } as Tokens],
    ['accessToken', { accessToken: 'not-a-token', refreshToken: 'refresh-1' }],
  ])('refuses a wrong %s before it is stored: %j', (field, tokens) => {
    const refused = expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) })
    expect(() => memoryTokens(tokens)).toThrow(refused)
    const store = memoryTokens(first)
    expect(() => store.replace(first, tokens)).toThrow(refused)
    expect(store.read()).toEqual(first)
  })

  it('refuses to store two nulls, which end no session', () => {
    const store = memoryTokens(first)
    expect(() => store.replace(first, { accessToken: null, refreshToken: null })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'tokens' }) }),
    )
    expect(store.read()).toEqual(first)
  })

  it('does not quote the tokens in its refusal', () => {
    expect(() => memoryTokens({ accessToken: 'secret-text', refreshToken: null })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret-text') }),
    )
  })
})

it.each<[string, unknown, Tokens | null]>([
  ['nothing', null, null],
  ['the text "undefined"', { accessToken: 'undefined', refreshToken: 'undefined' }, null],
  ['empty texts', { accessToken: '', refreshToken: '' }, null],
  ['a number', { accessToken: 7, refreshToken: 7 }, null],
  ['a bare object', {}, null],
  ['a malformed access token', { accessToken: 'a.b', refreshToken: 'r' }, { accessToken: null, refreshToken: 'r' }],
  ['an access token alone', { accessToken, refreshToken: 'undefined' }, { accessToken, refreshToken: null }],
])('of %s in a store, the usable part is used', (_, stored, usable) => {
  expect(usableTokens(stored as Tokens | null)).toEqual(usable)
})

describe('an engine without atob', () => {
  const { atob } = globalThis
  afterEach(() => Object.assign(globalThis, { atob }))

  it('is named where an access token cannot be read', () => {
    Reflect.deleteProperty(globalThis, 'atob')
    expect(() => memoryTokens(first)).toThrow(/without atob\(\).*define globalThis\.atob/)
  })
})
