import { endpoint } from '../transport/endpoint'
import { SignInAnswer } from './sign-in-answers'

/** Creates a user without name and address, and signs in. */
export const anonymousSignUp = endpoint('POST /auth/anonymous/sign-up', {
  access: 'client',
  returns: SignInAnswer,
  ownedBy: 'app',
})
