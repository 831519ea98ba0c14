import { challengeOf, isVerifierOf } from '../../../src/platform/model/oauth'

// The example of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('PKCE', () => {
  it('makes the challenge of RFC 7636', async () => {
    expect(await challengeOf(verifier)).toBe(challenge)
  })

  it.each([
    ['S256', verifier, challenge, true],
    ['S256', `${verifier}x`, challenge, false],
    ['S256', challenge, challenge, false],
    ['plain', verifier, verifier, true],
    ['plain', verifier, challenge, false],
  ] as const)('by %s, %s answers %s: %p', async (method, given, asked, fits) => {
    expect(await isVerifierOf(given, asked, method)).toBe(fits)
  })
})
