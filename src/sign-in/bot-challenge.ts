/**
 * The result of a challenge widget on the page (such as Turnstile). For newer platforms; the reference release refuses it.
 */
export interface BotChallenge {
  readonly token: string
  /** `visible`: solved by the user, after a BOT_CHALLENGE_REQUIRED. */
  readonly phase?: 'invisible' | 'visible'
}

/** Why a newer platform refuses a sign-up. */
export const signUpRefusals = ['SIGN_UP_REJECTED', 'BOT_CHALLENGE_REQUIRED', 'BOT_CHALLENGE_FAILED'] as const

/** One of them. */
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
