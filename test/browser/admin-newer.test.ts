import { createAdminApp, type AdminApp } from 'rxauth/admin'
import { emailOutbox$ } from 'rxauth/server'
import { runs } from '../runs'
import { inProject, open, owner, server, useOwner } from './owner'
import {
  answered,
  button,
  confirm,
  field,
  link,
  loaded,
  lookEverywhere,
  newEmail,
  problem,
  press,
  submit,
  see,
} from './person'
import { page, running, useExample } from './stage'

useExample({ options: ['--wire=2026'] })
useOwner()

let admin: AdminApp
beforeAll(async () => {
  admin = createAdminApp({ owner, projectId: running.projectId })
  await admin.updateProject({
    config: {
      emailConfig: {
        type: 'standard',
        host: 'smtp.example.com',
        port: 587,
        username: 'letters',
        password: 'a secret',
        senderName: 'Letters',
        senderEmail: 'letters@example.com',
      },
    },
  })
})
afterAll(() => admin.dispose())

const region = (name: string) => page.getByRole('region', { name, exact: true })
const row = (list: string, text: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text })
/** Another one in each attempt of a test. */
let names = 0
const newName = (name: string) => `${name} ${++names}`
const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000)

/** Creates an entry in a section of the page of e-mails. */
async function create(section: string, name: string): Promise<void> {
  await field(page, `Name of a new entry in ${section}`).fill(name)
  await press(region(section).getByRole('button', { name: 'Create', exact: true }), row(section, name))
}

/** Asks the rules about a sign-up with the address, and waits for the outcome. */
async function tryRules(email: string, outcome: string): Promise<void> {
  await submit(page, { 'E-mail address': email }, 'Try')
  await region('Try the rules').getByRole('status').getByText(outcome, { exact: true }).waitFor()
}

describe('the e-mails of a project on a release of 2026', () => {
  it.each<[section: string, imports: string, component: string, markup: string]>([
    [
      'Templates',
      `import { Text } from '@react-email/components'
import { NotificationCategory, Subject } from '@stackframe/emails'
`,
      'EmailTemplate({ variables })',
      '<Text><Subject value="Bill" /><NotificationCategory value="Marketing" />Dear {variables.name}</Text>',
    ],
    ...runs<[string, string, string, string][]>(
      [],
      [
        [
          'Themes',
          "import { Body, Html } from '@react-email/components'\n",
          'EmailTheme({ children })',
          '<Html><Body>{children}</Body></Html>',
        ],
      ],
    ),
  ])(
    'have %s that are created, changed, refused with a reason, and deleted',
    async (section, imports, component, markup) => {
      await open(inProject('/emails'), 'E-mails')
      const name = newName('Invoice')
      await create(section, name)
      await button(page, `Edit ${name}`).click()
      await field(page, `Source of ${name}`).fill('export const nothing = 0')
      await button(page, 'Save').click()
      await problem(page, 'The e-mail cannot be shown: ')
        .getByText(/the source exports no function Email/)
        .waitFor()
      await field(page, `Source of ${name}`).fill(`${imports}\nexport function ${component} { return ${markup} }`)
      // The form for a new one says it too.
      await press(button(page, 'Save'), page.getByRole('form', { name }).getByText('Saved.'))
      expect(await problem(page, 'The e-mail cannot be shown').count()).toBe(0)

      await button(page, `Edit ${name}`).click()
      await button(page, `Edit ${name}`).click()
      expect(await field(page, `Source of ${name}`).inputValue()).toContain(markup)
      await confirm(page, button(page, `Delete ${name}`), 'Delete')
      await button(page, `Edit ${name}`).waitFor({ state: 'detached' })
      await page.reload()
      await region(section).waitFor()
      await loaded(page)
      expect(await button(page, `Edit ${name}`).count()).toBe(0)
    },
  )

  it('show a draft that is sent, and a mail that waits for its time until it is cancelled', async () => {
    await open(inProject('/emails'), 'E-mails')
    const news = newName('News')
    await create('Drafts', news)
    await confirm(page, button(page, `Send ${news}`), 'Send')
    await row('Drafts', news).getByText('Sent', { exact: true }).waitFor()
    await row('Outbox', 'A new mail').filter({ hasText: 'sent' }).first().waitFor()

    const [email, subject] = [newEmail(), newName('Reminder')]
    await server.sendEmail({ emails: [email], html: '<p>Soon</p>', subject, scheduledAt: tomorrow() })
    const reminder = row('Outbox', subject)
    await see(reminder.getByText(`To ${email}`), reminder.getByText('scheduled', { exact: true }))
    await button(page, `Pause: ${subject}`).click()
    // A paused mail is shown as one that is not rendered, without its subject.
    const paused = row('Outbox', `Mail to ${email}`)
    await paused.getByText('paused', { exact: true }).waitFor()
    await paused.getByRole('button', { name: `Cancel: Mail to ${email}` }).click()
    await reminder.getByText('skipped', { exact: true }).waitFor()
    expect(await reminder.getByRole('button').count()).toBe(0)
    const { items } = await emailOutbox$(server, { limit: 1 }).refresh()
    expect(items).toMatchObject([{ subject, status: 'skipped' }])
  })
})

