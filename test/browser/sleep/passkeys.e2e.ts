import { expect, type Page } from '@playwright/test'
import { ada, credentialsOf, grace, shows, test } from './scenes'
import type { TestPasskeys } from 'rxauth/playwright'
import type { Tab } from './page'

declare const tab: Tab

type Ceremony = 'registerPasskey' | 'signInWithPasskey' | 'signInWithSaved'

/** Calls this of the app of the page; the code of its error, or "ok". */
function call(page: Page, name: Ceremony): Promise<string> {
  return page.evaluate(async called => {
    const result = await tab.app[called]()
    if (result.ok) return 'ok'
    const { error } = result
    return error.code === 'PASSKEY_WEBAUTHN_ERROR' ? error.details.code : error.code
  }, name)
}

const signOut = (page: Page) => page.evaluate(() => tab.app.signOut())

/** Each of these persons registers a passkey on the page, which is signed out then. */
async function enrol(page: Page, passkeys: TestPasskeys, ...people: readonly (typeof grace)[]): Promise<void> {
  await page.goto('/')
  for (const credentials of people.map(credentialsOf)) {
    await page.evaluate(async each => tab.app.signInWithPassword(each), credentials)
    expect(await call(page, 'registerPasskey')).toBe('ok')
    // The platform has given the name, and the signal gives the address.
    await expect.poll(() => passkeys.list().at(-1)!.name).toBe(credentials.email)
    await signOut(page)
  }
}

test.describe('passkeys', () => {
  test('of the test are behind the page: one is registered, and signs in', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada)
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
    await shows([page], 'Ada')
    expect(passkeys.list()).toMatchObject([{ name: ada.email, displayName: 'Ada', rpId: 'localhost' }])
  })

  test('of several users: the test picks one, by its address or name, or the newest', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada, grace)
    for (const [account, name] of [
      [ada.email, 'Ada'],
      ['Grace', 'Grace'],
      [undefined, 'Grace'],
    ] as const) {
      passkeys.account = account
      expect(await call(page, 'signInWithPasskey')).toBe('ok')
      await shows([page], name)
      await signOut(page)
    }
  })

  test('of an account that has none: the page is told which ones there are', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada)
    passkeys.account = 'kim@example.com'
    expect(await call(page, 'signInWithPasskey')).toBe('Error')
    await expect(passkeys.choose('kim@example.com')).rejects.toThrow(ada.email)
  })

  for (const isVerified of [true, false])
    test(`of a device that verifies its user: ${isVerified}`, async ({ page, passkeys }) => {
      await enrol(page, passkeys, ada)
      passkeys.verifiesUser = isVerified
      // A page that requires it, and one that does not.
      const required = await page.evaluate(async () => {
        const options = { challenge: new Uint8Array(16), rpId: 'localhost', userVerification: 'required' as const }
        return navigator.credentials.get({ publicKey: options }).then(
          found => found!.type,
          (error: unknown) => (error as Error).name,
        )
      })
      expect(required).toBe(isVerified ? 'public-key' : 'NotAllowedError')
      expect(await call(page, 'signInWithPasskey')).toBe('ok')
    })

  test('that the user refuses, to create and to use', async ({ page, passkeys, signIn }) => {
    await enrol(page, passkeys, grace)
    passkeys.user = 'refuses'
    await signIn(ada.email)
    await page.reload()
    expect(await call(page, 'registerPasskey')).toBe('NotAllowedError')
    expect(passkeys.list()).toHaveLength(1)
    await signOut(page)
    expect(await call(page, 'signInWithPasskey')).toBe('NotAllowedError')
  })

  test('of a device that never answers: an abort ends the call, and the next one works', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada)
    passkeys.user = 'waits'
    const code = await page.evaluate(async () => {
      const controller = new AbortController()
      const waiting = tab.app.signInWithPasskey({}, { signal: controller.signal })
      setTimeout(() => controller.abort(), 500)
      return waiting.then(
        () => 'answered',
        (error: unknown) => (error as { code: string }).code,
      )
    })
    expect(code).toBe('ABORTED')
    passkeys.user = 'agrees'
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
  })

  test('that are removed from the device sign in no more', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada, grace)
    passkeys.remove(grace.email)
    expect(passkeys.list().map(({ name }) => name)).toEqual([ada.email])
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
    await shows([page], 'Ada')
    passkeys.remove(ada.email)
    await signOut(page)
    expect(await call(page, 'signInWithPasskey')).toBe('NotAllowedError')
  })

  test('that are removed on the platform leave the list, by a signal', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada)
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
    await page.evaluate(async () => tab.app.updateUser({ passkeyAuthEnabled: false }))
    await expect.poll(() => passkeys.list()).toEqual([])
    expect(passkeys.signals.at(-1)).toMatchObject({ kind: 'accepted', allAcceptedCredentialIds: [] })
  })

  test('follow a new name, by a signal', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada)
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
    await page.evaluate(async () => tab.app.updateUser({ displayName: 'Countess' }))
    await expect.poll(() => passkeys.list()[0]?.displayName).toBe('Countess')
    expect(passkeys.signals.at(-1)).toMatchObject({ kind: 'details', displayName: 'Countess' })
  })

  test('among the suggestions of a form wait for a choice, also after a reload', async ({ page, passkeys }) => {
    await enrol(page, passkeys, ada, grace)
    await page.evaluate(() => void tab.app.passkeyAutofill$().subscribe())
    await page.reload()
    await page.evaluate(() => void tab.app.passkeyAutofill$().subscribe())
    await passkeys.choose(ada.email)
    await shows([page], 'Ada')
  })

  test('and passwords are offered at one press', async ({ page, passkeys }) => {
    await page.goto('/')
    expect(await call(page, 'signInWithSaved')).toBe('NOTHING_SAVED')
    passkeys.savedPassword = { id: grace.email, password: grace.password }
    expect(await call(page, 'signInWithSaved')).toBe('ok')
    await shows([page], 'Grace')
    await signOut(page)
    await enrol(page, passkeys, ada)
    expect(await call(page, 'signInWithSaved')).toBe('ok')
    await shows([page], 'Ada')
  })

  test('are the same in another browser of the test', async ({ page, passkeys, signedInPage }) => {
    const graces = await signedInPage(grace.email)
    await graces.goto('/')
    expect(await call(graces, 'registerPasskey')).toBe('ok')
    await page.goto('/')
    expect(await call(page, 'signInWithPasskey')).toBe('ok')
    await shows([page], 'Grace')
    expect(passkeys.list()).toHaveLength(1)
  })
})
