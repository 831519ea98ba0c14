import * as v from 'valibot'
import type { Engine } from '../model/engine'
import { normalizeEmail } from '../model/normalize-email'
import { known } from '../model/refusal'
import type { ProjectRow } from '../model/tables'

/** The bot challenge fields of an app. If no challenge could be shown, `botChallengeUnavailable` is sent as the token. */
export const challengeFields = {
  botChallengeToken: v.optional(v.string()),
  botChallengePhase: v.optional(v.picklist(['invisible', 'visible'])),
  botChallengeUnavailable: v.optional(v.literal('true')),
}

type Challenge = { readonly [K in keyof typeof challengeFields]?: v.InferOutput<(typeof challengeFields)[K]> }

/** Refuses a sign-up without the project's bot challenge. A failed invisible challenge asks for a visible one. */
export function requireChallenge({ rules }: Pick<Engine, 'rules'>, { config }: ProjectRow, sent: Challenge): void {
  const { botChallengeToken: token, botChallengePhase: phase } = sent
  const { botChallengeToken: expected } = config
  if (!rules.screensSignUps || expected === null || token === expected) return
  if (token === undefined || phase === 'invisible')
    throw known(
      'BOT_CHALLENGE_REQUIRED',
      'This project demands a bot challenge of sign-ups: show it, and send its token.',
    )
  const message = 'The bot challenge was not passed.'
  throw known('BOT_CHALLENGE_FAILED', message, { message })
}

/** Applies the project's sign-up rules: throws for a rejected address, and returns the restriction of a restricted one. */
export function screenSignUp(
  { rules }: Pick<Engine, 'rules'>,
  { config }: ProjectRow,
  email: string,
): { readonly restrictedByAdmin?: true } {
  const domain = normalizeEmail(email).split('@').at(-1)
  const rule = config.signUpRules.find(({ emailDomain }) => (emailDomain ?? domain)?.toLowerCase() === domain)
  if (!rules.screensSignUps || !rule || rule.action === 'allow') return {}
  if (rule.action === 'restrict') return { restrictedByAdmin: true }
  const { message = 'A rule of this project rejects this sign-up.' } = rule
  throw known('SIGN_UP_REJECTED', message, { message })
}
