import { getEventListeners } from 'node:events'
import { promptCliLogin, type ClientApp } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { clientWrites } from '../client-writes'
import { callbackPage, signInPage, virtualWeb, type VirtualWeb } from '../oauth-web'

type Call = (app: ClientApp, signal: AbortSignal, totp?: string) => Promise<unknown>

const code = '0'.repeat(45)
const password = 'correct horse'
const email = 'ada@example.com'
const secret = new Uint8Array(20)
const unused = () => Promise.reject(new Error('this must not be called'))
const passkeys = { create: unused, get: unused, getSaved: unused }

/** Every method of an app that sends something, with its input. */
const calls: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(clientWrites().map(({ name, call }) => [name, call])),
  signInWithPassword: (app, signal) => app.signInWithPassword({ email, password }, { signal }),
  signUpWithPassword: (app, signal) => app.signUpWithPassword({ email: 'new@example.com', password }, { signal }),
  signInWithOAuth: (app, signal) => app.signInWithOAuth({ provider: 'github' }, { signal }),
  signInWithOAuthPopup: (app, signal) => app.signInWithOAuthPopup({ provider: 'github' }, { signal }),
  handleOAuthCallback: (app, signal) => app.handleOAuthCallback({ url: `${callbackPage}?code=1&state=2`, signal }),
  connectAccount: (app, signal) => app.connectAccount({ provider: 'github' }, { signal }),
  connectAccountPopup: (app, signal) => app.connectAccountPopup({ provider: 'github' }, { signal }),
  connectedAccountToken: (app, signal) => app.connectedAccountToken({ provider: 'github' }, { signal }),
  updatePassword: (app, signal) =>
    app.updatePassword({ oldPassword: password, newPassword: 'battery staple' }, { signal }),
  setPassword: (app, signal) => app.setPassword({ password }, { signal }),
  sendPasswordResetEmail: (app, signal) => app.sendPasswordResetEmail({ email }, { signal }),
  checkPasswordResetCode: (app, signal) => app.checkPasswordResetCode({ code }, { signal }),
  resetPassword: (app, signal) => app.resetPassword({ code, password }, { signal }),
  sendVerificationEmail: (app, signal) => app.sendVerificationEmail({}, { signal }),
  verifyEmail: (app, signal) => app.verifyEmail({ code }, { signal }),
  checkEmailVerificationCode: (app, signal) => app.checkEmailVerificationCode({ code }, { signal }),
  sendMagicLinkEmail: (app, signal) => app.sendMagicLinkEmail({ email }, { signal }),
  signInWithMagicLink: (app, signal) => app.signInWithMagicLink({ code }, { signal }),
  checkFeatureSupport: (app, signal) => app.checkFeatureSupport({}, { signal }),
  checkMagicLinkCode: (app, signal) => app.checkMagicLinkCode({ code }, { signal }),
  registerPasskey: (app, signal) => app.registerPasskey({ authenticator: passkeys }, { signal }),
  signInWithPasskey: (app, signal) => app.signInWithPasskey({ authenticator: passkeys }, { signal }),
  signInWithSaved: (app, signal) => app.signInWithSaved({ authenticator: passkeys, signal }),
  signUpAnonymously: (app, signal) => app.signUpAnonymously({ signal }),
  continueSignIn: (app, signal) => app.continueSignIn({ totp: '123456', attemptCode: code }, { signal }),
  startTotpEnrolment: (app, signal) => app.startTotpEnrolment({ signal }),
  enableTotp: (app, signal, totp) => app.enableTotp({ secret, totp: totp ?? '' }, { signal }),
  disableTotp: (app, signal) => app.disableTotp({ signal }),
  promptCliLogin: (app, signal) =>
    promptCliLogin(app, { appUrl: 'https://app.example.com', promptLink: () => undefined }, { signal }),
  acceptOwnTeamInvitation: (app, signal) => app.acceptOwnTeamInvitation({ invitationId: code }, { signal }),
  acceptTeamInvitation: (app, signal) => app.acceptTeamInvitation({ code }, { signal }),
  checkTeamInvitationCode: (app, signal) => app.checkTeamInvitationCode({ code }, { signal }),
  teamInvitationDetails: (app, signal) => app.teamInvitationDetails({ code }, { signal }),
  completeCliLogin: (app, signal) => app.completeCliLogin({ loginCode: code }, { signal }),
  selectTeam: (app, signal) => app.selectTeam({ teamId: null }, { signal }),
  accessToken: (app, signal) => app.accessToken({ signal }),
  authHeaders: (app, signal) => app.authHeaders({ signal }),
}

/**
 * They send nothing, or may not be given up: a sign-out that is aborted half-way would be none. `fetch` rejects with the reason
 * of the signal, as any fetch.
 */
const others = /^(signOut|fetch|inspect|dispose|derive|can|whyApiKeyInvalid|\w+\$|redirectTo|navigateAfterAuth)$/

let web: VirtualWeb
beforeEach(() => {
  web = virtualWeb({ passkeyEnabled: true })
})
afterEach(() => web.close())

describe('a call of an app', () => {
  it('is here, whatever it does', () => {
    const { app } = web.open(signInPage)
    const methods = Object.entries(app).filter(([, member]) => typeof member === 'function')
    const names = methods.map(([name]) => name).filter(name => !others.test(name))
    // The last three are functions of a kit.
    expect([...names, 'createOwnedProject', 'promptCliLogin', 'transferOwnedProject'].sort()).toEqual(
      Object.keys(calls).sort(),
    )
  })

  // Promise: abort-signal
  it.each(Object.keys(calls))('rejects with ABORTED, and sends nothing, if its signal has aborted: %s', async name => {
    const { app } = web.open(signInPage)
    if (name !== 'signUpAnonymously') await app.signInWithPassword({ email, password })
    web.sent.length = 0
    const reason = new Error('changed my mind')
    const done = calls[name]!(app, AbortSignal.abort(reason), await totpCode(secret, web.clock.now()))
    await expect(web.clock.settled(done)).rejects.toMatchObject({ code: 'ABORTED', cause: reason })
    expect(web.sent).toEqual([])
  })

  // Promise: abort-signal
  it('leaves nothing on its signal when it is over, however it ends', async () => {
    const openWindow = () => ({ location: { replace: () => undefined }, close: () => undefined })
    const { app } = web.open(signInPage, { host: { openWindow } })
    await app.signInWithPassword({ email, password })
    const signals = new Map<string, AbortSignal>()
    const over: Promise<unknown>[] = []
    for (const [name, call] of Object.entries(calls)) {
      const { signal } = new AbortController()
      signals.set(name, signal)
      const done = call(app, signal, await totpCode(secret, web.clock.now()))
      // A refusal counts as read.
      over.push(done.then(result => (result as { readonly ok?: boolean } | undefined)?.ok).catch(() => undefined))
      await web.clock.advance(0)
    }
    // Those that wait for a window or a program end with the app.
    app.dispose()
    await web.clock.settled(Promise.all(over))
    expect([...signals].flatMap(([name, signal]) => getEventListeners(signal, 'abort').map(() => name))).toEqual([])
  })
})
