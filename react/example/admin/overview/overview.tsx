import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { ListOf } from '../../ui/rows'
import { useProject } from '../project/project-context'
import { UserRow } from '../users/user-row'
import { CountOf, Countries, LoginMethods } from './counts'
import { DayChart } from './day-chart'

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
