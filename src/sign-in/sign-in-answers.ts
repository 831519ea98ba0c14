import * as v from 'valibot'
import type { Shape } from '../core/wire'

const signInAnswer = v.object({ accessToken: v.string(), refreshToken: v.string(), userId: v.string() })

/** The answer to every sign-in: the tokens of the new session, and its user. */
export interface SignInAnswer extends v.InferOutput<typeof signInAnswer> {}
export const SignInAnswer: Shape<SignInAnswer> = signInAnswer

const newSignInAnswer = v.object({
  accessToken: v.string(),
  refreshToken: v.string(),
  userId: v.string(),
  isNewUser: v.boolean(),
})

/** The answer of a sign-in that may have created the user: by code, passkey or second factor. */
export interface NewSignInAnswer extends v.InferOutput<typeof newSignInAnswer> {}
export const NewSignInAnswer: Shape<NewSignInAnswer> = newSignInAnswer
