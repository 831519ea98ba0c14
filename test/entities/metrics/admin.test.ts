import { createAdminApp } from 'rxauth/admin'
import { ada, world } from '../../world'

it('the metrics of a project are a store, with users as servers see them', async () => {
  const { platform, clock, inTime } = await world()
  const admin = createAdminApp(platform.adminOptions)
  const metrics = await inTime(admin.metrics$.get())
  expect(metrics).toMatchObject({ totalUsers: 2, usersByCountry: {}, loginMethods: [{ method: 'password', count: 2 }] })
  expect(metrics.dailyUsers).toHaveLength(31)
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  expect(metrics.dailyUsers.at(-1)).toEqual({ date: today, activity: 2 })
  expect(metrics.dailyActiveUsers.at(-1)).toEqual({ date: today, activity: 1 })
  expect(metrics.recentlyActive.map(({ primaryEmail }) => primaryEmail)).toEqual([ada.email])
  expect(metrics.recentlyRegistered[0]).toEqual(
    await inTime(admin.userById$({ userId: metrics.recentlyRegistered[0]!.id }).get()),
  )
})

// Promise: metrics
it('metrics follow what happens when they are loaded again', async () => {
  const { platform, newApp, clock } = await world()
  const admin = createAdminApp({ ...platform.adminOptions, refreshOn: { everyMillis: 60_000 } })
  const totals: number[] = []
  admin.metrics$.subscribe(({ totalUsers }) => totals.push(totalUsers))
  await clock.advance(1000)
  const signUp = newApp().signUpWithPassword({
    email: 'new@example.com',
    password: 'correct horse',
    verificationCallbackUrl: 'http://localhost:3000/v',
  })
  await clock.advance(120_000)
  expect((await signUp).ok).toBe(true)
  expect(totals).toEqual([2, 3])
  admin.dispose()
})
