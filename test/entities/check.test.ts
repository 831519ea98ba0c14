import type { ClientApp } from 'rxauth'
import { codeIn } from '../flows/way'
import { ada, world } from '../world'

const { email } = ada
const callbackUrl = 'http://localhost:3000/code'

interface Mailed {
  readonly mail: (app: ClientApp) => Promise<unknown>
  readonly check: (app: ClientApp) => ClientApp['checkMagicLinkCode']
  readonly route: string
}

const mailed: Readonly<Record<string, Mailed>> = {
  'an e-mail verification': {
    mail: app => app.sendVerificationEmail({ callbackUrl }),
    check: app => app.checkEmailVerificationCode,
    route: 'POST /contact-channels/verify/check-code',
  },
  'a magic link': {
    mail: app => app.sendMagicLinkEmail({ email, callbackUrl }),
    check: app => app.checkMagicLinkCode,
    route: 'POST /auth/otp/sign-in/check-code',
  },
  'a password reset': {
    mail: app => app.sendPasswordResetEmail({ email, callbackUrl }),
    check: app => app.checkPasswordResetCode,
    route: 'POST /auth/password/reset/check-code',
  },
}

describe.each(Object.entries(mailed))('the code of %s', (name, { mail, check, route }) => {
  async function asked() {
    const verified = name !== 'an e-mail verification'
    const { app, platform, requests, settled } = await world({
      platform: { seed: { project: { config: { magicLinkEnabled: true } }, users: [{ ...ada, verified }] } },
    })
    await settled(mail(app))
    const code = codeIn(platform.mailbox(email).messages.at(-1)!)
    const count = () => requests.filter(request => request === route).length
    return { ask: (code: string) => settled(check(app)({ code })), code, count }
  }

  it('is asked about without being used up, whatever the mail program makes of it', async () => {
    const { ask, code, count } = await asked()
    expect(await ask(code)).toEqual({ ok: true, value: undefined })
    expect(await ask(` ${code.toUpperCase()}\n`)).toEqual({ ok: true, value: undefined })
    expect(count()).toBe(2)
  })

  it('that the platform does not know is a value', async () => {
    const { ask, count } = await asked()
    expect(await ask('0'.repeat(45))).toMatchObject({ ok: false, error: { code: 'VERIFICATION_CODE_NOT_FOUND' } })
    expect(count()).toBe(1)
  })

  it('that can be none is refused before a request', async () => {
    const { ask, count } = await asked()
    await expect(ask('cut off')).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'code' } })
    expect(count()).toBe(0)
  })
})
