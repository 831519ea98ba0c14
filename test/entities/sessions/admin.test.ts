import { createAdminApp } from 'rxauth/admin'
import { createServerApp } from 'rxauth/server'
import { world } from '../../world'

// Promise: sessions-of-the-team
it('sessions of the project’s team as a user are shown to admins alone, and end like every other one', async () => {
  const { platform, app, inTime } = await world()
  const admin = createAdminApp(platform.adminOptions)
  const server = createServerApp(platform.serverOptions)
  const userId = (await inTime(app.user$.get()))!.id
  const shown: boolean[][] = []
  admin.allSessionsOf$({ userId }).subscribe(all => shown.push(all.map(({ isImpersonation }) => isImpersonation)))
  await inTime(admin.allSessionsOf$({ userId }).get())
  expect(shown).toEqual([[false]])

  await inTime(admin.createSession({ userId, isImpersonation: true, expiresInMillis: 60_000 }))
  expect(shown).toEqual([[false], [true, false]])
  const [impersonation] = await inTime(admin.allSessionsOf$({ userId }).get())
  expect(impersonation).toMatchObject({ userId, isImpersonation: true, isCurrentSession: false })
  for (const sessions$ of [server.sessionsOf$({ userId }), app.sessions$, admin.sessionsOf$({ userId })])
    expect((await inTime(sessions$.refresh())).map(({ isImpersonation }) => isImpersonation)).toEqual([false])

  await inTime(admin.revokeSessionById({ userId, sessionId: impersonation!.id }))
  expect(shown).toEqual([[false], [true, false], [false]])
  for (const each of [app, server, admin]) each.dispose()
})
