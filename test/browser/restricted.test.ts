import { account, button, field, heading, look, newEmail, password } from './person'
import { at, context, page, running, useExample } from './stage'

useExample(['--wire=2026'])

async function signUp(): Promise<string> {
  const email = newEmail()
  await page.goto(at('/handler/sign-up'))
  await field(page, 'E-mail address').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Create account').click()
  await heading(page, 'Verify your e-mail address first').waitFor()
  return email
}

/** Opens the link of the newest mail in a tab of its own, and verifies the address there. */
async function verifyInAnotherTab(email: string): Promise<void> {
  const tab = await context.newPage()
  await tab.goto(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
  await tab.locator('article').first().getByRole('link').last().click()
  await button(tab, 'Verify e-mail address').click()
  await heading(tab, 'Your e-mail address is verified').waitFor()
}

describe('a person of whom the project demands a verified address', () => {
  it('is told so, and goes on by itself when the address is verified in another tab', async () => {
    const email = await signUp()
    await look(page, 'restricted')
    await button(page, 'Send it again').click()
    await page.getByRole('status').getByText('Another link is on its way.').waitFor()
    await verifyInAnotherTab(email)
    await heading(page, 'Welcome').waitFor()
    await account(page).waitFor()
  })

  it('is led to the verification from a page for signed-in people, and back when it is done', async () => {
    const email = await signUp()
    await page.goto(at('/handler/account-settings'))
    await heading(page, 'Verify your e-mail address first').waitFor()
    await verifyInAnotherTab(email)
    await heading(page, 'Profile').waitFor()
  })
})
