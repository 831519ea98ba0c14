import * as net from 'node:net'
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform, totpCode, virtualClock } from 'rxauth/platform'
import { codeIn } from './way'

const password = 'correct horse'
const callbackUrl = 'http://localhost:3000/handler/callback'
const totpSecret = btoa('twenty bytes, secret')
const hostname = 'localhost'

const clock = virtualClock()
/** Made once; every test forks it. */
const origin = createPlatform({
  clock,
  seed: {
    project: { config: { magicLinkEnabled: true, passkeyEnabled: true } },
    users: [
      { email: 'ada@example.com', password, verified: true },
      { email: 'grace@example.com', password, totpSecret },
    ],
  },
})

/** Spies that fail the test on any use of fetch or of a socket. */
let attempts: jest.SpyInstance[]
beforeEach(() => {
  const refuse = () => {
    throw new Error('this test has no network')
  }
  attempts = [
    jest.spyOn(globalThis, 'fetch').mockImplementation(refuse),
    jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(refuse),
  ]
})
afterEach(() => {
  for (const attempt of attempts) {
    expect(attempt).not.toHaveBeenCalled()
    attempt.mockRestore()
  }
})

describe.each(Array.from({ length: 10 }, (_, index) => index + 1))('without a network, round %i', round => {
  const fork = () => {
    const platform = origin.fork()
    return { platform, app: createClientApp({ ...platform.options, tokens: memoryTokens() }) }
  }

  it('a user signs in with a password', async () => {
    const { app } = fork()
    expect(await app.signInWithPassword({ email: 'ada@example.com', password })).toMatchObject({ ok: true })
    expect(await app.user$.get()).toMatchObject({ primaryEmail: 'ada@example.com' })
  })

  it('a new user signs up, unknown to the other tests', async () => {
    const { app } = fork()
    const input = { email: 'new@example.com', password, verificationCallbackUrl: callbackUrl }
    expect(await app.signUpWithPassword(input)).toMatchObject({ ok: true, value: { isNewUser: true } })
  })

  it('a user signs in with a magic link', async () => {
    const { app, platform } = fork()
    await app.sendMagicLinkEmail({ email: 'ada@example.com', callbackUrl })
    const mails = platform.mailbox('ada@example.com')
    const code = codeIn(await mails.next())
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true })
    expect([round, mails.messages.length]).toEqual([round, 1])
  })

  it('a user gives a second factor', async () => {
    const { app } = fork()
    expect(await app.signInWithPassword({ email: 'grace@example.com', password })).toMatchObject({ ok: false })
    const totp = await totpCode(new TextEncoder().encode('twenty bytes, secret'), clock.now())
    expect(await app.continueSignIn({ totp })).toMatchObject({ ok: true })
  })

  it('a user signs in with a passkey', async () => {
    const { app, platform } = fork()
    const owner = createClientApp({ ...platform.options, tokens: await platform.tokensFor('ada@example.com') })
    const input = { hostname, authenticator: platform.authenticator() }
    await owner.registerPasskey(input)
    expect(await app.signInWithPasskey(input)).toMatchObject({ ok: true })
  })
})
