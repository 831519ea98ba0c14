import { isTotpCode, totpCode } from '../../src/platform/totp'

const secret = new TextEncoder().encode('12345678901234567890')
const base64 = btoa('12345678901234567890')

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

  it.each([
    ['30 s, its first millisecond', 30_000, true],
    ['59.999 s, its last one', 59_999, true],
    ['29.999 s, the step before', 29_999, false],
    ['60 s, the step after', 60_000, false],
  ])('of 30 to 60 s is accepted at %s: %i → %s', async (_, millis, expected) => {
    expect(await isTotpCode(base64, '287082', millis)).toBe(expected)
  })

  it.each(['', '28708', '2870820', ' 287082', '２８７０８２'])('is nothing like %j', async sent => {
    expect(await isTotpCode(base64, sent, 59_000)).toBe(false)
  })
})
