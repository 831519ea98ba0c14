/**
 * What a page's challenge widget (such as Turnstile) has given for the person in front of it. For newer platforms; the
 * reference release refuses it.
 */
export interface BotChallenge {
  readonly token: string
  /** `visible`: the person has solved it, after a BOT_CHALLENGE_REQUIRED. */
  readonly phase?: 'invisible' | 'visible'
}

/** Why a newer platform takes nobody in. */
export const signUpRefusals = ['SIGN_UP_REJECTED', 'BOT_CHALLENGE_REQUIRED', 'BOT_CHALLENGE_FAILED'] as const

/** One of them. */
export type SignUpRefusal = (typeof signUpRefusals)[number]

/** The fields of a request that carry it; none without it. */
export function challengeFields(challenge: BotChallenge | undefined): {
  readonly botChallengeToken?: string
  readonly botChallengePhase?: 'invisible' | 'visible'
} {
  if (!challenge) return {}
  const { token, phase } = challenge
  return { botChallengeToken: token, ...(phase && { botChallengePhase: phase }) }
}
