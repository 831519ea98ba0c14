import * as v from 'valibot'
import { json } from '../../core/wire'
import { previewAffectedUsers, signUpRulesStats$, testSignUpRules } from '../../entities/sign-up-rules/admin'
import { countedHours, countedSince, factsOf } from '../directory/sign-up'
import { serve } from '../http/serve'
import type { Engine } from '../model/engine'
import { primaryChannelOf, restrictionOf } from '../model/restriction'
import { evaluate, isAllowed, rulesOf } from '../model/sign-up-rules'
import type { UserRow } from '../model/users'

const limit = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1), v.maxValue(1000))

/** The newer release's questions about the rules of sign-ups and about what users have to do after them; answers that the kit reads as JSON are in wire names. */
export const newerRoutes = [
  serve(
    testSignUpRules,
    {
      body: {
        email: v.nullable(v.string()),
        turnstileResult: v.optional(v.picklist(['ok', 'invalid', 'error'])),
      },
      answers: json(),
    },
    async ({ engine, input }) => {
      const facts = factsOf(input)
      const outcome = await evaluate(engine.settings, facts)
      return {
        context: {
          email: facts.email,
          email_domain: facts.emailDomain,
          country_code: facts.countryCode,
          auth_method: facts.authMethod,
          oauth_provider: facts.oauthProvider,
          turnstile_result: input.turnstileResult ?? 'invalid',
          risk_scores: facts.riskScores,
        },
        evaluations: outcome.evaluations.map(({ rule, status, error }) => {
          const { id, displayName, enabled, condition, action } = rule
          return { rule_id: id, display_name: displayName, enabled, condition, action, status, error }
        }),
        outcome: {
          should_allow: isAllowed(outcome),
          decision: outcome.decision,
          decision_rule_id: outcome.decidedBy?.id ?? null,
          restricted_because_of_rule_id: outcome.restrictedBy?.id ?? null,
        },
      }
    },
  ),

  serve(signUpRulesStats$, { answers: json() }, ({ engine: { tables, clock, settings } }) => {
    const since = countedSince(clock.now())
    const byAction = { allow: 0, reject: 0, restrict: 0, log: 0 }
    const triggers = rulesOf(settings).flatMap(({ id, action }) => {
      const counted = tables.signUpRuleCounts.get(id)
      if (!counted) return []
      const hourly = since.map(hour => ({
        hour: new Date(hour).toISOString(),
        count: counted.hours?.find(each => each.hour === hour)?.count ?? 0,
      }))
      const total = hourly.reduce((sum, { count }) => sum + count, 0)
      byAction[action.type] += total
      return [{ rule_id: id, total_count: total, all_time_count: counted.count, hourly_counts: hourly }]
    })
    const total = triggers.reduce((sum, { total_count: count }) => sum + count, 0)
    return {
      rule_triggers: triggers,
      analytics_hours: countedHours,
      total_triggers: total,
      triggers_by_action: byAction,
    }
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
