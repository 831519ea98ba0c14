import { checkPassword, hashPassword } from '../../../src/platform/directory/passwords'

describe('a password hash', () => {
  it.each(['test', 'real'] as const)('matches its own password at %s cost', async cost => {
    const hash = await hashPassword('correct horse', cost)
    expect(await checkPassword('correct horse', hash, cost)).toBe(true)
    expect(await checkPassword('Correct horse', hash, cost)).toBe(false)
  })

  it('is salted, and does not contain the password', async () => {
    const [one, other] = [await hashPassword('correct horse', 'test'), await hashPassword('correct horse', 'test')]
    expect(one).not.toBe(other)
    expect(one).not.toContain('horse')
  })

  it('keeps the cost that it was made at', async () => {
    expect(await checkPassword('a', await hashPassword('a', 'test'), 'real')).toBe(true)
  })

  it('that is missing matches nothing, at the same cost', async () => {
    const derive = jest.spyOn(crypto.subtle, 'deriveBits')
    const hash = await hashPassword('a', 'real')
    derive.mockClear()
    expect(await checkPassword('a', null, 'real')).toBe(false)
    await checkPassword('b', hash, 'real')
    const [unknown, wrong] = derive.mock.calls.map(([algorithm]) => (algorithm as Pbkdf2Params).iterations)
    expect(unknown).toBe(wrong)
    derive.mockRestore()
  })
})
