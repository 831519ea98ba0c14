import { memoryTokens, type Auth, type ClientApp } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { codeIn } from '../flows/way'
import { accessTokenText } from '../session/access-token-text'
import { answered, isRefresh, userAnswer } from '../session/intercept'
import { readAccessToken } from '../../src/transport/access-token'
import { browser, credentialsOf, type TabOptions } from '../tabs'
import { ada, world } from '../world'

const wire = '2026'
const emailNotVerified = { type: 'email_not_verified' }
const callbackUrl = 'http://localhost:3000/handler/email-verification'
const seed = { users: [ada], project: { config: { requireEmailVerification: true } } }

/** The states of `auth$`, each once: the status, and the restriction if there is one. */
function told(app: ClientApp): string[] {
  const states: string[] = []
  app.auth$.subscribe((auth: Auth) => {
    const { status } = auth
    const state = status === 'signed-in' && auth.restriction ? `${status}, ${auth.restriction.type}` : status
    if (state !== states.at(-1)) states.push(state)
  })
  return states
}

/** A browser whose tabs are Ada's. Her project demands a verified address, and hers is not. */
async function adas() {
  const inner = browser({ wire, seed })
  await inner.signIn(ada)
  const tab = (options?: TabOptions) => inner.tab(options)
  /** The code of the mail that asks Ada to verify her address. */
  const mailed = async (app: ClientApp): Promise<string> => {
    expect(await inner.clock.settled(app.sendVerificationEmail({ callbackUrl }))).toMatchObject({ ok: true })
    return codeIn(inner.platform.mailbox(ada.email).messages.at(-1)!)
  }
  return { ...inner, tab, mailed }
}

describe('a restricted user', () => {
  // Promise: restricted-user
  it('is signed in, with a restriction on the user and in auth$', async () => {
    const { tab, clock } = await adas()
    const { app } = tab()
    const states = told(app)
    await clock.advance(0)
    expect(states).toEqual(['unknown', `signed-in, ${emailNotVerified.type}`])
    const user = await clock.settled(app.user$.get())
    expect(user).toMatchObject({ primaryEmail: ada.email, restriction: emailNotVerified })
    expect(app.auth$.value).toEqual({ status: 'signed-in', user, restriction: user!.restriction })
  })

  it('is one from the sign-up on', async () => {
    const { clock, newApp } = await world({ platform: { wire, seed } })
    const app = newApp()
    const states = told(app)
    const input = { email: 'new@example.com', password: 'correct horse', verificationCallbackUrl: callbackUrl }
    expect(await clock.settled(app.signUpWithPassword(input))).toMatchObject({ ok: true })
    expect(states).toEqual(['signed-out', 'unknown', `signed-in, ${emailNotVerified.type}`])
  })

  // Promise: restricted-user
  it('may still be changed, and stays restricted in what the change shows', async () => {
    const { tab, clock } = await adas()
    const { app } = tab()
    const users: unknown[] = []
    app.user$.subscribe(user => users.push([user?.displayName, user?.restriction]))
    await clock.advance(0)
    await clock.settled(app.updateUser({ displayName: 'Countess' }))
    expect(users).toEqual([
      ['Ada', emailNotVerified],
      ['Countess', emailNotVerified],
    ])
  })

  it('may have other reasons, which no verification ends', async () => {
    const { clock, newApp, tokensOf, platform } = await world({
      platform: { wire, seed: { users: [{ ...ada, verified: true, restricted: true }] } },
    })
    const app = newApp({ tokens: await tokensOf(ada) })
    let grants = 0
    platform.requests$.subscribe(({ path }) => (grants += Number(path === '/auth/oauth/token')))
    expect(await clock.settled(app.user$.get())).toMatchObject({ restriction: { type: 'restricted_by_administrator' } })
    await clock.advance(300)
    await clock.settled(app.user$.refresh())
    expect(grants).toBe(0)
  })

  it('is shown with the reason and the fields of the same answer, when it begins and when it ends', async () => {
    const { clock, newApp, tokensOf, platform } = await world({
      platform: { wire, seed: { users: [{ ...ada, verified: true }] } },
    })
    const app = newApp({ tokens: await tokensOf(ada) })
    const server = createServerApp(platform.serverOptions)
    const users: unknown[] = []
    app.user$.subscribe(user => users.push([user?.restriction, user?.isRestricted]))
    const { id: userId } = (await clock.settled(app.user$.get()))!
    for (const restrictedByAdmin of [true, false]) {
      const restrictedByAdminReason = restrictedByAdmin ? 'Spam.' : null
      await clock.settled(server.updateUserById({ userId, restrictedByAdmin, restrictedByAdminReason }))
      await clock.advance(300)
      await clock.settled(app.user$.refresh())
      await clock.settled(app.accessToken())
    }
    expect(users).toEqual([
      [undefined, false],
      [{ type: 'restricted_by_administrator', reason: 'Spam.' }, true],
      [undefined, false],
    ])
  })

  // Promise: restricted-user
  it('does not exist in the wire of 2.8.18', async () => {
    const { clock, app } = await world()
    expect(await clock.settled(app.user$.get())).not.toHaveProperty('restriction')
    expect(app.auth$.value).not.toHaveProperty('restriction')
  })

  it('can sign out, which ends the session on the platform', async () => {
    const { tab, clock, requests } = await adas()
    const { app } = tab()
    await clock.settled(app.user$.get())
    await clock.settled(app.signOut())
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(requests.at(-1)).toBe('DELETE /auth/sessions/current')
  })
})

