import { endpoint } from '../transport/endpoint'
import { SignInAnswer } from './endpoints'

/** Makes a user who has neither name nor address, and signs in. */
export const anonymousSignUp = endpoint('POST /auth/anonymous/sign-up', {
  access: 'client',
  returns: SignInAnswer,
  ownedBy: 'app',
})
