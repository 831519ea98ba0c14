import { join } from 'node:path'
import { orThrow } from 'rxauth'
import { artifacts } from './example'
import {
  button,
  field,
  heading,
  kitElsewhere,
  link,
  loaded,
  lookEverywhere,
  newAccount,
  newEmail,
  phone,
  press,
  submit,
  visit,
  see,
} from './person'
import { context, page, running, useExample } from './stage'

useExample()

/** A page of the console: the part of its address after the #. */
const at = (path = '/') => `${running.platform}/#${path}`
const users = () => at(`/projects/${running.projectId}/users`)
const list = (name: string) => page.getByRole('list', { name, exact: true })

/** The project as an app loads it. */
const askForProject = () => fetch(`${running.platform}/api/v1/projects/current`, { headers: keys() })

const keys = () => ({
  'x-stack-access-type': 'client',
  'x-stack-project-id': running.projectId,
  'x-stack-publishable-client-key': running.publishableClientKey,
})

describe("the console at the platform's address", () => {
  it('shows the users without a sign-in form, and those that sign up elsewhere', async () => {
    await visit(page, running.platform, 'Users')
    await link(page, 'Ada Lovelace').waitFor()
    const { email } = await newAccount(running)
    await list('Users').getByRole('link', { name: email, exact: true }).waitFor()
  })

  it('shows a mail as it is sent, with its code and its link', async () => {
    await visit(page, at('/mailbox'), 'Mailbox')
    const { app, email } = await newAccount(running)
    const callbackUrl = new URL('/handler/email-verification', running.address).href
    const row = list('Mails').getByRole('link').filter({ hasText: email })
    await row.waitFor()
    const open = page.getByRole('region', { name: /verify/i })
    await see(open.getByText(email), page.frameLocator('iframe').getByRole('link').first())
    const way = open.getByRole('link', { name: 'Open /handler/email-verification' })
    expect(await way.getAttribute('href')).toContain(`${callbackUrl}?code=`)
    app.dispose()
  })

  it('shows the six characters of a sign-in mail to copy', async () => {
    const { app } = kitElsewhere(running)
    const email = newEmail()
    const callbackUrl = new URL('/handler/magic-link-callback', running.address).href
    orThrow(await app.sendMagicLinkEmail({ email, callbackUrl }))
    await page.goto(at('/mailbox'))
    await list('Mails').getByRole('link').filter({ hasText: email }).click()
    const open = page
      .getByRole('region')
      .filter({ hasText: email })
      .filter({ has: page.locator('iframe') })
    await open.getByRole('button', { name: /^Copy the code [A-Z0-9]{6}$/ }).waitFor()
    app.dispose()
  })

  it('logs requests, and injects faults', async () => {
    await page.goto(at('/faults'))
    await press(button(page, 'Switch on'), list('Faults').getByText('Every request'))
    expect((await askForProject()).status).toBe(500)
    await press(button(page, 'Switch off: Every request'), page.getByText('No fault is switched on.'))
    expect((await askForProject()).status).toBe(200)
    await field(page, 'What happens').selectOption({ label: 'No mail arrives: the mail server refuses connections' })
    expect(await field(page, 'Which requests').isDisabled()).toBe(true)
    await press(button(page, 'Switch on'), list('Faults').getByText('No mail arrives'))
    await press(button(page, 'Switch off: Mails'), page.getByText('No fault is switched on.'))

    await press(link(page, 'Requests'), heading(page, 'Requests').first())
    await page.getByRole('switch', { name: 'Failures only' }).click()
    await list('Requests').getByRole('link').filter({ hasText: 'by a fault' }).first().click()
    const sent = page.getByRole('region', { name: 'Sent headers' })
    await sent.getByText(`x-stack-project-id: ${running.projectId}`).waitFor()
  })

  it('opens the app as any user', async () => {
    await page.goto(users())
    await press(link(page, 'Grace Hopper'), heading(page, 'Grace Hopper'))
    const callbackUrl = new URL('/handler/magic-link-callback', running.address).href
    await submit(page, { 'Page of your app for sign-in links': callbackUrl }, 'Make a sign-in link')
    const way = link(page, 'Open the app as Grace Hopper')
    await way.waitFor()
    const [app] = await Promise.all([context.waitForEvent('page'), way.click()])
    await press(button(app, 'Continue'), heading(app, 'Welcome, Grace Hopper'))
  })

  it('moves the clock forward, and goes on by itself', async () => {
    await page.goto(at('/platform'))
    await press(button(page, 'Forward by 1 hour'), page.getByText(/, 1 hour ahead of this machine\.$/))
    // The access token of the console's session has expired.
    await page.goto(users())
    await see(page.getByText('The clock of the platform has been moved forward.'), link(page, 'Ada Lovelace'))
  })

  it('takes everything out as a file, and back', async () => {
    await page.goto(at('/platform'))
    const [download] = await Promise.all([page.waitForEvent('download'), link(page, 'Export').click()])
    const file = join(artifacts, 'console-export.json')
    await download.saveAs(file)
    const { email } = await newAccount(running)
    await page.goto(users())
    await link(page, email).waitFor()
    await page.goto(at('/platform'))
    await field(page, 'File to import').setInputFiles(file)
    await page.getByRole('dialog').getByRole('button', { name: 'Replace everything', exact: true }).click()
    // The page is loaded again, without the question.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(users())
    await link(page, 'Ada Lovelace').waitFor()
    expect(await link(page, email).count()).toBe(0)
  })

  it('is accessible and fits on each page, light and dark, wide and narrow', async () => {
    const { email } = await newAccount(running)
    await page.setViewportSize(phone)
    for (const [path, title] of pages) {
      await page.goto(at(path))
      await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor()
      if (path === '/mailbox') await page.getByText(email).first().waitFor()
      await loaded(page)
      await lookEverywhere(page, `console-${title.toLowerCase().replaceAll(' ', '-')}`)
    }
    await page.goto(users())
    await press(link(page, 'Ada Lovelace'), heading(page, 'Ada Lovelace'))
    await loaded(page)
    await lookEverywhere(page, 'console-user')
  })
})

const pages = [
  ['/projects', 'Your projects'],
  ['/mailbox', 'Mailbox'],
  ['/requests/1', 'Requests'],
  ['/faults', 'Faults'],
  ['/platform', 'Time and data'],
] as const
