import { isBcryptOf } from '../../src/platform/bcrypt'

describe('a bcrypt hash', () => {
  // The vectors that implementations of bcrypt have shared since the first.
  it.each([
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    ['correct horse battery staple ü', '$2b$04$abcdefghijklmnopqrstuucA0Kil.o8lwJ0tgOtVNDYu0UM9vVKkG'],
  ])('is the one of %j', (password, hash) => {
    expect(isBcryptOf(password, hash)).toBe(true)
    expect(isBcryptOf(`${password}x`, hash)).toBe(false)
    expect(isBcryptOf(password, hash.replace(/\$0./, '$06'))).toBe(false)
  })
})
