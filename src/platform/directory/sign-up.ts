import * as v from 'valibot'
import { createUser, requireFreeAuthEmail, setPrimaryEmail, type NewUser } from './users'
import type { Engine } from '../model/engine'
import { normalizeEmail, type UserRow } from '../model/users'
import { known } from '../model/refusal'
import { evaluate, isAllowed, type SignUpFacts, type Evaluation } from '../model/sign-up-rules'
import { grantingDefaults } from './permissions'
import { endSessionsOf } from './sessions'
import { tellUserUpdated } from '../webhooks/webhook-events'

/** The bot challenge fields of an app. If no challenge could be shown, `botChallengeUnavailable` is sent as the token. */
export const challengeFields = {
  botChallengeToken: v.optional(v.string()),
  botChallengePhase: v.optional(v.picklist(['invisible', 'visible'])),
  botChallengeUnavailable: v.optional(v.literal('true')),
}

type Challenge = { readonly [K in keyof typeof challengeFields]?: v.InferOutput<(typeof challengeFields)[K]> }

export function requireSignUps({ settings }: Engine): void {
  if (settings.signUpEnabled) return
  throw known('SIGN_UP_NOT_ENABLED', 'This project does not accept new users: switch on signUpEnabled.')
}

/** Refuses a sign-up without the project's bot challenge. A failed invisible challenge asks for a visible one. */
export function requireChallenge({ rules, settings: { botChallengeToken: expected } }: Engine, sent: Challenge): void {
  const { botChallengeToken: token, botChallengePhase: phase } = sent
  if (!rules.screensSignUps || expected === null || token === expected) return
  if (token === undefined || phase === 'invisible')
    throw known(
      'BOT_CHALLENGE_REQUIRED',
      'This project demands a bot challenge of sign-ups: show it, and send its token.',
    )
  const message = 'The bot challenge was not passed.'
  throw known('BOT_CHALLENGE_FAILED', message, { message })
}

/** Applies the project's sign-up rules: throws for a rejected sign-up, and returns the restriction of a restricted one. */
export async function screenSignUp(
  engine: Engine,
  applicant: { readonly email: string; readonly authMethod: string; readonly oauthProvider?: string },
): Promise<Pick<NewUser, 'restrictedByAdmin' | 'restrictedByAdminPrivateDetails'>> {
  if (!engine.rules.screensSignUps) return {}
  const countryCode = engine.place?.countryCode ?? ''
  const outcome = await evaluate(engine.settings, factsOf({ ...applicant, countryCode }))
  const matched = outcome.evaluations.filter(({ status }) => status === 'matched')
  if (isAllowed(outcome)) {
    count(engine, matched)
    if (!outcome.restrictedBy) return {}
    const { id, displayName } = outcome.restrictedBy
    const restrictedByAdminPrivateDetails = `Restricted by sign-up rule: ${id} (${displayName})`
    return { restrictedByAdmin: true, restrictedByAdminPrivateDetails }
  }
  // The refusal undoes what the handler has written; that the rules have matched stays.
  engine.undo()
  count(engine, matched)
  engine.keep()
  const message = "Your sign up was rejected by an administrator's sign-up rule."
  throw known('SIGN_UP_REJECTED', message, { message })
}

interface SignUpRequest {
  readonly email: string | null
  readonly authMethod: string
  readonly oauthProvider?: string | null
  readonly countryCode?: string | null
  readonly riskScores?: { readonly bot: number; readonly freeTrialAbuse: number } | null | undefined
}

/** The facts that conditions look at; the platform estimates no risk. */
export function factsOf({ email, authMethod, oauthProvider, countryCode, riskScores }: SignUpRequest): SignUpFacts {
  const address = email === null ? '' : normalizeEmail(email)
  return {
    email: address,
    emailDomain: address.split('@').at(-1) ?? '',
    countryCode: countryCode ?? '',
    authMethod,
    oauthProvider: oauthProvider ?? '',
    riskScores: { bot: riskScores?.bot ?? 0, free_trial_abuse: riskScores?.freeTrialAbuse ?? 0 },
  }
}

const hourMillis = 3_600_000

/** How many hours the statistics look back. */
export const countedHours = 48

function hourOf(time: number): number {
  return time - (time % hourMillis)
}

function count({ tables: { signUpRuleCounts }, clock }: Engine, matched: readonly Evaluation[]): void {
  const now = clock.now()
  const hour = hourOf(now)
  for (const { rule } of matched) {
    const { count = 0, hours = [] } = signUpRuleCounts.get(rule.id) ?? {}
    const others = hours.filter(each => each.hour !== hour && each.hour > hour - countedHours * hourMillis)
    const inHour = (hours.find(each => each.hour === hour)?.count ?? 0) + 1
    signUpRuleCounts.put({ id: rule.id, count: count + 1, lastAt: now, hours: [...others, { hour, count: inHour }] })
  }
}

/** The hours of the statistics, oldest first. */
export function countedSince(now: number): number[] {
  const hour = hourOf(now)
  return Array.from({ length: countedHours }, (_, index) => hour - (countedHours - 1 - index) * hourMillis)
}

/**
 * The user of a sign-up: a new one, or the anonymous user `current`, who keeps the id. Refuses an address that another
 * user signs in with. With a password, the anonymous user's sessions end.
 */
export function signUpUser(engine: Engine, current: UserRow | null, { email, ...given }: Omit<NewUser, 'id'>): UserRow {
  const anonymous = engine.rules.keepsAnonymousUsers && current ? engine.tables.users.get(current.id) : undefined
  if (!anonymous?.isAnonymous) return grantingDefaults(() => createUser(engine, { ...given, ...(email && { email }) }))
  if (email?.usedForAuth) requireFreeAuthEmail(engine, normalizeEmail(email.value), anonymous.id)
  if (email) {
    const { value, isVerified, usedForAuth } = email
    setPrimaryEmail(engine, anonymous, { email: value, isVerified, usedForAuth })
  }
  if (given.password != null) endSessionsOf(engine, anonymous.id)
  const user = engine.tables.users.patch(anonymous.id, {
    ...given,
    // If the provider has no name, the user's own stays.
    displayName: given.displayName ?? anonymous.displayName,
    isAnonymous: false,
  })
  tellUserUpdated(engine, user)
  return user
}
