import * as v from 'valibot'
import type { Shape } from '../core/wire'
import { ServerUser, users$ } from '../server/users'
import { query } from '../store/query'
import { endpoint } from '../transport/endpoint'

/** How much there was on one day, `YYYY-MM-DD` in UTC. */
const day = v.object({ date: v.string(), activity: v.number() })

const metrics = v.object({
  totalUsers: v.number(),
  /** Sign-ups by day: 31 days, the last one is today. */
  dailyUsers: v.array(day),
  /** How many users were active, by day; those who have been deleted since are counted. */
  dailyActiveUsers: v.array(day),
  /** By the country that they sign in from, as its two letters. */
  usersByCountry: v.record(v.string(), v.number()),
  /** At most five, newest first. */
  recentlyRegistered: v.array(ServerUser),
  /** Of the five users who were active last those who have not been deleted, newest first. */
  recentlyActive: v.array(ServerUser),
  /** How many users have it: a provider's id, `password`, `otp`, `passkey` or `other`. */
  loginMethods: v.array(v.object({ method: v.string(), count: v.number() })),
})

/**
 * What happens in the project: who signs up, who is active, and how they sign in.
 *
 * @example
 * const today = ({ dailyUsers }: Metrics) => dailyUsers.at(-1)?.activity
 */
export interface Metrics extends v.InferOutput<typeof metrics> {}
export const Metrics: Shape<Metrics> = metrics

/**
 * What happens in the project. Writes of this kit that change a user make it stale, and so do webhooks; that users are active
 * is told by neither, so a page that shows it for long says `refreshOn: { everyMillis }`.
 *
 * @example
 * const { totalUsers } = await admin.metrics$.get()
 */
export const metrics$ = query(endpoint('GET /internal/metrics', { access: 'admin', returns: Metrics }), {
  '~follows': [users$],
})
