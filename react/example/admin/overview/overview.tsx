import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
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
        {metrics => (
          <>
            <div className="grid">
              <CountOf label="Users" count={metrics.totalUsers} />
              <CountOf label="Signed up in 31 days" count={sum(metrics.dailyUsers)} />
              <CountOf label="Active today" count={metrics.dailyActiveUsers.at(-1)?.activity ?? 0} />
            </div>
            <DayChart title="Sign-ups per day" days={metrics.dailyUsers} />
            <DayChart title="Active users per day" days={metrics.dailyActiveUsers} />
            <LoginMethods methods={metrics.loginMethods} />
            <Countries users={metrics.usersByCountry} />
            <div className="grid">
              <RecentUsers title="Recently registered" empty="No users yet." users={metrics.recentlyRegistered} />
              <RecentUsers title="Recently active" empty="No active users yet." users={metrics.recentlyActive} />
            </div>
          </>
        )}
      </WithStore>
    </>
  )
}

function sum(days: readonly { readonly activity: number }[]): number {
  return days.reduce((total, { activity }) => total + activity, 0)
}

interface RecentProps {
  readonly title: string
  /** The text for an empty list. */
  readonly empty: string
  readonly users: readonly ServerUser[]
}

/** A few users, with links to their pages. */
function RecentUsers({ title, empty, users }: RecentProps): ReactNode {
  return (
    <Section title={title}>
      <ListOf label={title} items={users} empty={empty}>
        {user => <UserRow key={user.id} user={user} />}
      </ListOf>
    </Section>
  )
}

/** One number, large. */
function CountOf({ label, count }: { readonly label: string; readonly count: number }): ReactNode {
  return (
    <div className="auth-card" role="group" aria-label={label}>
      <p className="dim">{label}</p>
      <p className="large">{count}</p>
    </div>
  )
}

const methodNames: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'E-mail',
  passkey: 'Passkey',
  other: 'Other',
}

interface MethodsProps {
  readonly methods: readonly { readonly method: string; readonly count: number }[]
}

/** The sign-in methods of users, most used first. */
function LoginMethods({ methods }: MethodsProps): ReactNode {
  const bars = methods.map(({ method, count }) => ({ label: methodNames[method] ?? providerOf(method).name, count }))
  return (
    <Section title="Sign-in methods">
      {bars.length === 0 ? <p className="dim">No user has a sign-in method yet.</p> : <Bars bars={bars} />}
    </Section>
  )
}

interface CountriesProps {
  /** The number of users by two-letter country code. */
  readonly users: Readonly<Record<string, number>>
}

/** The countries of sign-ins, most users first; nothing if the platform has none. */
function Countries({ users }: CountriesProps): ReactNode {
  const bars = Object.entries(users).map(([code, count]) => ({ label: countryOf(code), count }))
  if (bars.length === 0) return null
  return (
    <Section title="Countries">
      <Bars bars={bars} />
    </Section>
  )
}

const countryNames = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

/** The platform may send a text that is not a country code. */
function countryOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

interface BarsProps {
  readonly bars: readonly { readonly label: string; readonly count: number }[]
}

/** Numbers with their parts of the largest one, which is first. */
function Bars({ bars }: BarsProps): ReactNode {
  const most = Math.max(...bars.map(({ count }) => count))
  const sorted = [...bars].sort((left, right) => right.count - left.count)
  return (
    <ul className="auth-stack snug">
      {sorted.map(({ label, count }) => (
        <li key={label}>
          <div className="auth-row between">
            <span>{label}</span>
            <span className="dim">{count}</span>
          </div>
          <div className="portion" style={{ width: `${(100 * count) / most}%` }} />
        </li>
      ))}
    </ul>
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
  const total = days.reduce((sum, { activity }) => sum + activity, 0)
  const [first, last] = [days[0], days.at(-1)]
  const most = Math.max(1, ...days.map(({ activity }) => activity))
  return (
    <Section title={title}>
      <div role="img" aria-label={`Bar chart: ${title}, ${total} in total. The table below has the same numbers.`}>
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
