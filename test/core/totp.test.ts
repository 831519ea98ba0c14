import { totpCode } from '../../src/core/totp'

const secret = new TextEncoder().encode('12345678901234567890')

describe('a time-based code', () => {
  // RFC 6238, appendix B, cut to six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s', async (seconds, code) => {
    expect(await totpCode(secret, seconds * 1000)).toBe(code)
  })
})
