import { createKit, memoryTokens } from 'rxauth'
import { signedIn } from '../../src/sign-in/answers'

it.each([
  [false, '/in'],
  [true, '/up'],
])('a new user (%s) goes to %s', (isNewUser, next) => {
  const kit = createKit({
    baseUrl: 'http://localhost:8102',
    tokens: memoryTokens(),
    urls: { afterSignIn: '/in', afterSignUp: '/up' },
  })
  expect(signedIn(kit, 'u', isNewUser)).toEqual({ userId: 'u', isNewUser, next })
})
