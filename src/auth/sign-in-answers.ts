import * as v from 'valibot'
import type { Shape } from '../core/wire'

const newSignInAnswer = v.object({
  accessToken: v.string(),
  refreshToken: v.string(),
  userId: v.string(),
  isNewUser: v.boolean(),
})

/** The answer of a sign-in that may have created the user: by code, passkey or second factor. */
export interface NewSignInAnswer extends v.InferOutput<typeof newSignInAnswer> {}
export const NewSignInAnswer: Shape<NewSignInAnswer> = newSignInAnswer
