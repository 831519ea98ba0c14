import * as v from 'valibot'
import { metrics$ } from '../../entities/metrics/admin'
import { json } from '../../core/wire'
import { dateOf, daysUntil } from '../directory/users'
import type { Engine } from '../model/engine'
import { overviewsOf } from '../directory/metrics'
import { serve } from '../http/serve'
import type { UserRow } from '../model/users'
import { NewerServerUser, toServerUser } from '../http/user-shapes'
import { platformOnly } from '../http/declared'
import { plain } from '../model/refusal'

/** The number of users in each of the two lists. */
const listed = 5

const number = v.number()

/** Written apart from the kit's declaration, which reads only a part of the answer. */
const emailOverview = v.object({
  emailsByStatus: v.record(v.string(), number),
  totalEmails: number,
  dailyEmails: v.array(v.object({ date: v.string(), activity: number })),
  dailyEmailsByStatus: json(),
  emailsSent: number,
  recentEmails: json(),
  deliverabilityStatus: json(),
  deliverabilityRate: number,
  bounceRate: number,
  clickRate: number,
})

/** Answered by the newer release only, and some of it only on request. */
const newer = {
  query: { includeAnonymous: v.optional(v.boolean()) },
  answers: {
    emailOverview,
    paymentsOverview: json(),
    analyticsOverview: json(),
    recentlyRegistered: v.array(NewerServerUser),
    recentlyActive: v.array(NewerServerUser),
  },
}

export const routes = [
  serve(metrics$, { newer }, ({ engine, input: { includeAnonymous = !engine.rules.limitsUsers } }) => {
    const { tables, clock } = engine
    const counts = ({ isAnonymous }: UserRow) => includeAnonymous || !isAnonymous
    const users = tables.users.filter(counts)
    const days = daysUntil(clock.now())
    const signUps = counted(users.map(({ signedUpAt }) => dateOf(signedUpAt)))
    const newest = tables.users.page('signedUpAt', { desc: true, limit: listed, where: counts }).rows
    const dailyUsers = days.map(date => ({ date, activity: signUps.get(date) ?? 0 }))
    return {
      ...(engine.rules.hasNewerAnswers && overviewsOf(engine, dailyUsers)),
      totalUsers: users.length,
      dailyUsers,
      dailyActiveUsers: days.map(date => ({ date, activity: tables.activity.by('date', date).length })),
      usersByCountry: Object.fromEntries(counted(countries(engine))),
      recentlyRegistered: newest.map(user => toServerUser(engine, user)),
      recentlyActive: lastActive(engine).flatMap(userId => {
        const user = tables.users.get(userId)
        return user && counts(user) ? [toServerUser(engine, user)] : []
      }),
      loginMethods: [...counted(loginMethods(engine))].map(([method, count]) => ({ method, count })),
    }
  }),
]

/** The ids of the most recently active users, newest first; some may have been deleted. */
function lastActive({ tables }: Engine): string[] {
  const seen = new Set<string>()
  const isNew = ({ userId }: { readonly userId: string }) => seen.size < seen.add(userId).size
  return tables.activity.page('lastAt', { desc: true, limit: listed, where: isNew }).rows.map(({ userId }) => userId)
}

/** One entry per user and sign-in method. */
function loginMethods({ tables }: Engine): string[] {
  return [
    ...tables.oauthAccounts.rows().map(({ provider }) => provider),
    ...tables.users
      .rows()
      .flatMap(({ id, password, otpAuthEnabled }) => [
        ...(password === null ? [] : ['password']),
        ...(otpAuthEnabled ? ['otp'] : []),
        ...(tables.passkeys.get(id) ? ['passkey'] : []),
      ]),
  ].sort()
}

/** The last known country of each user with located sessions. */
function countries({ tables }: Engine): string[] {
  const used = tables.sessions.rows().sort((left, right) => left.lastUsedAt - right.lastUsedAt)
  const countryOf = new Map<string, string>()
  for (const { userId, lastUsedFrom } of used)
    if (lastUsedFrom?.countryCode) countryOf.set(userId, lastUsedFrom.countryCode)
  return [...countryOf.values()].sort()
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const query = platformOnly('POST /internal/analytics/query', {
  access: 'admin',
  body: {
    query: v.string(),
    params: v.optional(json<object>()),
    timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1_000), v.maxValue(120_000))),
    includeAllBranches: v.optional(v.boolean()),
  },
})

/** The figures of the newer release's analytics database. */
export const newerRoutes = [
  serve(query, {}, () => {
    throw plain(
      501,
      'The local platform has no ClickHouse, which answers queries of analytics; its metrics count users.',
    )
  }),
]
