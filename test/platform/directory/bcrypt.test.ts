import { checkPassword } from '../../../src/platform/directory/passwords'

describe('the bcrypt hash of an imported user', () => {
  // The usual test vectors of bcrypt implementations.
  it.each([
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    ['correct horse battery staple ü', '$2b$04$abcdefghijklmnopqrstuucA0Kil.o8lwJ0tgOtVNDYu0UM9vVKkG'],
    ['correct horse battery staple ü', '$2y$04$abcdefghijklmnopqrstuucA0Kil.o8lwJ0tgOtVNDYu0UM9vVKkG'],
  ])('is the one of %j', async (password, hash) => {
    expect(await checkPassword(password, hash, 'test')).toBe(true)
    expect(await checkPassword(`${password}x`, hash, 'test')).toBe(false)
    expect(await checkPassword(password, hash.replace(/\$0./, '$06'), 'test')).toBe(false)
  })

  it('depends on the first 72 bytes of the password only', async () => {
    const hash = '$2b$04$abcdefghijklmnopqrstuuBzzIgyKkz7xMWYSzkIjUSnxEQFQ0WNe'
    expect(await checkPassword('a'.repeat(72), hash, 'test')).toBe(true)
    expect(await checkPassword('a'.repeat(80), hash, 'test')).toBe(true)
    expect(await checkPassword('a'.repeat(71), hash, 'test')).toBe(false)
  })
})
