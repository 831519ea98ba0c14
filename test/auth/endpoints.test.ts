import * as v from 'valibot'
import { fromWire, toWire } from '../../src/core/wire'
import { passwordSignIn, passwordSignUp, SignInAnswer } from '../../src/auth/endpoints'
import recorded from '../wire/password-sign-up.json'

it('a sign-up is sent and answered as it is on the wire', () => {
  const { email, password, verification_callback_url: verificationCallbackUrl } = recorded.request
  expect(toWire(passwordSignUp.input, { email, password, verificationCallbackUrl })).toEqual(recorded.request)
  expect(v.parse(SignInAnswer, fromWire(SignInAnswer, recorded.answer))).toEqual({
    accessToken: 'string',
    refreshToken: 'string',
    userId: 'string',
  })
})

it('sign-ins carry no tokens of whoever is signed in', () => {
  expect([passwordSignIn, passwordSignUp].map(({ ownedBy, access }) => [ownedBy, access])).toEqual([
    ['app', 'client'],
    ['app', 'client'],
  ])
})
