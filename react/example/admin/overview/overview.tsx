import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page-heading'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { Countries } from './countries'
import { CountOf } from './count-of'
import { DayChart } from './day-chart'
import { LoginMethods } from './login-methods'
import { RecentUsers } from './recent-users'

/** The project's metrics: users, activity and sign-in methods. */
export function Overview(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <PageHeading title="Overview" />
      <WithStore store={app.metrics$} label="Numbers" gap="lg">
        {({
          totalUsers,
          dailyUsers,
          dailyActiveUsers,
          usersByCountry,
          loginMethods,
          recentlyRegistered,
          recentlyActive,
        }) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <CountOf label="Users" count={totalUsers} />
              <CountOf label="Signed up in 31 days" count={sum(dailyUsers)} />
              <CountOf label="Active today" count={dailyActiveUsers.at(-1)?.activity ?? 0} />
            </SimpleGrid>
            <DayChart title="Sign-ups per day" days={dailyUsers} />
            <DayChart title="Active users per day" days={dailyActiveUsers} />
            <LoginMethods methods={loginMethods} />
            <Countries users={usersByCountry} />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <RecentUsers title="Recently registered" empty="There are no users yet." users={recentlyRegistered} />
              <RecentUsers
                title="Recently active"
                empty={
                  totalUsers === 0
                    ? 'There are no users yet.'
                    : 'No user has been active yet: a sign-in or a request counts.'
                }
                users={recentlyActive}
              />
            </SimpleGrid>
          </>
        )}
      </WithStore>
    </>
  )
}

function sum(days: readonly { readonly activity: number }[]): number {
  return days.reduce((total, { activity }) => total + activity, 0)
}
