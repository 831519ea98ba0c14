import * as v from 'valibot'
import { metrics$ } from '../../entities/metrics/admin'
import { json } from '../../core/wire'
import { dateOf, daysUntil } from '../directory/users'
import type { Engine } from '../model/engine'
import { serve } from '../http/serve'
import type { UserRow } from '../model/users'
import { NewerServerUser, toServerUser } from '../http/user-shapes'
import { endpoint } from '../../transport/endpoint'
import { plain } from '../model/refusal'
import type { MailOutcome, OutboxRow, SentEmailRow } from '../model/emails'
import { primaryChannelOf } from '../model/restriction'

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

const query = endpoint('POST /internal/analytics/query', {
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

interface Day {
  readonly date: string
  readonly activity: number
}

/**
 * The metrics that only the newer release has; those that the kit does not read are in wire names. Sales, page views and team activity are zero: the local
 * platform does not record them.
 */
function overviewsOf(engine: Engine, signUps: readonly Day[]) {
  const { tables, clock } = engine
  const dates = daysUntil(clock.now())
  const none = dates.map(date => ({ date, activity: 0 }))
  const users = tables.users.rows()
  const people = users.filter(({ isAnonymous }) => !isAnonymous)
  const verified = people.filter(({ id }) => primaryChannelOf(tables, id)?.isVerified).length
  return {
    authOverview: {
      verifiedUsers: verified,
      unverifiedUsers: people.length - verified,
      anonymousUsers: users.length - people.length,
      totalTeams: tables.teams.size,
      mau: new Set(dates.flatMap(date => activeOn(engine, date))).size,
      dailyActiveUsersSplit: activeUsersSplit(engine, dates, signUps),
      dailyActiveTeamsSplit: { total: none, new: none, retained: none, reactivated: none },
      totalUsersFiltered: people.length,
    },
    paymentsOverview: {
      subscriptions_by_status: {},
      active_subscription_count: 0,
      total_one_time_purchases: 0,
      daily_subscriptions: none,
      revenue_cents: 0,
      mrr_cents: 0,
      total_orders: 0,
      checkout_conversion_rate: 0,
    },
    emailOverview: mailsOf(engine, dates),
    analyticsOverview: {
      daily_page_views: none,
      daily_clicks: none,
      daily_visitors: none,
      daily_revenue: dates.map(date => ({ date, new_cents: 0, refund_cents: 0 })),
      total_revenue_cents: 0,
      total_replays: 0,
      recent_replays: 0,
      visitors: 0,
      avg_session_seconds: 0,
      online_live: 0,
      revenue_per_visitor: 0,
      top_referrers: [],
      top_region: null,
    },
  }
}

const recentMails = 5

/** The mails of the project: the latest ones that were sent or have failed, and those of its outbox that wait or came back. */
function mailsOf({ tables }: Engine, dates: readonly string[]) {
  const mails = tables.sentEmails.page('sentAt', { desc: true }).rows
  const outbox = tables.emailOutbox.rows()
  const countOf = (...statuses: readonly MailOutcome['status'][]) =>
    outbox.filter(({ outcome }) => outcome && statuses.includes(outcome.status)).length
  const [bounced, clicked] = [countOf('bounced'), countOf('clicked')]
  // The mail server has not told whether mails of the status `sent` arrived.
  const delivered = countOf('opened', 'clicked', 'marked-as-spam')
  const daily = dates.map(date => {
    const ofDay = mails.filter(({ sentAt }) => dateOf(sentAt) === date)
    return { date, ok: sentOf(ofDay), error: ofDay.length - sentOf(ofDay), in_progress: 0 }
  })
  const sent = sentOf(mails)
  const error = mails.length - sent
  const waiting = outbox.filter(({ outcome }) => !outcome).length
  const byStatus = Object.entries({ ok: sent, error, 'in-progress': waiting })
  const known = delivered + bounced
  /** With two digits; 0 while there is no mail of which the delivery is known. */
  const percentOf = (part: number) => (known === 0 ? 0 : Math.round((part / known) * 10_000) / 100)
  return {
    emailsByStatus: Object.fromEntries(byStatus.filter(([, count]) => count > 0)),
    totalEmails: mails.length,
    dailyEmails: daily.map(day => ({ date: day.date, activity: day.ok + day.error })),
    dailyEmailsByStatus: daily,
    emailsSent: sent,
    recentEmails: tables.emailOutbox
      .page('createdAt', { desc: true })
      .rows.flatMap(toRecentEmail)
      .slice(0, recentMails),
    deliverabilityStatus: { delivered, bounced, error, in_progress: waiting },
    deliverabilityRate: percentOf(delivered),
    bounceRate: percentOf(bounced),
    clickRate: percentOf(clicked),
  }
}

function toRecentEmail({ id, createdAt, rendered, outcome }: OutboxRow) {
  if (!outcome || outcome.status === 'skipped' || outcome.status === 'bounced') return []
  const isError = outcome.status === 'render-error' || outcome.status === 'server-error'
  const status = isError ? outcome.status.toUpperCase().replace('-', '_') : 'SENT'
  return [{ id, subject: rendered?.subject ?? '(no subject)', created_at_millis: createdAt, status }]
}

function sentOf(mails: readonly SentEmailRow[]): number {
  return mails.filter(({ error }) => error === null).length
}

/** Splits the active users of each day: signed up on that day, active on the day before, or returning. */
function activeUsersSplit(engine: Engine, dates: readonly string[], signUps: readonly Day[]) {
  const days = dates.map((date, index) => {
    const active = activeOn(engine, date)
    const before = new Set(index > 0 ? activeOn(engine, dates[index - 1] ?? '') : [])
    const retained = active.filter(id => before.has(id)).length
    const fresh = Math.min(signUps[index]?.activity ?? 0, active.length - retained)
    return { date, total: active.length, new: fresh, retained, reactivated: active.length - retained - fresh }
  })
  const series = (name: 'total' | 'new' | 'retained' | 'reactivated') =>
    days.map(day => ({ date: day.date, activity: day[name] }))
  const [total, retained, reactivated] = [series('total'), series('retained'), series('reactivated')]
  return { total, new: series('new'), retained, reactivated }
}

function activeOn({ tables }: Engine, date: string): string[] {
  return tables.activity.by('date', date).map(({ userId }) => userId)
}
