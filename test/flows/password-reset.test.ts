import type { ClientApp } from 'rxauth'
import { codeIn, signInWays } from './way'
import type { Way } from './way'

const callbackUrl = 'http://localhost:3000/handler/password-reset'
const ada = { email: 'ada@example.com', password: 'correct horse' }
const bare = { email: 'bare@example.com', verified: true }
const next = 'battery staple'
const reset = 'POST /auth/password/reset'
const update = 'POST /auth/password/update'

describe.each(signInWays)('the password of a user, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  const signedIn = async ({ email }: { readonly email: string } = ada) =>
    way.newApp({ tokens: await way.platform.tokensFor(email) })
  const signsInWith = async (password: string) => (await way.newApp().signInWithPassword({ ...ada, password })).ok
  const resetCode = async (email = ada.email) => {
    expect(await app.sendPasswordResetEmail({ email, callbackUrl })).toEqual({ ok: true, value: undefined })
    return codeIn(await way.platform.mailbox(email).next())
  }

  beforeEach(async () => {
    way = await open({ seed: { project: { config: { magicLinkEnabled: true } }, users: [ada, bare] } })
    app = way.newApp()
  })
  afterEach(() => way.close())

  describe('forgotten', () => {
    it('is reset by mail, and signs in', async () => {
      const code = await resetCode()
      expect(await app.checkPasswordResetCode({ code })).toEqual({ ok: true, value: undefined })
      expect(await app.resetPassword({ code, password: next })).toEqual({ ok: true, value: undefined })
      expect(await signsInWith(ada.password)).toBe(false)
      expect(await signsInWith(next)).toBe(true)
    })

    it('gives no hint of addresses without an account', async () => {
      const asking = app.sendPasswordResetEmail({ email: 'unknown@example.com', callbackUrl })
      await way.pass(3000)
      expect(await asking).toEqual({ ok: true, value: undefined })
      expect(way.platform.mailbox('unknown@example.com').messages).toEqual([])
    })

    it('can be a first one', async () => {
      const code = await resetCode(bare.email)
      expect(await app.resetPassword({ code, password: next })).toMatchObject({ ok: true })
      expect(await way.newApp().signInWithPassword({ email: bare.email, password: next })).toMatchObject({ ok: true })
    })

    it('ends every session of the user, and auth$ says expired', async () => {
      const here = await signedIn()
      here.auth$.subscribe()
      await here.user$.get()
      const code = await resetCode()
      await here.resetPassword({ code, password: next })
      expect(here.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
      expect(await here.accessToken()).toBeNull()
    })

    it('ends no session of another user', async () => {
      const other = await signedIn(bare)
      await other.user$.get()
      const code = await resetCode()
      await other.resetPassword({ code, password: next })
      expect(await other.user$.get()).toMatchObject({ primaryEmail: bare.email })
    })

    it('keeps the code when the kit refuses a short password', async () => {
      const strict = way.newApp({ passwordLimits: { min: 8, max: 70 } })
      const code = await resetCode()
      const count = way.requests.length
      expect(await strict.resetPassword({ code, password: 'short' })).toMatchObject({
        ok: false,
        error: { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } },
      })
      expect(way.requests.length).toBe(count)
      expect(await strict.resetPassword({ code, password: next })).toMatchObject({ ok: true })
    })

    it('returns an error when the platform refuses a short one, and the code is used up', async () => {
      const code = await resetCode()
      expect(await app.resetPassword({ code, password: 'short' })).toMatchObject({
        ok: false,
        error: { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } },
      })
      expect(await app.resetPassword({ code, password: next })).toMatchObject({
        ok: false,
        error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
      })
      expect(await signsInWith(ada.password)).toBe(true)
    })

    it('returns an error for a code that is unknown, too old or checked too often', async () => {
      expect(await app.resetPassword({ code: '0'.repeat(45), password: next })).toMatchObject({
        ok: false,
        error: { code: 'VERIFICATION_CODE_NOT_FOUND' },
      })
      const often = await resetCode()
      for (let asked = 0; asked < 20; asked++) await app.checkPasswordResetCode({ code: often })
      expect(await app.resetPassword({ code: often, password: next })).toMatchObject({
        ok: false,
        error: { code: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED' },
      })
      const old = await resetCode()
      await way.pass(7 * 24 * 3_600_000)
      expect(await app.resetPassword({ code: old, password: next })).toMatchObject({
        ok: false,
        error: { code: 'VERIFICATION_CODE_EXPIRED' },
      })
    })

    it('needs a callback URL outside a browser, and one that the project trusts', async () => {
      await expect(app.sendPasswordResetEmail({ email: ada.email })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'callbackUrl' },
      })
      await expect(
        app.sendPasswordResetEmail({ email: ada.email, callbackUrl: 'https://evil.example/' }),
      ).rejects.toMatchObject({ code: 'REDIRECT_URL_NOT_WHITELISTED' })
      expect(way.platform.mailbox(ada.email).messages).toEqual([])
    })

    it.each([500, 503])('can be reset by a second call when the platform fails with %i', async status => {
      const code = await resetCode()
      way.platform.faults.next(reset, { status })
      await expect(app.resetPassword({ code, password: next })).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
      expect(await app.resetPassword({ code, password: next })).toMatchObject({ ok: true })
    })

    it('is the new one although the answer of a reset was lost', async () => {
      const code = await resetCode()
      way.platform.faults.next(reset, { loseResponse: true })
      await expect(app.resetPassword({ code, password: next })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
      expect(await signsInWith(next)).toBe(true)
    })
  })

  describe('changed', () => {
    it('ends every other session, and keeps this one', async () => {
      const [here, elsewhere] = [await signedIn(), await signedIn()]
      await here.user$.get()
      expect(await here.updatePassword({ oldPassword: ada.password, newPassword: next, confirmation: next })).toEqual({
        ok: true,
        value: undefined,
      })
      await way.pass(600_000)
      expect(await here.user$.get()).toMatchObject({ primaryEmail: ada.email })
      expect(await elsewhere.accessToken()).toBeNull()
      expect(await signsInWith(next)).toBe(true)
    })

    it('is not sent if the confirmation differs', async () => {
      const here = await signedIn()
      const count = way.requests.length
      expect(
        await here.updatePassword({ oldPassword: ada.password, newPassword: next, confirmation: `${next}!` }),
      ).toMatchObject({ ok: false, error: { code: 'PASSWORD_CONFIRMATION_MISMATCH', status: undefined } })
      expect(way.requests.length).toBe(count)
    })

    it('needs the old one', async () => {
      const here = await signedIn()
      expect(await here.updatePassword({ oldPassword: 'wrong', newPassword: next })).toMatchObject({
        ok: false,
        error: { code: 'PASSWORD_CONFIRMATION_MISMATCH', status: 400 },
      })
      expect(await here.updatePassword({ oldPassword: ada.password, newPassword: 'short' })).toMatchObject({
        ok: false,
        error: { code: 'PASSWORD_TOO_SHORT' },
      })
      expect(await signsInWith(ada.password)).toBe(true)
    })

    it('is refused if there is none', async () => {
      const here = await signedIn(bare)
      await expect(here.updatePassword({ oldPassword: '', newPassword: next })).rejects.toMatchObject({
        code: 'USER_DOES_NOT_HAVE_PASSWORD',
      })
    })

    it('is the new one although the answer was lost', async () => {
      const here = await signedIn()
      way.platform.faults.next(update, { loseResponse: true })
      await expect(here.updatePassword({ oldPassword: ada.password, newPassword: next })).rejects.toMatchObject({
        code: 'NETWORK_ERROR',
      })
      expect(await signsInWith(next)).toBe(true)
      expect(await here.user$.refresh()).toMatchObject({ primaryEmail: ada.email })
    })
  })

  describe('set', () => {
    it('is a first one, and every store of the user is updated', async () => {
      const here = await signedIn(bare)
      here.user$.subscribe()
      expect(await here.user$.get()).toMatchObject({ hasPassword: false })
      expect(await here.setPassword({ password: next })).toEqual({ ok: true, value: undefined })
      expect(here.user$.snapshot).toMatchObject({ status: 'ready', value: { hasPassword: true } })
      expect(await way.newApp().signInWithPassword({ email: bare.email, password: next })).toMatchObject({ ok: true })
    })

    it('returns an error when it is too short', async () => {
      const here = await signedIn(bare)
      expect(await here.setPassword({ password: 'short' })).toMatchObject({
        ok: false,
        error: { code: 'PASSWORD_TOO_SHORT' },
      })
    })

    it('is refused if there is one', async () => {
      const here = await signedIn()
      await expect(here.setPassword({ password: next })).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
      expect(await signsInWith(ada.password)).toBe(true)
    })
  })
})
