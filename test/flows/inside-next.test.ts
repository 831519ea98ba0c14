import { isAuthError, type ClientApp } from 'rxauth'
import { browser, credentialsOf } from '../tabs'
import { ada, grace } from '../world'

const tenMinutes = 600_000

/** The places where the kit calls the app; each runs `run` once. */
const places: Readonly<Record<string, (app: ClientApp, run: () => void) => unknown>> = {
  user$: (app, run) => app.user$.subscribe(user => user && run()),
  'user$.snapshot$': (app, run) => app.user$.snapshot$.subscribe(({ status }) => status === 'ready' && run()),
  'user$.listen': (app, run) => app.user$.listen(run),
  auth$: (app, run) => app.auth$.subscribe(({ status }) => status === 'signed-in' && run()),
  flow$: (app, run) => app.flow$.subscribe(({ status }) => status === 'done' && run()),
  // Called while the lock that all tabs share is held.
  'tokens$, of a new token': (app, run) => {
    let pairs = 0
    return app.tokens$.subscribe(() => ++pairs === 2 && run())
  },
  'trace$, of a refresh': (app, run) => app.trace$.subscribe(({ type }) => type === 'refresh' && run()),
  'trace$, of a request': (app, run) => app.trace$.subscribe(({ type }) => type === 'request' && run()),
  'a derived store': (app, run) => app.derive(read => read(app.user$)?.id ?? null).subscribe(id => id && run()),
}

const calls: Readonly<Record<string, (app: ClientApp) => Promise<unknown>>> = {
  signOut: app => app.signOut(),
  accessToken: app => app.accessToken(),
  authHeaders: app => app.authHeaders(),
  updateUser: app => app.updateUser({ displayName: 'Countess' }),
  'user$.get': app => app.user$.get(),
  'user$.refresh': app => app.user$.refresh(),
  'sessions$.get': app => app.sessions$.get(),
  signInWithPassword: app => app.signInWithPassword(credentialsOf(grace)),
  'updateUser, then accessToken, then signOut': async app => {
    await app.updateUser({ displayName: 'Countess' })
    await app.accessToken()
    await app.signOut()
  },
}

describe.each(Object.entries(places))('inside next of %s', (_, watch) => {
  it.each(Object.entries(calls))('the app may await %s without a deadlock', async (_, call) => {
    const { clock, locks, signIn, tab } = browser({ rotation: true })
    await signIn(ada)
    await clock.advance(tenMinutes)
    const { app } = tab()
    let outcome = 'not called'
    watch(app, () => {
      if (outcome !== 'not called') return
      outcome = 'hangs'
      call(app).then(
        () => (outcome = 'done'),
        // A sign-in or sign-out ends the pending calls of the previous user.
        (error: unknown) => (outcome = isAuthError(error, 'SESSION_CHANGED') ? 'done' : 'failed'),
      )
    })
    app.user$.subscribe()
    void app.signInWithPassword(credentialsOf(ada))
    await clock.advance(0)
    await clock.advance(tenMinutes)
    void app.accessToken()
    await clock.advance(5000)
    expect(outcome).toBe('done')
    expect(locks.held.size).toBe(0)
    const token = app.accessToken()
    await clock.advance(0)
    expect(await Promise.race([token, Promise.resolve('hangs')])).not.toBe('hangs')
    app.dispose()
  })
})
