import * as v from 'valibot'
import type { Shape } from '../core/wire'
import { afterAuth } from '../navigation/targets'
import { coreOf, type Kit } from '../store/kit-parts'

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

/**
 * The result of a challenge widget on the page (such as Turnstile). For newer releases; release 2.8.18 refuses it.
 */
export interface BotChallenge {
  readonly token: string
  /** `visible`: solved by the user, after a BOT_CHALLENGE_REQUIRED. */
  readonly phase?: 'invisible' | 'visible'
}

/** Why newer releases refuse a sign-up. */
export const signUpRefusals = ['SIGN_UP_REJECTED', 'BOT_CHALLENGE_REQUIRED', 'BOT_CHALLENGE_FAILED'] as const

export type SignUpRefusal = (typeof signUpRefusals)[number]

/** The request fields of a challenge; none without one. */
export function challengeFields(challenge: BotChallenge | undefined): {
  readonly botChallengeToken?: string
  readonly botChallengePhase?: 'invisible' | 'visible'
} {
  if (!challenge) return {}
  const { token, phase } = challenge
  return { botChallengeToken: token, ...(phase && { botChallengePhase: phase }) }
}

/** A successful sign-in. It does not navigate by itself. */
export interface SignedIn {
  readonly userId: string
  readonly isNewUser: boolean
  /** The trusted URL to go to: the return address, else the after-sign-up or after-sign-in page. */
  readonly next: string
}

/** `returnTo`: the return address, if the page's own URL has none. */
export function signedIn(
  kit: Kit<never>,
  userId: string,
  isNewUser: boolean,
  returnTo: string | null = null,
): SignedIn {
  return { userId, isNewUser, next: afterAuth(coreOf(kit).navigation, isNewUser, returnTo) }
}

/** Throws before the request of a sign-in what a function of `urls` would throw after it. */
export function assertNext(kit: Kit<never>, returnTo: string | null): void {
  for (const isNewUser of [false, true]) signedIn(kit, '', isNewUser, returnTo)
}
