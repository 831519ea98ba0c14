import { itInLong } from '../runs'
import { inProject, open, server, useOwner } from './owner'
import { promptCliLogin, userFromToken } from 'rxauth'
import {
  account,
  button,
  answered,
  confirm,
  field,
  fillSignUp,
  heading,
  kitElsewhere,
  link,
  look,
  newEmail,
  signIn,
  press,
  submit,
  visit,
  see,
} from './person'
import { at, context, otherPerson, page, running, useExample } from './stage'

useExample({ options: ['--wire=2026'] })
useOwner()

async function signUp(): Promise<string> {
  const email = newEmail()
  await page.goto(at('/handler/sign-up'))
  await fillSignUp(page, email)
  await heading(page, 'Verify your e-mail address first').waitFor()
  return email
}

/** Opens the link of the newest mail in a tab of its own, and verifies the address there. */
async function verifyInAnotherTab(email: string): Promise<void> {
  const tab = await context.newPage()
  await tab.goto(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
  await tab.locator('article').first().getByRole('link').last().click()
  await press(button(tab, 'Verify e-mail address'), heading(tab, 'Your e-mail address is verified'))
}

describe('a person of whom the project demands a verified address', () => {
  it('is told so, and goes on by itself when the address is verified in another tab', async () => {
    const email = await signUp()
    await look(page, 'restricted')
    await press(button(page, 'Send again'), page.getByRole('status').getByText('We sent another link.'))
    await verifyInAnotherTab(email)
    await see(heading(page, 'Welcome'), account(page))
  })

  itInLong('goes on by itself when the address is verified on another device', async () => {
    const email = await signUp()
    const phone = await otherPerson()
    await phone.goto(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
    await phone.locator('article').first().getByRole('link').last().click()
    await press(button(phone, 'Verify e-mail address'), heading(phone, 'Your e-mail address is verified'))
    await heading(page, 'Welcome').waitFor()
  })

  itInLong('gives another address, to which the next mail goes', async () => {
    await signUp()
    await button(page, 'Use another address').click()
    await submit(page, { 'Another e-mail address': 'ada' }, 'Use this one', page.getByText('Enter an e-mail address'))
    const other = newEmail()
    await field(page, 'Another e-mail address').fill(other)
    await look(page, 'restricted-other-address')
    await press(button(page, 'Use this one'), page.getByText(`Open the link in the mail to ${other}`))
    await verifyInAnotherTab(other)
    await heading(page, 'Welcome').waitFor()
  })

  itInLong('is led to the verification from a page for signed-in people, and back when it is done', async () => {
    const email = await signUp()
    await visit(page, at('/handler/account-settings'), 'Verify your e-mail address first')
    await verifyInAnotherTab(email)
    await heading(page, 'Profile').waitFor()
  })
})

describe('a user whom an administrator restricts', () => {
  it('is shown so to owners, told so in the app, and let in again when that ends', async () => {
    const { id: userId } = (await server.users$({ query: 'grace@example.com' }).get()).items[0]!
    await open(inProject(`/users/${userId}`), 'Grace Hopper')
    await field(page, 'Reason').fill('Too many invitations')
    await field(page, 'Private note').fill('ticket 17')
    await confirm(page, button(page, 'Restrict user'), 'Restrict')
    await page.getByText('Reason: Too many invitations').waitFor()
    await look(page, 'admin-restricted')
    await link(page, 'All users').click()
    await page.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).getByText('Restricted').waitFor()

    const theirs = await otherPerson()
    await theirs.goto(at('/'))
    await signIn(theirs, 'grace@example.com')
    await see(heading(theirs, 'Your account is restricted'), theirs.getByText('Too many invitations'))
    await look(theirs, 'restricted-by-admin')
    await answered(theirs, 'GET', '/users/me', () => button(theirs, 'Look again').click())
    await theirs.getByText('Too many invitations').waitFor()

    await server.updateUserById({
      userId,
      countryCode: 'DE',
      riskScores: { signUp: { bot: 80, freeTrialAbuse: 5 } },
    })
    await field(page, 'Show').selectOption('guests')
    await link(page, 'Grace Hopper').waitFor({ state: 'detached' })
    await field(page, 'Show').selectOption('accounts')
    await press(link(page, 'Grace Hopper'), page.getByText('Risk of the sign-up: bot 80 %, abuse of free trials 5 %'))
    await look(page, 'admin-risk')
    await press(button(page, 'End the restriction'), button(page, 'Restrict user'))
    expect((await server.userById$({ userId }).refresh())?.restrictedByAdmin).toBe(false)
    // Its page is told, and looks again by itself.
    await heading(theirs, /^Welcome/).waitFor()
  })
})

describe('a program that was used without an account', () => {
  it('keeps what was done there, when its user signs up on the page of its address', async () => {
    const { app } = kitElsewhere(running)
    await app.signUpAnonymously()
    const id = (await userFromToken(app))?.id
    let show: (url: string) => void = () => undefined
    const shown = new Promise<string>(resolve => (show = resolve))
    const login = promptCliLogin(app, { appUrl: running.address.replace(/\/$/, ''), waitMillis: 50, promptLink: show })
    await visit(page, await shown, 'Keep what you did in the program?')
    await look(page, 'cli-claim')
    expect(await button(page, 'Create an account').isDisabled()).toBe(true)
    expect(await page.getByLabel('End of the address').textContent()).toBe((await shown).slice(-6))
    await page.getByLabel('The address in my terminal ends with the same characters').check()
    await button(page, 'Create an account').click()
    const email = newEmail()
    await fillSignUp(page, email)
    await heading(page, 'Verify your e-mail address first').waitFor()
    await verifyInAnotherTab(email)
    await heading(page, 'Sign in to a program?').waitFor()
    await press(button(page, 'Sign in'), heading(page, 'The program is signed in'))
    expect((await login).ok).toBe(true)
    expect(await app.user$.get()).toMatchObject({ id, primaryEmail: email })
    app.dispose()
  })
})
