import { dateOf, daysUntil } from './users'
import type { MailOutcome, OutboxRow, SentEmailRow } from '../model/emails'
import type { Engine } from '../model/engine'
import { primaryChannelOf } from '../model/restriction'

interface Day {
  readonly date: string
  readonly activity: number
}

/**
 * The metrics that only the newer release has; those that the kit does not read are in wire names. Sales, page views and team activity are zero: the local
 * platform does not record them.
 */
export function overviewsOf(engine: Engine, signUps: readonly Day[]) {
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
    emailOverview: emailOverview(engine, dates),
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
function emailOverview({ tables }: Engine, dates: readonly string[]) {
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
    deliverabilityStatus: {
      delivered,
      bounced,
      error,
      in_progress: waiting,
    },
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
  return {
    total: series('total'),
    new: series('new'),
    retained: series('retained'),
    reactivated: series('reactivated'),
  }
}

function activeOn({ tables }: Engine, date: string): string[] {
  return tables.activity.by('date', date).map(({ userId }) => userId)
}
