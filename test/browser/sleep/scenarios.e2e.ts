import { expect } from '@playwright/test'
import { createClientApp } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { authenticatorFor } from '../authenticator'
import { ada, credentialsOf, grace, leave, nextCode, seen, shows, test, tokens, turn } from './scenes'
import type { Tab } from './page'

declare const tab: Tab

const signedIn = 'unknown,signed-in'

test.describe('sleep', () => {
  test('of 8 hours: the page is signed in, and refreshes once', async ({ clock, page, scene }) => {
    const pages = await scene.open(1)
    const before = await page.evaluate(() => ({ now: Date.now(), ticks: tab.ticks() }))
    await clock.sleep('8h')
    const after = await page.evaluate(() => ({ now: Date.now(), ticks: tab.ticks() }))
    expect(after.now - before.now).toBeGreaterThanOrEqual(8 * 3_600_000)
    // The timer of ten seconds has run once, not 2,880 times.
    expect(after.ticks - before.ticks).toBeLessThan(10)
    await page.evaluate(() => tab.app.updateUser({ displayName: 'Ada Lovelace' }))
    await shows(pages, 'Ada Lovelace')
    expect(scene.refreshes()).toBe(1)
    expect(await seen(pages)).toEqual([signedIn])
  })

  test('of 8 hours in which timers stand still: the same', async ({ clock, page, scene }) => {
    const pages = await scene.open(1)
    const before = await page.evaluate(() => performance.now())
    await clock.sleep('8h', { stopsTimers: true })
    expect(await page.evaluate(() => performance.now())).toBeLessThan(before + 60_000)
    expect(await tokens(pages)).toEqual([expect.any(String)])
    expect(scene.refreshes()).toBe(1)
    expect(await seen(pages)).toEqual([signedIn])
  })

  test('of three tabs: one refresh for all', async ({ clock, scene }) => {
    const pages = await scene.open(3)
    await clock.sleep('8h')
    expect(new Set(await tokens(pages)).size).toBe(1)
    expect(scene.refreshes()).toBe(1)
    expect(await seen(pages)).toEqual(Array(3).fill(signedIn))
  })

  test('of two browsers: a refresh in each, and no request as the other user', async ({
    clock,
    scene,
    signedInPage,
  }) => {
    const [adas] = await scene.open(1)
    const graces = await signedInPage(grace.email)
    await graces.goto('/')
    await shows([graces], 'Grace')
    await clock.sleep('8h')
    await Promise.all(
      [adas!, graces].map(page => page.evaluate(() => tab.app.updateUser({ clientMetadata: { woken: true } }))),
    )
    expect(scene.refreshes()).toBe(2)
    await adas!.reload()
    await graces.reload()
    await shows([adas!], 'Ada')
    await shows([graces], 'Grace')
  })

  test('that is longer than the session: signed out once in all tabs, without a loop', async ({
    clock,
    context,
    scene,
  }) => {
    const pages = await scene.open(3)
    await clock.sleep('366d')
    await Promise.all(pages.map(page => page.evaluate(() => tab.app.accessToken().catch(() => null))))
    await shows(pages, 'signed out')
    expect(await seen(pages)).toEqual(Array(3).fill(`${signedIn},signed-out`))
    const asked = scene.requests.length
    await clock.advance('10s')
    expect(scene.refreshes()).toBeLessThanOrEqual(1)
    expect(scene.requests.length - asked).toBeLessThanOrEqual(3)
    expect(await context.cookies()).toEqual([])
  })

  test('with the session revoked meanwhile: signed out in all tabs', async ({ clock, platform, scene }) => {
    const pages = await scene.open(2)
    const elsewhere = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    await elsewhere.signOut({ everywhere: true })
    await clock.sleep('8h')
    expect(await tokens(pages)).toEqual([null, null])
    await shows(pages, 'signed out')
    expect(scene.refreshes()).toBe(1)
  })

  test('with another user signed in meanwhile, by another tab: no request as the wrong one', async ({
    clock,
    page,
    scene,
  }) => {
    const [, other] = await scene.open(2)
    await turn(page, 'hidden')
    await other!.evaluate(input => tab.app.signInWithPassword(input), credentialsOf(grace))
    await clock.sleep('8h')
    await turn(page, 'visible')
    await shows([page, other!], 'Grace')
    const ids = await Promise.all(
      [page, other!].map(each => each.evaluate(async () => (await tab.app.user$.get())?.id)),
    )
    expect(ids[0]).toBe(ids[1])
    expect(scene.refreshes()).toBe(1)
  })
})

