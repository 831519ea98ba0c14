import * as v from 'valibot'
import { adminStore, adminWrite, allOf, email, json, lacking, type Kit, type Shape } from '../declare'
import { configWritten } from '../config/server'
import { users$ } from '../users/server'

const notOnPlatform = lacking(404)

const methods = ['password', 'otp', 'oauth', 'passkey'] as const

/** A sign-up that `testSignUpRules` plays. */
export interface SignUpQuestion {
  readonly email?: string | null
  /** Default 'password'. */
  readonly authMethod?: (typeof methods)[number]
  readonly oauthProvider?: string | null
  /** Two letters, such as AT. */
  readonly countryCode?: string | null
  readonly turnstileResult?: string
  /** From 0 to 100. */
  readonly riskScores?: { readonly bot: number; readonly freeTrialAbuse: number }
}

const signUpTest = v.object({
  /** The facts that the conditions looked at. */
  context: json<Readonly<Record<string, unknown>>>(),
  evaluations: v.array(json<Readonly<Record<string, unknown>>>()),
  outcome: v.object({
    shouldAllow: v.boolean(),
    /** 'allow', 'reject' or 'restrict', or that of the default action. */
    decision: v.string(),
    /** Null: no rule decided. */
    decisionRuleId: v.nullable(v.string()),
    restrictedBecauseOfRuleId: v.nullable(v.string()),
  }),
})

/**
 * The decision of the project's rules about a sign-up. `context` and `evaluations` are as the platform sends them, in the names of the
 * wire: their form is not documented.
 */
export interface SignUpTest extends v.InferOutput<typeof signUpTest> {}
export const SignUpTest: Shape<SignUpTest> = signUpTest

/**
 * Asks the project's rules about a sign-up, without one. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls
 * do.
 *
 * @example
 * const { outcome } = await testSignUpRules(admin, { email: 'eve@example.org', countryCode: 'AT' })
 */
export const testSignUpRules = adminWrite('POST /internal/sign-up-rules-test', {
  body: {
    email: v.nullable(email()),
    authMethod: v.picklist(methods),
    oauthProvider: v.nullable(v.string()),
    countryCode: v.nullable(v.string()),
    turnstileResult: v.optional(v.string()),
    riskScores: v.optional(v.object({ bot: v.number(), freeTrialAbuse: v.number() })),
  },
  returns: SignUpTest,
  notOnPlatform,
  prepare: (_: Kit<'admin'>, question: SignUpQuestion) => ({
    email: null,
    authMethod: 'password' as const,
    oauthProvider: null,
    countryCode: null,
    ...question,
  }),
  refreshes: () => [],
})

/**
 * How often the rules have matched, as the platform sends it: the form is not documented.
 *
 * @example
 * console.log(JSON.stringify(await signUpRulesStats$(admin).get()))
 */
export const signUpRulesStats$ = adminStore('GET /internal/sign-up-rules-stats', {
  returns: json(),
  notOnPlatform,
  follows: [configWritten, users$, allOf('users', {})],
})

const affectedUsers = v.object({
  affectedUsers: v.array(
    v.object({
      id: v.string(),
      displayName: v.nullable(v.string()),
      primaryEmail: v.nullable(v.string()),
      /** Why the user would be restricted, such as 'email_not_verified'. */
      restrictedReason: v.object({ type: v.string() }),
    }),
  ),
  /** The number of all affected users, not only of those in the list. */
  totalAffectedCount: v.number(),
})

/** The users whom a change of the onboarding would restrict. */
export interface AffectedUsers extends v.InferOutput<typeof affectedUsers> {}
export const AffectedUsers: Shape<AffectedUsers> = affectedUsers

/**
 * Lists the users whom a change of the onboarding would restrict, without the change: `updateProjectConfig` makes it. Without a
 * `limit`, as many as the platform chooses.
 *
 * @example
 * const { totalAffectedCount } = await previewAffectedUsers(admin, { onboarding: { requireEmailVerification: true } })
 */
export const previewAffectedUsers = adminWrite('POST /internal/onboarding/preview-affected-users', {
  body: { onboarding: v.object({ requireEmailVerification: v.optional(v.boolean()) }) },
  query: { limit: v.optional(v.number()) },
  returns: AffectedUsers,
  notOnPlatform,
  refreshes: () => [],
})
