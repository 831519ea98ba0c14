import type { ClientApp } from 'rxauth'
import { firstValueFrom } from 'rxjs'
import { signInWays, type Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const signIn = 'POST /auth/password/sign-in'
const verificationCallbackUrl = 'http://localhost:3000/handler/email-verification'

describe.each(signInWays)('a user with a password, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  beforeEach(async () => {
    way = await open({ seed: { project: { config: { clientUserDeletionEnabled: true } } } })
    app = way.newApp()
  })
  afterEach(() => way.close())

  const signUp = () => app.signUpWithPassword({ ...ada, verificationCallbackUrl })

  it('signs up, changes the name, signs out, signs in elsewhere and deletes the account', async () => {
    const statuses: string[] = []
    app.auth$.subscribe(({ status }) => statuses.push(status))
    expect(await signUp()).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { primaryEmail: ada.email } })
    await app.updateUser({ displayName: 'Ada' })
    expect(app.auth$.value).toMatchObject({ user: { displayName: 'Ada' } })
    await app.signOut()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(statuses).toEqual(['signed-out', 'unknown', 'signed-in', 'signed-in', 'signed-out'])

    const elsewhere = way.newApp()
    expect(await elsewhere.signInWithPassword({ ...ada, email: ' ADA@example.com ' })).toMatchObject({
      ok: true,
      value: { isNewUser: false },
    })
    expect((await firstValueFrom(elsewhere.user$))?.displayName).toBe('Ada')
    await elsewhere.deleteUser()
    expect(elsewhere.auth$.value).toEqual({ status: 'signed-out', reason: 'deleted' })
    expect(await elsewhere.signInWithPassword(ada)).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_PASSWORD_MISMATCH' },
    })
  })

  it('gets expected errors as values', async () => {
    await signUp()
    expect(await signUp()).toMatchObject({ ok: false, error: { code: 'USER_EMAIL_ALREADY_EXISTS', status: 409 } })
    expect(
      await app.signUpWithPassword({ email: 'new@example.com', password: 'short', verificationCallbackUrl }),
    ).toMatchObject({ ok: false, error: { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } } })
    expect(await app.signInWithPassword({ ...ada, password: 'wrong horse' })).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_PASSWORD_MISMATCH' },
    })
    expect((await app.user$.get())?.primaryEmail).toBe(ada.email)
  })

  it('sees what the platform has after a write whose answer was lost', async () => {
    await signUp()
    way.platform.faults.next('PATCH /users/me', { loseResponse: true })
    await expect(app.updateUser({ displayName: 'Done' })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect((await app.user$.get())?.displayName).toBe('Done')
  })

  it('waits as long as `retry-after` says, and signs in once', async () => {
    await signUp()
    await app.signOut()
    way.platform.faults.next(signIn, { status: 429, retryAfter: '0' })
    expect(await app.signInWithPassword(ada)).toMatchObject({ ok: true })
    expect(way.answersTo(signIn)).toEqual([`${signIn} 429`, `${signIn} 200`])
  })

  it('stays signed in, with the last values, when the platform fails', async () => {
    await signUp()
    const subscription = app.user$.subscribe()
    await app.user$.get()
    way.platform.faults.next('GET /users/me', { status: 503 })
    await expect(app.user$.refresh()).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 503 })
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', error: { code: 'REQUEST_FAILED' } })
    expect(app.auth$.value.status).toBe('signed-in')
    subscription.unsubscribe()
  })

  it('signs out although every answer of the platform is an error', async () => {
    await signUp()
    way.platform.faults.every('*', { status: 500 })
    await app.signOut()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(await app.accessToken()).toBeNull()
  })
})