test.describe('a token expires', () => {
  test('while the page is hidden: one refresh when it is used', async ({ clock, page, scene }) => {
    const pages = await scene.open(1)
    await turn(page, 'hidden')
    await clock.advance('11m')
    expect(scene.refreshes()).toBe(0)
    await turn(page, 'visible')
    expect(await tokens(pages)).toEqual([expect.any(String)])
    expect(scene.refreshes()).toBe(1)
    expect(await seen(pages)).toEqual([signedIn])
  })

  test('during a request: it is answered, and the next one refreshes', async ({ clock, page, platform, scene }) => {
    const pages = await scene.open(1)
    platform.faults.next('PATCH /users/me', { delayMillis: 20_000 })
    const write = page.evaluate(() => tab.app.updateUser({ displayName: 'Ada Lovelace' }))
    const planned = async (): Promise<unknown> =>
      (await platform.fetch(new Request('http://localhost:8102/__local__/faults'))).json()
    await expect.poll(planned).toEqual({ items: [] })
    await clock.sleep('11m', { stopsTimers: true })
    await write
    await shows(pages, 'Ada Lovelace')
    expect(await tokens(pages)).toEqual([expect.any(String)])
    expect(scene.refreshes()).toBe(1)
  })

  test('for the backend at the same moment', async ({ clock, page, scene }) => {
    await scene.open(1)
    const user = await page.evaluate(async () => (await tab.app.user$.get())!.id)
    const headers = await page.evaluate(() => tab.app.authHeaders())
    const ask = () => page.evaluate(given => tab.askBackend(given), headers)
    expect(await ask()).toMatchObject({ kit: user, jose: user })
    await clock.sleep('9m')
    expect(await ask()).toMatchObject({ kit: user, jose: user })
    await clock.sleep('2m')
    const { now, ...refusals } = await ask()
    expect(refusals).toEqual({ kit: 'ACCESS_TOKEN_EXPIRED', jose: 'ERR_JWT_EXPIRED' })
    expect(Math.abs(now - clock.now())).toBeLessThan(60_000)
    expect(await page.evaluate(() => tab.askBackend())).toMatchObject({ kit: user, jose: user })
    expect(scene.refreshes()).toBe(1)
  })

  test('in a hidden tab whose timers are throttled: the first use refreshes', async ({ clock, page, scene }) => {
    const pages = await scene.open(2)
    await turn(page, 'hidden')
    // A browser runs timers of a hidden tab once a minute.
    for (let minute = 0; minute < 12; minute++) await clock.sleep('1m')
    await turn(page, 'visible')
    expect(new Set(await tokens(pages)).size).toBe(1)
    expect(scene.refreshes()).toBe(1)
    expect(await seen(pages)).toEqual([signedIn, signedIn])
  })
})

