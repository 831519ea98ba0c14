import { memoryTokens } from 'rxauth'
import { backend } from '../users/users-world'

describe('a session that a backend starts', () => {
  it('to impersonate the user acts as the user, is in no list of sessions, and ends when it is revoked', async () => {
    const { server, settled, inTime, adaId, app, newApp, clock } = await backend()
    const session = await settled(server.createSession({ userId: adaId, isImpersonation: true }))
    if (!session.ok) throw session.error
    const support = newApp({ tokens: memoryTokens(session.value) })
    expect((await settled(support.user$.get()))?.id).toBe(adaId)
    for (const sessions$ of [app.sessions$, server.sessionsOf$({ userId: adaId })])
      expect((await settled(sessions$.get())).map(({ isImpersonation }) => isImpersonation)).toEqual([false])
    // By its token it can be found and ended all the same.
    const { sessionId } = await server.verifyAccessToken(session.value.accessToken)
    if (sessionId === null) throw new Error('the token names no session')
    await inTime(server.revokeSessionById({ userId: adaId, sessionId }))
    await clock.advance(700_000)
    expect(await settled(support.user$.refresh().catch(() => null))).toBeNull()
    expect(support.auth$.value).toMatchObject({ status: 'signed-out' })
    expect(await settled(server.createSession({ userId: sessionId }))).toMatchObject({
      ok: false,
      error: { code: 'USER_ID_DOES_NOT_EXIST' },
    })
  })
})
