import * as v from 'valibot'
import type { Shape } from '../core/wire'

const newSignInAnswer = v.object({
  accessToken: v.string(),
  refreshToken: v.string(),
  userId: v.string(),
  isNewUser: v.boolean(),
})

/** What a sign-in answers that may have made the user: by code, with a passkey, with a second factor. */
export interface NewSignInAnswer extends v.InferOutput<typeof newSignInAnswer> {}
export const NewSignInAnswer: Shape<NewSignInAnswer> = newSignInAnswer