describe('the restriction ends', () => {
  // Promise: restriction-ends
  it('when this kit verifies the address: the next access token is an ordinary one', async () => {
    const { tab, clock, mailed } = await adas()
    const { app } = tab()
    const before = await clock.settled(app.accessToken())
    expect(readAccessToken(before!)?.restriction).toBe(emailNotVerified.type)
    const code = await mailed(app)
    expect(await clock.settled(app.verifyEmail({ code }))).toMatchObject({ ok: true })
    const after = await clock.settled(app.accessToken())
    expect(readAccessToken(after!)).toMatchObject({ restriction: null, isLimited: false })
    await clock.advance(300)
    expect(await clock.settled(app.user$.get())).not.toHaveProperty('restriction')
  })

  // Promise: restriction-ends
  it('by itself in every tab when one of them verifies it', async () => {
    const { tab, clock, mailed, refreshes } = await adas()
    const [here, there] = [tab().app, tab().app]
    const states = told(here)
    await clock.advance(0)
    const code = await mailed(there)
    const verifying = there.verifyEmail({ code })
    await clock.advance(1000)
    expect(await clock.settled(verifying)).toMatchObject({ ok: true })
    expect(states).toEqual(['unknown', `signed-in, ${emailNotVerified.type}`, 'signed-in'])
    expect(here.auth$.value).toMatchObject({ user: { primaryEmailVerified: true } })
    for (const app of [here, there])
      expect(readAccessToken((await clock.settled(app.accessToken()))!)?.restriction).toBeNull()
    expect(refreshes()).toBe(1)
  })

  // Promise: restriction-ends
  it('when it has been verified on another device, as soon as the page is shown again', async () => {
    const { tab, clock, mailed, platform, refreshes } = await adas()
    const one = tab()
    const states = told(one.app)
    await clock.advance(0)
    const code = await mailed(one.app)
    const phone = browser({ wire, seed }).tab({ ...platform.options, clock }).app
    expect(await clock.settled(phone.verifyEmail({ code }))).toMatchObject({ ok: true })
    one.show(false)
    await clock.advance(10_000)
    expect(states.at(-1)).toBe(`signed-in, ${emailNotVerified.type}`)
    one.show(true)
    await clock.advance(0)
    expect(states.at(-1)).toBe('signed-in')
    expect(one.app.auth$.value).toMatchObject({ user: { primaryEmailVerified: true } })
    expect(readAccessToken((await clock.settled(one.app.accessToken()))!)?.restriction).toBeNull()
    expect(refreshes()).toBe(1)
  })

  it('with refresh(), whose value is up to date', async () => {
    const { tab, clock, mailed, platform } = await adas()
    const { app } = tab()
    await clock.settled(app.user$.get())
    const phone = browser({ wire, seed }).tab({ ...platform.options, clock }).app
    await clock.settled(phone.verifyEmail({ code: await mailed(app) }))
    await clock.advance(300)
    expect(await clock.settled(app.user$.refresh())).not.toHaveProperty('restriction')
  })

  it('although the platform cannot renew the token at once: the next call that needs one does', async () => {
    const { tab, clock, mailed, platform } = await adas()
    const { app } = tab()
    await clock.settled(app.user$.get())
    const phone = browser({ wire, seed }).tab({ ...platform.options, clock }).app
    await clock.settled(phone.verifyEmail({ code: await mailed(app) }))
    await clock.advance(300)
    platform.faults.next('POST /auth/oauth/token', { status: 503 })
    expect(await clock.settled(app.user$.refresh())).not.toHaveProperty('restriction')
    await expect(clock.settled(app.accessToken())).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(readAccessToken((await clock.settled(app.accessToken()))!)?.restriction).toBeNull()
    expect(await clock.settled(app.user$.get())).not.toHaveProperty('restriction')
  })

  it('in a tab that shows the restriction, with the token that another tab has got', async () => {
    const { tab, clock, mailed, platform } = await adas()
    const [here, there] = [tab({ without: ['channel'] }).app, tab().app]
    const states = told(here)
    await clock.advance(0)
    const phone = browser({ wire, seed }).tab({ ...platform.options, clock }).app
    await clock.settled(phone.verifyEmail({ code: await mailed(here) }))
    await clock.settled(there.user$.get())
    await clock.settled(there.accessToken())
    await clock.advance(100)
    expect(states).toEqual(['unknown', `signed-in, ${emailNotVerified.type}`, 'signed-in'])
  })

  it('not for a session without a refresh token, whose access token is all that there is', async () => {
    const { platform, clock, newApp } = await world({ platform: { wire, seed } })
    const { accessToken } = (await platform.tokensFor(ada.email)).read()!
    const app = newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    await clock.settled(app.sendVerificationEmail({ callbackUrl }))
    await clock.settled(newApp().verifyEmail({ code: codeIn(platform.mailbox(ada.email).messages.at(-1)!) }))
    await clock.advance(300)
    expect(await clock.settled(app.user$.refresh())).toMatchObject({
      primaryEmailVerified: true,
      restriction: emailNotVerified,
    })
    expect(await clock.settled(app.accessToken())).toBe(accessToken)
  })
})

