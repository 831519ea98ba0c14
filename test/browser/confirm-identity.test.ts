import type { Page } from 'playwright-core'
import type { ClientApp } from 'rxauth'
import { itInLong, runs } from '../runs'
import { authenticatorFor } from './authenticator'
import { server, useServer } from './owner'
import {
  account,
  button,
  field,
  heading,
  look,
  newAccount,
  newcomer,
  newEmail,
  password,
  plantSession,
  problem,
  signIn,
  typeCode,
  typeDigits,
  press,
} from './person'
import { at, context, page, running, useExample } from './stage'

// With React's effects run twice: a confirmation counts once, and so does a mailed code.
useExample({ mode: 'development' })
useServer()

const dialog = () => page.getByRole('dialog')
const answer = 'Delete account for good'

async function openDialog(): Promise<void> {
  await page.goto(at('/handler/account-settings/danger-zone'))
  await press(button(page, 'Delete account'), dialog().getByText('Confirm that it is you.'))
}

const isDeleted = (on = page) => on.getByText('Your account has been deleted.').waitFor()

async function idOf(app: ClientApp): Promise<string> {
  return (await app.user$.get())!.id
}

const sessionsOf = async (userId: string) => (await server.sessionsOf$({ userId }).refresh()).length

/** The cookies of the session, without those of an attempt. */
const sessionCookies = async () =>
  (await context.cookies()).filter(({ name }) => name.startsWith('stack-refresh')).map(({ value }) => value)

describe('an account is deleted after its user has confirmed', () => {
  it('with the password, after a wrong one, and not when cancelled', async () => {
    const { app, email } = await newcomer(page, running)
    const userId = await idOf(app)
    await openDialog()
    await dialog().getByText(email).waitFor()
    await look(page, 'delete-account')
    const cookies = await sessionCookies()
    await field(page, 'Your password').fill('wrong horse battery')
    await press(button(page, answer), problem(page, 'Wrong e-mail or password.'))
    expect(await sessionCookies()).toEqual(cookies)
    expect(await sessionsOf(userId)).toBe(1)
    await button(page, 'Cancel').click()
    await dialog().waitFor({ state: 'detached' })

    await button(page, 'Delete account').click()
    await field(page, 'Your password').fill(password)
    await button(page, answer).click()
    await isDeleted()
    expect(await server.userById$({ userId }).refresh()).toBeNull()
    await signIn(page, email)
    await problem(page, 'Wrong e-mail or password.').waitFor()
  })

  itInLong('with the password and the second factor', async () => {
    const { app } = await newcomer(page, running)
    const { secret } = await app.startTotpEnrolment()
    const userId = await idOf(app)
    await app.updateUser({ totpSecretBase64: btoa(String.fromCharCode(...secret)) })
    await openDialog()
    await field(page, 'Your password').fill(password)
    await button(page, answer).click()
    await typeCode(page, 'Code of your authenticator app', '000000')
    await problem(page, 'Wrong code.').waitFor()
    await look(page, 'delete-account-code')
    await typeDigits(page, 'Code of your authenticator app', secret, '/auth/mfa/sign-in')
    await isDeleted()
    expect(await server.userById$({ userId }).refresh()).toBeNull()
  })

  itInLong('with a passkey', async () => {
    await newcomer(page, running)
    await authenticatorFor(page)
    await page.goto(at('/handler/account-settings/security'))
    await press(button(page, 'Add a passkey'), button(page, 'Remove'))
    await openDialog()
    await button(page, 'Confirm with a passkey').click()
    await isDeleted()
  })

  it.each(runs(['the link, in another tab'], ['the code', 'the link, in another tab']))(
    'with %s of a mail',
    async way => {
      const { app, email } = await newcomer(page, running)
      await server.updateUserById({ userId: await idOf(app), primaryEmailVerified: true })
      await openDialog()
      await press(button(page, 'E-mail me a code'), page.getByText(`Code in the e-mail to ${email}`))
      const mails = await context.newPage()
      await mails.goto(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
      const mail = mails.locator('article').first()
      const cookies = await sessionCookies()
      if (way === 'the code') {
        await typeCode(page, `Code in the e-mail to ${email}`, (await mail.locator('strong').first().textContent())!)
      } else {
        await press(mail.getByRole('link').last(), button(mails, answer))
        await look(mails, 'delete-account-link')
        // The link alone starts no session.
        expect(await sessionCookies()).toEqual(cookies)
        await button(mails, answer).click()
        await isDeleted(mails)
        // Not with the address of the mail that was requested here.
        await heading(page, 'Sign in').waitFor()
        return
      }
      await isDeleted()
    },
  )
})

describe('with an account at a provider', () => {
  const atProvider = async (popup: Page, email: string, isNew = false) => {
    if (isNew) {
      await popup.getByRole('radio').last().check()
      await popup.getByLabel('E-mail address', { exact: true }).fill(email)
    } else await popup.getByLabel(email).check()
    await button(popup, 'Continue').click()
  }
  const popupOf = async () => {
    const [popup] = await Promise.all([context.waitForEvent('page'), button(page, 'Confirm with GitHub').click()])
    await button(popup, 'Continue').waitFor()
    return popup
  }

  it('another user’s is refused with a sentence, the session stays, and the user’s own counts', async () => {
    const [mine, theirs] = [newEmail(), newEmail()]
    await page.goto(at('/handler/sign-in'))
    await button(page, 'Continue with GitHub').click()
    await atProvider(page, mine, true)
    await account(page, `Account: ${mine}`).waitFor()
    const cookies = await sessionCookies()
    await openDialog()

    await atProvider(await popupOf(), theirs, true)
    await problem(page, 'That is the sign-in of another account').waitFor()
    await look(page, 'delete-account-another')
    expect(await sessionCookies()).toEqual(cookies)
    const [other] = (await server.users$({ query: theirs }).refresh()).items
    expect(await sessionsOf(other!.id)).toBe(0)
    await account(page, `Account: ${mine}`).waitFor()

    await atProvider(await popupOf(), mine)
    await isDeleted()
  })

  itInLong('a window that is closed is no end: the next one counts', async () => {
    const mine = newEmail()
    await page.goto(at('/handler/sign-in'))
    await button(page, 'Continue with GitHub').click()
    await atProvider(page, mine, true)
    await account(page, `Account: ${mine}`).waitFor()
    await openDialog()
    await (await popupOf()).close()
    await atProvider(await popupOf(), mine)
    await isDeleted()
  })
})

it('another user who signs in meanwhile, in another tab, finds the question closed and nothing typed', async () => {
  const { app } = await newcomer(page, running)
  const userId = await idOf(app)
  await openDialog()
  await field(page, 'Your password').fill(password)
  const other = await newAccount(running)
  await plantSession(page, other.tokens, running)
  await dialog().waitFor({ state: 'detached' })
  await press(button(page, 'Delete account'), dialog().getByText(other.email))
  expect(await field(page, 'Your password').inputValue()).toBe('')
  expect(await server.userById$({ userId }).refresh()).not.toBeNull()
})
