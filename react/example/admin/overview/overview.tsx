import type { ReactNode } from 'react'
import { providerOf } from '../../sign-in/providers'
import { ListOf } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { UserRow } from '../users/user-row'

/** The project's metrics: users, activity and sign-in methods. */
export function Overview(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <PageHeading title="Overview" />
      <WithStore store={app.metrics$} label="Numbers" gap="lg">
        {metrics => {
          const countries = Object.entries(metrics.usersByCountry).map(
            ([code, count]) => [countryOf(code), count] as const,
          )
          return (
            <>
              <div className="grid">
                {[
                  { label: 'Users', count: metrics.totalUsers },
                  { label: 'Signed up in 31 days', count: sum(metrics.dailyUsers) },
                  { label: 'Active today', count: metrics.dailyActiveUsers.at(-1)?.activity ?? 0 },
                ].map(({ label, count }) => (
                  <div key={label} className="auth-card" role="group" aria-label={label}>
                    <p className="dim">{label}</p>
                    <p className="large">{count}</p>
                  </div>
                ))}
              </div>
              <DayChart title="Sign-ups per day" days={metrics.dailyUsers} />
              <DayChart title="Active users per day" days={metrics.dailyActiveUsers} />
              <Bars
                title="Sign-in methods"
                empty="No user has a sign-in method yet."
                bars={metrics.loginMethods.map(({ method, count }) => [
                  methodNames[method] ?? providerOf(method).name,
                  count,
                ])}
              />
              {/* Not all platforms know the countries of sign-ins. */}
              {countries.length > 0 && <Bars title="Countries" bars={countries} />}
              <div className="grid">
                {[
                  { title: 'Recently registered', empty: 'No users yet.', users: metrics.recentlyRegistered },
                  { title: 'Recently active', empty: 'No active users yet.', users: metrics.recentlyActive },
                ].map(({ title, empty, users }) => (
                  <Section key={title} title={title}>
                    <ListOf label={title} items={users} empty={empty}>
                      {user => <UserRow key={user.id} user={user} />}
                    </ListOf>
                  </Section>
                ))}
              </div>
            </>
          )
        }}
      </WithStore>
    </>
  )
}

function sum(days: readonly { readonly activity: number }[]): number {
  return days.reduce((total, { activity }) => total + activity, 0)
}

const methodNames: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'E-mail',
  passkey: 'Passkey',
  other: 'Other',
}

const countryNames = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

/** The platform may send a text that is not a country code. */
function countryOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

interface BarsProps {
  readonly title: string
  /** The text without any. */
  readonly empty?: string
  readonly bars: readonly (readonly [label: string, count: number])[]
}

/** Numbers with their parts of the largest one, which is first. */
function Bars({ title, empty, bars }: BarsProps): ReactNode {
  const most = Math.max(...bars.map(([, count]) => count))
  const sorted = [...bars].sort(([, left], [, right]) => right - left)
  return (
    <Section title={title}>
      {bars.length === 0 && <p className="dim">{empty}</p>}
      {bars.length > 0 && (
        <ul className="auth-stack snug">
          {sorted.map(([label, count]) => (
            <li key={label}>
              <div className="auth-row between">
                <span>{label}</span>
                <span className="dim">{count}</span>
              </div>
              <div className="portion" style={{ width: `${(100 * count) / most}%` }} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface Props {
  readonly title: string
  /** Oldest first; the date as `2026-11-22`. */
  readonly days: readonly { readonly date: string; readonly activity: number }[]
}

// The platform's days are in UTC.
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOf = (date: string) => short.format(new Date(`${date}T00:00:00Z`))

/** A number for each day: as bars, and as a table with the same numbers. */
function DayChart({ title, days }: Props): ReactNode {
  const [first, last] = [days[0], days.at(-1)]
  const most = Math.max(1, ...days.map(({ activity }) => activity))
  return (
    <Section title={title}>
      <div role="img" aria-label={`Bar chart: ${title}, ${sum(days)} in total. The table below has the same numbers.`}>
        <div className="bars">
          {days.map(({ date, activity }) => (
            <div key={date} title={`${dayOf(date)}: ${activity}`} style={{ height: `${(100 * activity) / most}%` }} />
          ))}
        </div>
        <div className="auth-row between fine dim">
          <span>{first && dayOf(first.date)}</span>
          <span>{`At most ${most} per day`}</span>
          <span>{last && dayOf(last.date)}</span>
        </div>
      </div>
      <details>
        <summary className="fine dim">As a table</summary>
        <div className="scroll" tabIndex={0}>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ date, activity }) => (
                <tr key={date}>
                  <td>
                    <time dateTime={date}>{dayOf(date)}</time>
                  </td>
                  <td>{activity}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Section>
  )
}
