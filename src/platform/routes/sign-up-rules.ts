import { configOf } from '../model/project-config'
import * as v from 'valibot'
import { iso } from '../../core/wire'
import { previewAffectedUsers, signUpRulesStats$, testSignUpRules } from '../../entities/sign-up-rules/admin'
import { countedHours, countedSince, factsOf } from '../directory/sign-up'
import { serve } from '../http/serve'
import type { Engine } from '../model/engine'
import { primaryChannelOf, restrictionOf } from '../model/restriction'
import { evaluate, isAllowed, rulesOf } from '../model/sign-up-rules'
import type { Evaluation } from '../model/sign-up-rules'
import type { UserRow } from '../model/users'

const scores = v.object({ bot: v.number(), freeTrialAbuse: v.number() })

/** Describes what the kit reads as any JSON. */
const explained = v.object({
  context: v.object({
    ...{ email: v.string(), emailDomain: v.string(), countryCode: v.string(), authMethod: v.string() },
    ...{ oauthProvider: v.string(), turnstileResult: v.string(), riskScores: scores },
  }),
  evaluations: v.array(
    v.object({
      ruleId: v.string(),
      displayName: v.string(),
      enabled: v.boolean(),
      condition: v.string(),
      action: v.object({ type: v.string(), message: v.optional(v.string()) }),
      status: v.string(),
      error: v.optional(v.string()),
    }),
  ),
  outcome: v.object({
    shouldAllow: v.boolean(),
    decision: v.string(),
    decisionRuleId: v.nullable(v.string()),
    restrictedBecauseOfRuleId: v.nullable(v.string()),
  }),
})

const counts = v.object({ allow: v.number(), reject: v.number(), restrict: v.number(), log: v.number() })

const triggers = v.object({
  ruleTriggers: v.array(
    v.object({
      ...{ ruleId: v.string(), totalCount: v.number(), allTimeCount: v.number() },
      hourlyCounts: v.array(v.object({ hour: iso(), count: v.number() })),
    }),
  ),
  analyticsHours: v.number(),
  totalTriggers: v.number(),
  triggersByAction: counts,
})

const limit = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1), v.maxValue(1000))

/** The newer release's questions about the rules of sign-ups and about what users have to do after them. */
export const newerRoutes = [
  serve(
    testSignUpRules,
    {
      body: {
        email: v.nullable(v.string()),
        turnstileResult: v.optional(v.picklist(['ok', 'invalid', 'error'])),
      },
      answers: explained,
    },
    async ({ caller: { project }, input }) => {
      const facts = factsOf(input)
      const outcome = await evaluate(configOf(project), facts)
      const { bot, free_trial_abuse: freeTrialAbuse } = facts.riskScores
      return {
        context: {
          ...facts,
          turnstileResult: input.turnstileResult ?? 'invalid',
          riskScores: { bot, freeTrialAbuse },
        },
        evaluations: outcome.evaluations.map(toEvaluation),
        outcome: {
          shouldAllow: isAllowed(outcome),
          decision: outcome.decision,
          decisionRuleId: outcome.decidedBy?.id ?? null,
          restrictedBecauseOfRuleId: outcome.restrictedBy?.id ?? null,
        },
      }
    },
  ),

  serve(signUpRulesStats$, { answers: triggers }, ({ engine: { tables, clock }, caller: { project } }) => {
    const since = countedSince(clock.now())
    const triggersByAction = { allow: 0, reject: 0, restrict: 0, log: 0 }
    const ruleTriggers = rulesOf(configOf(project)).flatMap(({ id, action }) => {
      const counted = tables.signUpRuleCounts.get(id)
      if (!counted) return []
      const hourlyCounts = since.map(hour => ({
        hour: new Date(hour),
        count: counted.hours?.find(each => each.hour === hour)?.count ?? 0,
      }))
      const totalCount = hourlyCounts.reduce((sum, { count }) => sum + count, 0)
      triggersByAction[action.type] += totalCount
      return [{ ruleId: id, totalCount, allTimeCount: counted.count, hourlyCounts }]
    })
    const totalTriggers = ruleTriggers.reduce((sum, { totalCount }) => sum + totalCount, 0)
    return { ruleTriggers, analyticsHours: countedHours, totalTriggers, triggersByAction }
  }),

  serve(
    previewAffectedUsers,
    { query: { limit: v.optional(limit, 100) } },
    ({ engine, input: { onboarding, limit } }) => {
      const affected = onboarding.requireEmailVerification === true ? usersToRestrict(engine) : []
      return {
        affectedUsers: affected.slice(0, limit).map(({ id, displayName }) => ({
          id,
          displayName,
          primaryEmail: primaryChannelOf(engine.tables, id)?.value ?? null,
          restrictedReason: { type: 'email_not_verified' },
        })),
        totalAffectedCount: affected.length,
      }
    },
  ),
]

/** Users whom the demand for a verified address would restrict, by an administrator restricted ones too; newest first. */
function usersToRestrict(engine: Engine): UserRow[] {
  const { tables } = engine
  const isAffected = (user: UserRow) => {
    const present = restrictionOf(engine, user)?.type
    if (present !== undefined && present !== 'restricted_by_administrator') return false
    return primaryChannelOf(tables, user.id)?.isVerified !== true
  }
  return tables.users.filter(isAffected).reverse()
}

function toEvaluation({ rule, status, error }: Evaluation) {
  const { id: ruleId, displayName, enabled, condition, action } = rule
  return { ruleId, displayName, enabled, condition, action, status, ...(error !== undefined && { error }) }
}
