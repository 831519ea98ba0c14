import { mailsSent } from '../emails/shape'
import { users$, ServerUser } from '../users/server'
import * as v from 'valibot'
import { adminStore, allOf, lacking, type Shape } from '../declare'

/** Stores that the metrics count: the metrics are stale whenever one of these is. */
const counted = [users$, allOf('users', {}), allOf('teams', {}), mailsSent]

/** The count of one day, `YYYY-MM-DD` in UTC. */
const day = v.object({ date: v.string(), activity: v.number() })

const days = v.array(day)
const split = v.object({ total: days, new: days, retained: days, reactivated: days })
const count = v.nullable(v.number())

/** Releases differ in what they count, so that each field may be absent. */
const authOverview = v.partial(
  v.object({
    verifiedUsers: count,
    unverifiedUsers: count,
    anonymousUsers: count,
    totalTeams: count,
    /** Users who were active within the month. */
    mau: count,
    dailyActiveUsersSplit: split,
    dailyActiveTeamsSplit: split,
    totalUsersFiltered: count,
  }),
)

const emailOverview = v.partial(
  v.object({
    emailsByStatus: v.record(v.string(), v.number()),
    totalEmails: count,
    emailsSent: count,
    dailyEmails: days,
    /** In percent of the mails whose delivery is known, as the next two; 0 while there are none. */
    deliverabilityRate: count,
    bounceRate: count,
    clickRate: count,
  }),
)

const metrics = v.object({
  totalUsers: v.number(),
  /** Sign-ups by day: 31 days, the last one is today. */
  dailyUsers: v.array(day),
  /** Active users by day, including those deleted since. */
  dailyActiveUsers: v.array(day),
  /** By two-letter country code of the sign-in. */
  usersByCountry: v.record(v.string(), v.number()),
  /** At most five, newest first. */
  recentlyRegistered: v.array(ServerUser),
  /** The five users last active, newest first, without deleted ones. */
  recentlyActive: v.array(ServerUser),
  /** The number of users by method: a provider's id, `password`, `otp`, `passkey` or `other`. */
  loginMethods: v.array(v.object({ method: v.string(), count: v.number() })),
  /** Release 2.8.18 lacks this field and the next one. */
  authOverview: v.optional(authOverview),
  emailOverview: v.optional(emailOverview),
})

/** Statistics of the project: sign-ups, active users, and sign-in methods. */
export interface Metrics extends v.InferOutput<typeof metrics> {}
export const Metrics: Shape<Metrics> = metrics

/**
 * Statistics of the project. Writes of this kit that change a user make it stale, and so do webhooks. Activity of users is
 * reported by neither, so a page that stays open needs `refreshOn: { everyMillis }`.
 *
 * @example
 * const { totalUsers } = await admin.metrics$.get()
 */
export const metrics$ = adminStore('GET /internal/metrics', { returns: Metrics, follows: counted })

/**
 * The statistics of `metrics$` with anonymous users among the users. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where
 * `metrics$` counts them.
 *
 * @example
 * const { totalUsers } = await metricsWithAnonymous$(admin).get()
 */
export const metricsWithAnonymous$ = adminStore('GET /internal/metrics', {
  fixed: { include_anonymous: 'true' },
  returns: Metrics,
  notOnPlatform: lacking('include_anonymous'),
  follows: counted,
})