// Promise: token-before-restriction
it('begins with a refusal of the platform: the token is older than the restriction, and is renewed', async () => {
  const restricted = { is_restricted: true, restricted_reason: { type: 'restricted_by_administrator' } }
  const old = { accessToken: accessTokenText({ is_restricted: false }), refreshToken: 'refresh-1' }
  const log: string[] = []
  const { app, clock } = await world({
    app: {
      tokens: memoryTokens(old),
      fetch: async (...sent) => {
        const request = new Request(...sent)
        const admits = request.headers.get('x-stack-allow-anonymous-user') === 'true'
        log.push(`${new URL(request.url).pathname.replace('/api/v1', '')}${admits ? ' admitted' : ''}`)
        if (isRefresh(request)) return answered(200, { access_token: accessTokenText(restricted) })
        if (admits) return userAnswer()
        const { restricted_reason } = restricted
        const body = { code: 'RESTRICTED_USER_NOT_ALLOWED', error: 'Restricted.', details: { restricted_reason } }
        return answered(403, body, body.code)
      },
    },
  })
  expect(await clock.settled(app.user$.get())).toMatchObject({ restriction: { type: 'restricted_by_administrator' } })
  expect(log).toEqual(['/users/me', '/auth/oauth/token', '/users/me admitted'])
})

it('is an error of the call if a new token does not contain it, and if there can be no new token', async () => {
  for (const refreshToken of ['refresh-1', null]) {
    const log: string[] = []
    const body = { code: 'RESTRICTED_USER_NOT_ALLOWED', error: 'x', details: { restricted_reason: emailNotVerified } }
    const { app, clock } = await world({
      app: {
        tokens: memoryTokens({ accessToken: accessTokenText(), refreshToken }),
        fetch: async (...sent) => {
          const request = new Request(...sent)
          log.push(new URL(request.url).pathname)
          return isRefresh(request)
            ? answered(200, { access_token: accessTokenText({ iat: 7 }) })
            : answered(403, body, body.code)
        },
      },
    })
    await expect(clock.settled(app.user$.get())).rejects.toMatchObject({
      code: 'RESTRICTED_USER_NOT_ALLOWED',
      details: { restrictedReason: emailNotVerified },
    })
    expect(log).toHaveLength(refreshToken === null ? 1 : 3)
    expect(await clock.settled(app.accessToken())).not.toBeNull()
  }
})

it('signs in as anybody else does', async () => {
  const { clock, newApp } = await world({ platform: { wire, seed } })
  const app = newApp()
  expect(await clock.settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
  expect(await clock.settled(app.user$.get())).toMatchObject({ restriction: emailNotVerified })
})
