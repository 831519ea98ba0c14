import { claimCliSession, cliSessionState, promptCliLogin, type ClientApp } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { codeIn } from '../flows/way'
import { guarded, secret } from './flow-world'
import { ada, grace, world } from '../world'

const callbackUrl = 'http://localhost:3000/handler/x'
const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'

/** What a mail program or a keyboard makes of a code, and what a person copies in its place. */
const ways: readonly (readonly [how: string, paste: (code: string) => string])[] = [
  ['the whole link', code => ` https://app.example.com/handler/x?code=${code}&after_auth_return_to=%2F\n`],
  ['the link of a hash router', code => `<https://app.example.com/#/handler/x?code=${code}>`],
  ['full width, with dashes and invisible ends', code => `\u200B${wide(code.slice(0, 6))}\u2014${code.slice(6)}\uFEFF`],
]

function wide(text: string): string {
  return text.replace(/./g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
}

/** The digits in the script whose zero this is, three by three. */
function digits(text: string, zero: number): string {
  const written = Array.from(text, digit => String.fromCodePoint(zero + Number(digit)))
  return `${written.slice(0, 3).join('')}\u2013${written.slice(3).join('')}`
}

async function mailed(verified = true) {
  const email = ada.email
  const one = await world({
    platform: {
      wire: '2026',
      seed: {
        users: [{ ...ada, verified }, guarded],
        project: { config: { magicLinkEnabled: true } },
        teams: [{ id: teamId, displayName: 'Ops', members: [{ email: grace.email, permissions: ['team_admin'] }] }],
      },
    },
  })
  const mail = () => one.platform.mailbox(email).messages.at(-1)!
  const done = async (call: Promise<unknown>) => {
    expect(await one.settled(call)).toMatchObject({ ok: true })
  }
  return { ...one, email, mail, done, signedOut: one.newApp() }
}

describe.each(ways)('a mailed code as %s', (_, paste) => {
  // Promise: pasted-codes
  it('signs in', async () => {
    const { signedOut, email, mail, done } = await mailed()
    await done(signedOut.sendMagicLinkEmail({ email, callbackUrl }))
    const code = paste(codeIn(mail()))
    await done(signedOut.checkMagicLinkCode({ code }))
    await done(signedOut.signInWithMagicLink({ code }))
  })

  it('verifies an address', async () => {
    const { app, mail, done } = await mailed(false)
    await done(app.sendVerificationEmail({ callbackUrl }))
    const code = paste(codeIn(mail()))
    await done(app.checkEmailVerificationCode({ code }))
    await done(app.verifyEmail({ code }))
  })

  // Promise: pasted-codes
  it('sets a password, which stays as it is', async () => {
    const { signedOut, email, mail, done, settled } = await mailed()
    await done(signedOut.sendPasswordResetEmail({ email, callbackUrl }))
    const code = paste(codeIn(mail()))
    const password = ' \u0661\u0662\u0663 \u200B-\uFF21\uFF22\uFF23\u2014x '
    await done(signedOut.checkPasswordResetCode({ code }))
    await done(signedOut.resetPassword({ code, password }))
    const plain = signedOut.signInWithPassword({ email, password: '123ABCx' })
    expect(await settled(plain)).toMatchObject({ ok: false, error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    await done(signedOut.signInWithPassword({ email, password }))
  })

  it('invites to a team', async () => {
    const { app, newApp, tokensOf, mail, done, email, settled } = await mailed()
    const owner: ClientApp = newApp({ tokens: await tokensOf(grace) })
    await settled(owner.sendTeamInvitation({ teamId, email, callbackUrl }))
    const code = paste(codeIn(mail()))
    await done(app.checkTeamInvitationCode({ code }))
    await done(app.teamInvitationDetails({ code }))
    await done(app.acceptTeamInvitation({ code }))
  })
})

describe('six typed characters', () => {
  it.each([
    ['full width', wide],
    ['dashes', (text: string) => `${text.slice(0, 3)}\u2014${text.slice(3)}`],
    ['invisible characters', (text: string) => text.replace(/./g, '$&\u200B')],
    [
      'the digits of Devanagari',
      (text: string) => text.replace(/\d/g, digit => String.fromCharCode(0x966 + Number(digit))),
    ],
  ])('sign in with %s', async (_, type) => {
    const { signedOut, email, mail, done } = await mailed()
    await done(signedOut.sendMagicLinkEmail({ email, callbackUrl }))
    await done(signedOut.signInWithMagicLink({ code: type(mail().code!) }))
  })

  // Promise: pasted-codes
  it('are completed by a nonce that stays as it is', async () => {
    const { signedOut, email, mail, settled } = await mailed()
    const sent = await settled(signedOut.sendMagicLinkEmail({ email, callbackUrl }))
    const nonce = sent.ok ? `${sent.value.nonce}\u200B` : ''
    await expect(signedOut.signInWithMagicLink({ code: mail().code!, nonce })).rejects.toMatchObject({
      details: { field: 'nonce' },
    })
  })
})

describe('the digits of an authenticator', () => {
  // Promise: pasted-codes
  it.each([
    ['Arabic', 0x660],
    ['Devanagari', 0x966],
    ['full width', 0xff10],
    ['a mathematical font', 0x1d7ce],
    ['Adlam', 0x1e950],
  ])('sign in, and enrol, in %s', async (_, zero) => {
    const { signedOut, app, done, settled, clock } = await mailed()
    const first = signedOut.signInWithPassword({ email: grace.email, password: grace.password })
    expect(await settled(first)).toMatchObject({ ok: false })
    await done(signedOut.continueSignIn({ totp: digits(await totpCode(secret, clock.now()), zero) }))
    expect(await app.enableTotp({ secret, totp: digits(await totpCode(secret, clock.now()), zero) })).toMatchObject({
      ok: true,
    })
  })
})

describe('the code of a login of a program', () => {
  async function program() {
    const { newApp, settled } = await mailed()
    const cli = newApp()
    await settled(cli.signUpAnonymously())
    const url = await new Promise<string>((resolve, reject) => {
      promptCliLogin(cli, { appUrl: 'https://app.example.com', promptLink: resolve }).catch(reject)
    })
    return { url, cli, browser: newApp(), settled }
  }

  // Promise: pasted-codes
  it.each<[how: string, paste: (url: string) => string]>([
    ['the whole link', url => url],
    ['the link in a mail', url => `<${url}>\n`],
    ['the link of a hash router', url => url.replace('/handler', '/#/handler')],
    ['the code, full width', url => `${wide(new URL(url).searchParams.get('login_code')!)}\u200B`],
  ])('is %s', async (_, paste) => {
    const { url, cli, browser, settled } = await program()
    const loginCode = paste(url)
    expect(await settled(cliSessionState(browser, { loginCode }))).toEqual({ ok: true, value: 'anonymous' })
    expect(await settled(claimCliSession(browser, { loginCode }))).toEqual({ ok: true })
    expect(await settled(browser.completeCliLogin({ loginCode }))).toMatchObject({ ok: true })
    cli.dispose()
  })

  it.each([undefined, '', ' \u200B', 'https://app.example.com/x?login_code=', 5])('is not %j', async loginCode => {
    const { app } = await mailed()
    for (const call of [
      app.completeCliLogin.bind(app),
      cliSessionState.bind(null, app),
      claimCliSession.bind(null, app),
    ])
      await expect(call({ loginCode: loginCode as string })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'loginCode' },
      })
  })
})