test.describe('a code', () => {
  test('of an authenticator is accepted within its 30 seconds', async ({ clock, page, platform }) => {
    const secret = new Uint8Array(20).fill(7)
    const kim = { email: 'kim@example.com', password: 'a long password', displayName: 'Kim' }
    await platform.seed({ users: [{ ...kim, totpSecret: Buffer.from(secret).toString('base64') }] })
    const type = (totp: string) =>
      page.evaluate(async digits => {
        const result = await tab.app.continueSignIn({ totp: digits })
        return result.ok ? 'signed in' : result.error.code
      }, totp)
    const start = () => page.evaluate(async given => (await tab.app.signInWithPassword(given)).ok, credentialsOf(kim))
    // Five seconds before the next step.
    const toEdge = () => clock.sleep(30_000 - ((clock.now() + 5000) % 30_000))
    await page.goto('/')
    await start()
    await toEdge()
    const last = await totpCode(secret, clock.now())
    await clock.sleep('10s')
    expect(await type(last)).toBe('INVALID_TOTP_CODE')
    expect(await type(await totpCode(secret, clock.now() + 30_000))).toBe('INVALID_TOTP_CODE')
    await toEdge()
    expect(await type(await totpCode(secret, clock.now()))).toBe('signed in')
    await shows([page], 'Kim')
  })

  test('of an authenticator comes too late when the five minutes of its sign-in are over', async ({
    clock,
    page,
    platform,
  }) => {
    const secret = new Uint8Array(20).fill(7)
    const kim = { email: 'kim@example.com', password: 'a long password', displayName: 'Kim' }
    await platform.seed({ users: [{ ...kim, totpSecret: Buffer.from(secret).toString('base64') }] })
    await page.goto('/')
    await page.evaluate(async given => (await tab.app.signInWithPassword(given)).ok, credentialsOf(kim))
    await clock.sleep('6m')
    const totp = await totpCode(secret, clock.now())
    const code = await page.evaluate(async digits => {
      const result = await tab.app
        .continueSignIn({ totp: digits })
        .catch((error: unknown) => ({ error: error as { code: string } }))
      return 'error' in result ? result.error.code : 'signed in'
    }, totp)
    expect(['VERIFICATION_CODE_EXPIRED', 'INVALID_INPUT']).toContain(code)
    await shows([page], 'signed out')
  })

  for (const [age, outcome] of [
    ['6d', 'done'],
    ['8d', 'VERIFICATION_CODE_EXPIRED'],
  ] as const) {
    test(`of a magic link, ${age} old: ${outcome}`, async ({ clock, page, platform }) => {
      await page.goto('/')
      await page.evaluate(email => tab.app.sendMagicLinkEmail({ email }), ada.email)
      const code = await nextCode(platform, ada.email)
      await clock.sleep(age)
      const result = await page.evaluate(async given => {
        const answer = await tab.app.signInWithMagicLink({ code: given })
        return answer.ok ? 'done' : answer.error.code
      }, code)
      expect(result).toBe(outcome)
      await shows([page], outcome === 'done' ? 'Ada' : 'signed out')
    })

    test(`that verifies an address, ${age} old: ${outcome}`, async ({ clock, page, platform, signIn }) => {
      await signIn(grace.email)
      await page.goto('/')
      await page.evaluate(() => tab.app.sendVerificationEmail())
      const code = await nextCode(platform, grace.email)
      await clock.sleep(age)
      const result = await page.evaluate(async given => {
        const answer = await tab.app.verifyEmail({ code: given })
        return answer.ok ? 'done' : answer.error.code
      }, code)
      expect(result).toBe(outcome)
    })

    test(`of a password reset, ${age} old: ${outcome}`, async ({ clock, page, platform }) => {
      await page.goto('/')
      await page.evaluate(email => tab.app.sendPasswordResetEmail({ email }), ada.email)
      const code = await nextCode(platform, ada.email)
      await clock.sleep(age)
      const result = await page.evaluate(async given => {
        const answer = await tab.app.resetPassword({ code: given, password: 'another long one' })
        return answer.ok ? 'done' : answer.error.code
      }, code)
      expect(result).toBe(outcome)
    })

    test(`of an invitation, ${age} old: ${outcome}`, async ({ clock, page, platform, scene, signedInPage }) => {
      await scene.open(1)
      await page.evaluate(async email => {
        const { id } = await tab.app.createTeam({ displayName: 'Engineering' })
        await tab.app.sendTeamInvitation({ teamId: id, email })
      }, grace.email)
      const code = await nextCode(platform, grace.email)
      const graces = await signedInPage(grace.email)
      await graces.goto('/')
      await clock.sleep(age)
      const result = await graces.evaluate(async given => {
        const answer = await tab.app.acceptTeamInvitation({ code: given })
        return answer.ok ? 'done' : answer.error.code
      }, code)
      expect(result).toBe(outcome)
    })
  }

  test('of a passkey has expired when the device answers after the sleep', async ({ clock, page, scene }) => {
    await scene.open(1)
    await authenticatorFor(page)
    expect(await page.evaluate(async () => (await tab.app.registerPasskey()).ok)).toBe(true)
    await page.evaluate(() => tab.app.signOut())
    // The device waits for a touch once.
    await page.evaluate(() => {
      const { get } = CredentialsContainer.prototype
      CredentialsContainer.prototype.get = async function (options) {
        CredentialsContainer.prototype.get = get
        await new Promise(touched => addEventListener('touch', touched))
        return get.call(this, options)
      }
    })
    const asked = page.waitForResponse(/initiate-passkey-authentication/)
    const signIn = page.evaluate(async () => {
      const result = await tab.app.signInWithPasskey()
      return result.ok ? 'signed in' : result.error.code
    })
    await (await asked).finished()
    await clock.sleep('5m', { stopsTimers: true })
    await page.evaluate(() => void dispatchEvent(new Event('touch')))
    expect(await signIn).toBe('VERIFICATION_CODE_EXPIRED')
    expect(await page.evaluate(async () => (await tab.app.signInWithPasskey()).ok)).toBe(true)
    await shows([page], 'Ada')
  })
})

