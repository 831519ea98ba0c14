/** @jest-environment ./test/setup/jsdom-environment.ts */
import { codeIn } from '../flows/way'
import { mary, signedOut } from './sign-up-world'

describe('a code that is answered with 500, as one of two redemptions at the same moment may be,', () => {
  const signIn = 'POST /auth/otp/sign-in'

  async function coded() {
    const { app, clock, platform, newApp, requests } = await signedOut()
    await clock.settled(app.sendMagicLinkEmail({ email: mary.email }))
    const code = codeIn(platform.mailbox(mary.email).messages[0]!)
    return { app, clock, platform, code, other: newApp(), requests }
  }

  it('has been used if the platform says so', async () => {
    const { app, clock, platform, code, other } = await coded()
    await clock.settled(other.signInWithMagicLink({ code }))
    platform.faults.next(signIn, { status: 500 })
    expect(await clock.settled(app.signInWithMagicLink({ code }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
  })

  it('is still good if it is: the failure is thrown, and it can be tried again', async () => {
    const { app, clock, platform, code } = await coded()
    platform.faults.next(signIn, { status: 500 })
    await expect(clock.settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ status: 500 })
    expect(app.flow$.value.status).toBe('code-sent')
    expect(await clock.settled(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
  })

  it('stays the same if it cannot be checked', async () => {
    const { app, clock, platform, code, requests } = await coded()
    platform.faults.next(signIn, { status: 500 })
    platform.faults.next(`${signIn}/check-code`, { status: 503 })
    requests.length = 0
    await expect(clock.settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ status: 500 })
    expect(requests).toEqual([signIn, `${signIn}/check-code`])
  })
})
