import type { ReactNode } from 'react'
import { Section } from '../../ui/section'

interface Props {
  readonly title: string
  /** Oldest first; the date as `2026-11-22`. */
  readonly days: readonly { readonly date: string; readonly activity: number }[]
}

// The platform's days are in UTC.
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOf = (date: string) => short.format(new Date(`${date}T00:00:00Z`))

/** A number for each day: as bars, and as a table with the same numbers. */
export function DayChart({ title, days }: Props): ReactNode {
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
