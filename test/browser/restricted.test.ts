import { mkdir } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium'
import { artifacts, startExample } from './example'
import type { Running } from './example'
import { account, button, field, heading, look, newEmail, newPerson, password } from './person'

let running: Running
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  running = await startExample('--wire=2026')
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await running.stop()
})

beforeEach(async () => {
  context = await newPerson(browser)
  page = await context.newPage()
})

afterEach(() => context.close())

const at = (path: string) => new URL(path, running.address).href

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
