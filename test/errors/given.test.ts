import { given } from '../../src/errors/auth-error'

describe('an input', () => {
  it('is passed on as it is', () => {
    const input = { email: 'ada@example.com' }
    expect(given(input)).toBe(input)
  })

  it.each([undefined, null])('that is %s is INVALID_INPUT, which names what is missing', input => {
    expect(() => given(input)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        details: { field: 'input', reason: expect.stringMatching(/missing/) },
      }),
    )
  })
})