test.describe('a clock', () => {
  for (const off of ['+1d', '-1d', '+10m', '-10m'] as const)
    test(`of the page that is ${off} off: the app works, without a loop of refreshes`, async ({
      clock,
      page,
      scene,
    }) => {
      await clock.skewPages(off)
      const pages = await scene.open(1)
      const user = await page.evaluate(async () => (await tab.app.user$.get())!.id)
      await clock.sleep('11m')
      for (let count = 0; count < 3; count++)
        await page.evaluate(name => tab.app.updateUser({ displayName: name }), `Ada ${count}`)
      await shows(pages, 'Ada 2')
      expect(await page.evaluate(() => tab.askBackend())).toMatchObject({ kit: user, jose: user })
      // A page whose clock is ahead may not trust the first token; after a refresh it knows the difference.
      expect(scene.refreshes()).toBeGreaterThanOrEqual(1)
      expect(scene.refreshes()).toBeLessThanOrEqual(2)
      expect(await seen(pages)).toEqual([signedIn])
    })

  test('of the page that is set back by an hour: the session goes on', async ({ clock, page, scene }) => {
    const pages = await scene.open(1)
    await clock.skewPages('-1h')
    await page.evaluate(() => tab.app.updateUser({ displayName: 'Ada in the past' }))
    await clock.advance('11m')
    await page.evaluate(() => tab.app.updateUser({ displayName: 'Ada later' }))
    await shows(pages, 'Ada later')
    expect(scene.refreshes()).toBeLessThanOrEqual(2)
    expect(await seen(pages)).toEqual([signedIn])
  })

  test('of the platform that is a day ahead of everything else: the app works', async ({ clock, page, scene }) => {
    const pages = await scene.open(1)
    // The platform and the backend move, and the page goes back to where it was.
    await clock.sleep('1d', { stopsTimers: true })
    await clock.skewPages('-1d')
    await page.reload()
    await shows(pages, 'Ada')
    for (let count = 0; count < 3; count++)
      await page.evaluate(name => tab.app.updateUser({ displayName: name }), `Ada ${count}`)
    await shows(pages, 'Ada 2')
    expect(scene.refreshes()).toBeLessThanOrEqual(2)
  })
})

test.describe('a page', () => {
  test('that comes back from the back-forward cache, after a sign-out elsewhere and a sleep: signed out', async ({
    clock,
    page,
    scene,
  }) => {
    const [, other] = await scene.open(2)
    await leave(page, 'pagehide')
    await other!.evaluate(() => tab.app.signOut())
    await clock.sleep('8h')
    await leave(page, 'pageshow')
    await shows([page], 'signed out')
    expect(await seen([page])).toEqual([`${signedIn},signed-out`])
    expect(scene.refreshes()).toBe(0)
  })

  test('that wakes without a network is signed in, and refreshes once when there is one', async ({
    clock,
    context,
    page,
    scene,
  }) => {
    const pages = await scene.open(1)
    await context.setOffline(true)
    await clock.sleep('8h')
    const failed = page.evaluate(() =>
      tab.app.accessToken().catch((error: unknown) => (error as { code: string }).code),
    )
    await clock.advance('1m')
    expect(await failed).toBe('NETWORK_ERROR')
    expect(await seen(pages)).toEqual([signedIn])
    await context.setOffline(false)
    expect(await tokens(pages)).toEqual([expect.any(String)])
    await shows(pages, 'Ada')
    expect(scene.refreshes()).toBe(1)
  })

  test('that is opened after the sleep starts at the moved time', async ({ clock, context, scene }) => {
    await scene.open(1)
    await clock.sleep('8h')
    const page = await context.newPage()
    await page.goto('/')
    await shows([page], 'Ada')
    const now = await page.evaluate(() => Date.now())
    expect(Math.abs(now - clock.now())).toBeLessThan(60_000)
    expect(scene.refreshes()).toBe(1)
  })

  test('has no cookie any more whose time is over', async ({ clock, context, page }) => {
    await page.goto('/')
    await page.evaluate(() => {
      document.cookie = 'short=1; max-age=3600'
      document.cookie = 'long=1; max-age=36000'
    })
    await expect.poll(async () => (await context.cookies()).length).toBe(2)
    await clock.sleep('30m')
    await clock.sleep('31m')
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['long'])
    await page.evaluate(() => (document.cookie = 'short=2; max-age=3600'))
    await clock.sleep('50m')
    expect(await page.evaluate(() => document.cookie.split('; ').sort())).toEqual(['long=1', 'short=2'])
  })
})