describe('the configuration of a project on a release of 2026', () => {
  it('follows the sign-in methods, and its rules decide only while they are on', async () => {
    await open(inProject('/configuration'), 'Configuration')
    const whole = region('Rendered configuration')
    await whole.getByText(/"passkey": \{\s*"allowSignIn": true/).waitFor()
    await link(page, 'Sign-in methods').click()
    const turnPasskeys = () =>
      answered(page, 'PATCH', '/internal/projects/current', () =>
        page.getByRole('switch', { name: 'Passkeys' }).click(),
      )
    await turnPasskeys()
    await link(page, 'Configuration').click()
    await whole.getByText(/"passkey": \{\s*"allowSignIn": false/).waitFor()
    await link(page, 'Sign-in methods').click()
    await turnPasskeys()
    await link(page, 'Configuration').click()
    await whole.getByText(/"passkey": \{\s*"allowSignIn": true/).waitFor()

    const rejected = 'The sign-up would be rejected, by the rule Throw-away addresses.'
    await tryRules('ada@yopmail.com', rejected)
    const rule = page.getByRole('switch', { name: 'Throw-away addresses is on' })
    await rule.press('Space')
    await whole.getByText(/"throwaway": \{[^}]*"enabled": false/).waitFor()
    await tryRules('ada@yopmail.com', 'The sign-up would be allowed, by default.')
    await rule.press('Space')
    await whole.getByText(/"throwaway": \{[^}]*"enabled": true/).waitFor()
    await tryRules('ada@yopmail.com', rejected)
    await tryRules('ada@example.com', 'The sign-up would be allowed, by default.')
  })
})

describe('the pages that a project has on a release of 2026', () => {
  it('are accessible and fit, with mails in each state and with a restricted user', async () => {
    for (const name of ['server-error', 'bounced', 'opened'])
      await server.sendEmail({ emails: [`${name}@outcome.test`], html: '<p>Hello</p>', subject: `It ends ${name}` })
    await server.sendEmail({ emails: [newEmail()], html: '<p>Soon</p>', subject: 'Later', scheduledAt: tomorrow() })
    await open(inProject('/emails'), 'E-mails')
    const receipt = newName('Receipt')
    await create('Templates', receipt)
    await button(page, `Edit ${receipt}`).click()
    await field(page, `Source of ${receipt}`).fill('nothing')
    await press(button(page, 'Save'), problem(page, 'The e-mail cannot be shown: '))
    await row('Sent mail', 'It ends server-error').getByText('Not sent').first().waitFor()
    await row('Outbox', 'Later').getByText('scheduled').first().waitFor()
    await loaded(page)
    await lookEverywhere(page, 'admin-newer-emails')

    await open(inProject('/configuration'), 'Configuration')
    await tryRules('ada@yopmail.com', 'The sign-up would be rejected, by the rule Throw-away addresses.')
    await loaded(page)
    await lookEverywhere(page, 'admin-newer-configuration')

    const { id: userId } = (await server.users$({ query: 'grace@example.com' }).get()).items[0]!
    await server.updateUserById({ userId, restrictedByAdmin: true })
    await open(inProject('/users'), 'Users')
    await row('Users', 'Grace Hopper').getByText('Restricted').waitFor()
    await loaded(page)
    await lookEverywhere(page, 'admin-newer-users')
  })
})
