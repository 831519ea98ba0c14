import { daysUntil } from './activity'
import type { Engine } from '../model/engine'
import { primaryChannelOf } from '../model/primary-channel'

interface Day {
  readonly date: string
  readonly activity: number
}

/**
 * The metrics that only the newer release has, in wire names. Sales, page views and team activity are zero: the local
 * platform does not record them.
 */
export function overviewsOf(engine: Engine, signUps: readonly Day[]) {
  const { tables, clock } = engine
  const dates = daysUntil(clock.now())
  const none = dates.map(date => ({ date, activity: 0 }))
  const users = tables.users.rows()
  const people = users.filter(({ isAnonymous }) => !isAnonymous)
  const verified = people.filter(({ id }) => primaryChannelOf(tables, id)?.isVerified).length
  const mails = tables.sentEmails.rows()
  const failed = mails.filter(({ error }) => error !== null).length
  return {
    authOverview: {
      verified_users: verified,
      unverified_users: people.length - verified,
      anonymous_users: users.length - people.length,
      total_teams: tables.teams.size,
      mau: new Set(dates.flatMap(date => activeOn(engine, date))).size,
      daily_active_users_split: activeUsersSplit(engine, dates, signUps),
      daily_active_teams_split: { total: none, new: none, retained: none, reactivated: none },
      total_users_filtered: people.length,
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
    emailOverview: {
      emails_by_status: { ok: mails.length - failed, error: failed },
      total_emails: mails.length,
      emails_sent: mails.length - failed,
    },
    analyticsOverview: {
      daily_page_views: none,
      daily_clicks: none,
      daily_visitors: none,
      daily_revenue: none,
      total_revenue_cents: 0,
      total_replays: 0,
      recent_replays: [],
      visitors: 0,
      avg_session_seconds: 0,
      online_live: 0,
      revenue_per_visitor: 0,
      top_referrers: [],
      top_region: null,
    },
  }
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
