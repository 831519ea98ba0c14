import { redact } from '../../src/core/urls'

describe('redact', () => {
  it.each([
    ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', '[token]'],
    ['eyJhbGciOiJFUzI1NiJ9, cut', '[token], cut'],
    ['eyJ'.repeat(1000), '[token]'],
    ['ssk_local-platform-secret', '[key]'],
    ['key pk_local/team+1= is known', 'key [key] is known'],
    ['whsec_MfKQ9r8GKYqrTwjU', '[key]'],
    ['code 0123456789abcdefghjkmnpqr.', 'code [secret].'],
    ['to ada+1@example.com', 'to [email]'],
    ['to ada%2B1%40example.com', 'to [email]'],
    ['to ada%2540example.com and %40 or ada@', 'to [email] and %40 or ada@'],
    ['ada@example.com@x <bob@example.com>', '[email]@x <[email]>'],
    ["to jane.o'hara@example.com, 'jane.o'hara@example.com'", "to [email] '[email]'"],
    ["to jane.o'hara%40example.com", 'to [email]'],
    ["to o'hara'@example.com", 'to [email]'],
    ['to "jane doe"@example.com, "ada" or ""@example.com', 'to [email] "ada" or [email]'],
    ["to !#$%&'*+-/=?^_`{|}~.x@example.com", 'to [email]'],
    ['to ädä.用户@bücher.例子 and ada@[IPv6:2001:db8::1]', 'to [email] and [email]'],
    ['{"email":"jane.o\'hara@example.com","name":"x"}', '{"email":"[email]","name":"x"}'],
    ["it's 'here' and \"there\"", "it's 'here' and \"there\""],
    ['MULTI_FACTOR_AUTHENTICATION_REQUIRED', 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
    ['3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11', '3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11'],
    ['a'.repeat(5000), 'a'.repeat(1000)],
  ])('%.40s', (text, redacted) => {
    expect(redact(text)).toBe(redacted)
  })
})
