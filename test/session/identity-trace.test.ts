import { memoryTokens, type ClientApp } from 'rxauth'
import { ada, grace, world } from '../world'

/** The identity events of the trace. */
function identities(app: ClientApp): string[] {
  const seen: string[] = []
  app.trace$.subscribe(event => {
    if (event.type === 'identity') seen.push(`${event.to}: ${event.cause}`)
  })
  return seen
}

const password = ({ email, password }: typeof ada) => ({ email, password })

describe('trace$ emits every change of identity with its cause', () => {
  // Promise: trace-without-secrets
  it('signing in, signing in as another user, signing out', async () => {
    const { newApp, settled } = await world()
    const app = newApp()
    const seen = identities(app)
    await settled(app.signInWithPassword(password(ada)))
    await settled(app.signInWithPassword(password(grace)))
    await settled(app.signOut())
    expect(seen).toEqual(['user: signed-in', 'user: signed-in', 'signed-out: signed-out'])
  })

  it('an expired session, but no refresh before', async () => {
    const { app, newApp, platform, clock, settled } = await world()
    const seen = identities(app)
    app.user$.subscribe()
    await settled(app.user$.get())
    await clock.advance(600_000)
    await settled(app.user$.refresh())
    expect(seen).toEqual(['user: elsewhere'])
    const tokens = await platform.tokensFor(ada.email)
    await settled(newApp({ tokens }).user$.get())
    for (const { id, isCurrentSession } of await settled(newApp({ tokens }).sessions$.get()))
      if (!isCurrentSession) await settled(newApp({ tokens }).revokeSession({ sessionId: id }))
    await clock.advance(600_000)
    await settled(app.accessToken())
    expect(seen).toEqual(['user: elsewhere', 'signed-out: expired'])
  })

  // Promise: trace-without-secrets
  it('when every store shows it, also from inside another commit', async () => {
    const { newApp, settled, clock } = await world()
    const app = newApp()
    app.user$.subscribe()
    app.auth$.subscribe()
    const seen: string[] = []
    app.trace$.subscribe(event => {
      if (event.type === 'identity') seen.push(`${event.to}: ${app.auth$.value.status}, ${app.user$.snapshot.status}`)
    })
    await settled(app.signInWithPassword(password(ada)))
    await settled(app.signOut())
    // Signs out while subscribers are notified of the name.
    await settled(app.signInWithPassword(password(grace)))
    await clock.advance(0)
    app.user$.subscribe(user => {
      if (user?.displayName === 'G') void app.signOut()
    })
    void app.updateUser({ displayName: 'G' }).catch(() => undefined)
    await clock.advance(2000)
    expect(seen).toEqual([
      'user: unknown, pending',
      'signed-out: signed-out, ready',
      'user: unknown, pending',
      'signed-out: signed-out, ready',
    ])
  })

  it('nothing more when the user of a refresh token becomes known', async () => {
    const { newApp, tokensOf, settled } = await world()
    const source = await settled(tokensOf(ada))
    if (typeof source === 'function') throw new Error('a store was expected')
    const tokens = await source.read()
    const fresh = memoryTokens({ accessToken: null, refreshToken: tokens!.refreshToken })
    const app = newApp({ tokens: fresh })
    const seen = identities(app)
    await settled(app.user$.get())
    expect(seen).toEqual(['user: elsewhere'])
  })
})
