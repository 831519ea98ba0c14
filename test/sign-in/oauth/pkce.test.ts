import { assertHashes, challengeOf, secretPattern } from '../../../src/sign-in/oauth/cookie'
import { randomBase64Url } from '../../../src/core/encoding'

it('a challenge equals the example of RFC 7636, appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

it('1,000 secrets are 32 random bytes each, in base64url', () => {
  const secrets = Array.from({ length: 1000 }, randomBase64Url)
  expect(new Set(secrets).size).toBe(1000)
  for (const secret of secrets) {
    expect(secret).toMatch(secretPattern)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(Buffer.from(secret, 'base64url').toString('base64url')).toBe(secret)
  }
  // Every character of the alphabet, among 43,000.
  expect(new Set(secrets.join(''))).toHaveProperty('size', 64)
})

it('where the page is not secure, it is said before anything else', () => {
  const { crypto } = globalThis
  const without = (value: unknown) => Object.defineProperty(globalThis, 'crypto', { value, configurable: true })
  try {
    for (const lacking of [undefined, {}]) {
      without(lacking)
      expect(assertHashes).toThrow(/https/)
    }
  } finally {
    without(crypto)
  }
  expect(assertHashes).not.toThrow()
})
