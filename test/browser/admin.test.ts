import { orThrow } from 'rxauth'
import { itInLong } from '../runs'
import { inProject, open, ownProject, server, signInOwner, useOwner } from './owner'
import {
  account,
  answered,
  button,
  confirm,
  field,
  fillSignUp,
  heading,
  kitElsewhere,
  link,
  loaded,
  look,
  lookEverywhere,
  newAccount,
  newcomer,
  newEmail,
  password,
  phone,
  signIn,
  problem,
  press,
  submit,
  visit,
  see,
} from './person'
import { at, context, page, running, useExample } from './stage'

useExample()
useOwner()

/** Opens the list of the owner's projects. */
const openProjects = () => open(at('/admin'), 'Your projects')

/** Finds a user of the example's own project by the address, and opens the page of the user. */
async function openUser(email: string, name = email): Promise<void> {
  await open(inProject('/users'), 'Users')
  await page.getByRole('searchbox', { name: 'Search' }).fill(email)
  await press(link(page, name), heading(page, name))
  // A press is lost when the sections above its button grow between down and up.
  await loaded(page)
}

const list = (name: string) => page.getByRole('list', { name, exact: true })

describe('the admin area', () => {
  it('is for signed-in owners, who come back to the page that they wanted', async () => {
    await visit(page, inProject('/users'), 'Sign in')
    expect(new URL(page.url()).pathname).toBe('/admin/handler/sign-in')
    await signIn(page, 'owner@example.com')
    await heading(page, 'Users').waitFor()
    expect(page.url()).toBe(inProject('/users'))
    await account(page, 'Account: Olivia Owner').click()
    await press(page.getByRole('menuitem', { name: 'Sign out' }), heading(page, 'Sign in'))
    expect(new URL(page.url()).pathname).toMatch(/^\/admin/)
  })

  it('has separate accounts: a user of the product is not signed in here', async () => {
    await newcomer(page, running, at('/admin'))
    await heading(page, 'Sign in').waitFor()
    await visit(page, at('/'), 'Welcome')
  })

  itInLong('signs in with a provider, and comes back to the area', async () => {
    await page.goto(at('/admin'))
    await button(page, 'Continue with GitHub').click()
    await page.getByRole('radio').last().check()
    await submit(page, { 'E-mail address': newEmail(), 'Name (optional)': 'Grace' }, 'Continue')
    await see(heading(page, 'Your projects'), account(page, 'Account: Grace'))
    expect(page.url()).toBe(at('/admin'))
  })

  itInLong('can be used with the keyboard alone', async () => {
    await openProjects()
    const { keyboard } = page
    const focused = (text: string) =>
      page.waitForFunction(expected => document.activeElement?.textContent === expected, text)
    await focused('Your projects')
    await keyboard.press('Tab')
    await focused('Create a project')
    await keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await keyboard.type('Keyboard')
    await keyboard.press('Enter')
    await heading(page, 'Overview').waitFor()
    await focused('Overview')
    await keyboard.press('Shift+Tab')
    await focused('Settings')
    await keyboard.press('Enter')
    await heading(page, 'Settings').waitFor()
    await focused('Settings')
  })

  itInLong('says when a project cannot be loaded, and shows it when asked again', async () => {
    let isBroken = true
    await page.route('**/internal/projects/current', route =>
      isBroken ? route.fulfill({ status: 200, body: '{"id"' }) : route.continue(),
    )
    await signInOwner()
    await page.goto(inProject('/users'))
    await problem(page, /\w/).waitFor()
    isBroken = false
    await press(button(page, 'Try again'), heading(page, 'Users'))
  })

  it('changes only the touched fields of a user', async () => {
    const email = newEmail()
    const { id: userId } = orThrow(await server.createUser({ primaryEmail: email, displayName: 'Jean' }))
    await openUser(email, 'Jean')
    await field(page, 'Server metadata').fill('{ "plan": ')
    await press(button(page, 'Save'), page.getByRole('alert').filter({ hasText: 'This is not JSON.' }))
    orThrow(await server.updateUserById({ userId, displayName: 'Jean Bartik' }))
    await heading(page, 'Jean Bartik').waitFor()
    await submit(page, { 'Server metadata': '{ "plan": "gold" }' }, 'Save', page.getByText('Saved.'))
    const user = await server.userById$({ userId }).refresh()
    expect(user).toMatchObject({ displayName: 'Jean Bartik', serverMetadata: { plan: 'gold' } })
  })

  it('shows nothing of a project to an owner of another one', async () => {
    await page.goto(at('/admin/handler/sign-up'))
    await fillSignUp(page, newEmail())
    await press(link(page, 'Continue'), page.getByText('You have no projects yet.'))
    await page.goto(inProject())
    await page.getByText('You do not have permission to see this.').waitFor()
    await look(page, 'admin-forbidden')
  })

  it('creates a project, renames it, and deletes it once its name is typed', async () => {
    await openProjects()
    await button(page, 'Create a project').click()
    await field(page, 'Name').fill('Web shop')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create project' }), heading(page, 'Overview'))
    await link(page, 'Settings').click()
    await submit(page, { Name: 'Book shop', Description: 'Sells books' }, 'Save', page.getByText('Saved.'))
    await visit(page, at('/admin'), 'Book shop')
    await page.getByRole('link', { name: 'Open Book shop' }).click()
    await link(page, 'Settings').click()
    await button(page, 'Delete project').click()
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete project for good' })
    expect(await sure.isEnabled()).toBe(false)
    await page.getByRole('dialog').getByLabel('Name of the project').fill('Book shop')
    await press(sure, heading(page, 'Your projects'))
    await heading(page, 'Book shop').waitFor({ state: 'detached' })
    await page.reload()
    await heading(page, 'rxauth example').waitFor()
    expect(await heading(page, 'Book shop').count()).toBe(0)
  })

  it('changes what the sign-in page of the product offers', async () => {
    const visitor = await context.newPage()
    await visitor.goto(at('/handler/sign-in'))
    await button(visitor, 'Continue with GitHub').waitFor()
    await open(inProject('/sign-in'), 'Sign-in methods')
    await answered(page, 'PATCH', '/internal/projects/current', () =>
      confirm(page, button(page, 'Remove GitHub'), 'Remove provider'),
    )
    await button(page, 'Remove GitHub').waitFor({ state: 'detached' })
    await visitor.reload()
    await button(visitor, 'Continue with Google').waitFor()
    expect(await button(visitor, 'Continue with GitHub').count()).toBe(0)

    await field(page, 'Another provider').selectOption('GitHub')
    await button(page, 'Add provider').click()
    await button(page, 'Configure GitHub').click()
    await page.getByRole('radio', { name: /^Own/ }).check()
    await press(button(page, 'Save provider'), page.getByRole('alert').filter({ hasText: 'Enter the client id.' }))
    await page.getByRole('radio', { name: /^Shared/ }).check()
    await button(page, 'Save provider').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.reload()
    await button(visitor, 'Continue with GitHub').waitFor()
  })

  it('shows a user who signs up elsewhere without being asked, and finds users', async () => {
    await open(inProject('/users'), 'Users')
    await list('Users').waitFor()
    const { email } = await newAccount(running)
    await link(page, email).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('grace@')
    await link(page, 'Grace Hopper').waitFor()
    await link(page, email).waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('no-such-user')
    await page.getByText('No user matches “no-such-user”.').waitFor()
  })

  itInLong('counts users on its first page, and names the latest ones', async () => {
    await open(inProject(), 'Overview')
    const users = page.getByRole('group', { name: 'Users', exact: true })
    await users.waitFor()
    const before = Number(await users.getByText(/^\d+$/).textContent())
    const { email } = await newAccount(running)
    await list('Recently registered').getByText(email).first().waitFor()
    await users.getByText(String(before + 1), { exact: true }).waitFor()
    const table = page.getByRole('table', { name: 'Sign-ups per day' })
    expect(await table.count()).toBe(0)
    await page.getByText('As a table').first().click()
    expect(await table.getByRole('row').count()).toBe(32)
  })

  itInLong('goes through many users page by page', async () => {
    for (let number = 1; number <= 21; number++)
      orThrow(await server.createUser({ displayName: `Pager ${number}`, primaryEmail: `pager-${number}@example.com` }))
    await open(inProject('/users'), 'Users')
    await link(page, 'Pager 21').waitFor()
    expect(await list('Users').getByRole('listitem').count()).toBe(20)
    expect(await link(page, 'Pager 1').count()).toBe(0)
    await press(button(page, 'Next page'), link(page, 'Pager 1'))
    await link(page, 'Ada Lovelace').waitFor()
    expect(await button(page, 'Next page').isEnabled()).toBe(false)
    await press(button(page, 'Previous page'), link(page, 'Pager 21'))
    await field(page, 'Order').selectOption('Oldest first')
    await link(page, 'Ada Lovelace').waitFor()
    expect(await link(page, 'Pager 21').count()).toBe(0)
  })

  it('creates a user, shown with the address', async () => {
    await open(inProject('/users'), 'Users')
    const email = newEmail()
    await button(page, 'Create a user').click()
    await field(page, 'E-mail address').fill(email)
    await field(page, 'Password').fill(password)
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create user' }), heading(page, email))
    await page.goto(inProject('/users'))
    await button(page, 'Create a user').click()
    await field(page, 'E-mail address').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('alert').filter({ hasText: 'An account with this e-mail address already exists.' }).waitFor()
    const { app } = kitElsewhere(running)
    orThrow(await app.signInWithPassword({ email, password }))
    app.dispose()
  })

  it('grants and revokes a permission, and ends a session of a user', async () => {
    const { email } = await newAccount(running)
    await open(inProject('/permissions'), 'Permissions')
    await button(page, 'Create a permission in the whole project').click()
    await submit(page, { Id: 'Billing!' }, 'Create permission')
    await page.getByRole('alert').filter({ hasText: 'Use lower-case letters' }).waitFor()
    await field(page, 'Id').fill('manage_billing')
    await answered(page, 'POST', '/project-permission-definitions', () => button(page, 'Create permission').click())
    await button(page, 'Edit manage_billing').waitFor()

    await openUser(email)
    await field(page, 'Another permission in the whole project').selectOption('manage_billing')
    await button(page, 'Grant in the whole project').click()
    await list('Permissions in the whole project').getByText('manage_billing').waitFor()
    await button(page, 'Revoke manage_billing in the whole project').click()
    await list('Permissions in the whole project').waitFor({ state: 'detached' })

    await confirm(page, page.getByRole('button', { name: /^Revoke the session since/ }), 'Revoke session')
    await page.getByText('The user has no sessions.').waitFor()
  })

  itInLong('shows permissions as a list and as a graph, and keeps what contains a renamed one', async () => {
    await open(inProject('/permissions', await ownProject('Permissions')), 'Permissions')
    await button(page, 'Create a permission in teams').click()
    await field(page, 'Id').fill('write')
    await field(page, 'team_member').check()
    await press(button(page, 'Create permission'), page.getByText(/ write contains team_member\./))
    await button(page, 'Edit write').click()
    await submit(page, { Id: 'edit' }, 'Save permission', page.getByText(/ edit contains team_member\./))
    await look(page, 'admin-permission-graph')
    await confirm(page, button(page, 'Delete edit'), 'Delete permission')
    await button(page, 'Delete edit').waitFor({ state: 'detached' })
  })

  itInLong('makes teams, with members and without', async () => {
    await open(inProject('/teams'), 'Teams')
    await button(page, 'Create a team').click()
    await field(page, 'Name').fill('Support')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create team' }), heading(page, 'Support'))
    await page.getByRole('searchbox', { name: 'Find a user to add' }).fill('grace@')
    await press(button(page, 'Add member'), link(page, 'Grace Hopper'))
    await confirm(page, button(page, 'Remove Grace Hopper'), 'Remove member')
    await page.getByText('The team has no members yet.').waitFor()
    await confirm(page, button(page, 'Delete team'), 'Delete team for good')
    await heading(page, 'Teams').waitFor()
    await link(page, 'Support').waitFor({ state: 'detached' })
  })

  it('shows new keys once, and revokes them', async () => {
    await open(inProject('/keys', await ownProject('Keys')), 'Project keys')
    await page.getByText('The project has no keys yet.').waitFor()
    await button(page, 'Create keys').click()
    await field(page, 'What they are for').fill('Web shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create keys' }).click()
    await page.getByText('They will not be shown again.').waitFor()
    const key = await field(page, 'Publishable client key').textContent()
    expect(key).toMatch(/^pck_\w{20,}$/)
    await button(page, 'Done').click()
    await list('Key sets')
      .getByText(`…${key!.slice(-4)}`)
      .waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await page.content()).includes(key!)).toBe(false)
    await confirm(page, button(page, 'Revoke Web shop'), 'Revoke keys')
    await list('Key sets').getByText('Revoked').waitFor()
  })

  itInLong('says a mail in other words, with the mail beside it, and takes them back', async () => {
    await open(inProject('/emails/magic_link', await ownProject('Letters')), 'Link to sign in')
    const preview = page.frameLocator('iframe')
    await preview.getByText('Letters').first().waitFor()
    await page.getByText('To edit this template, first set up your own mail server').waitFor()
    await link(page, 'All e-mails').click()
    await page.getByRole('radio', { name: 'Your own' }).check()
    await button(page, 'Save mail server').click()
    await page.getByRole('alert').filter({ hasText: 'This is required.' }).first().waitFor()
    for (const [label, value] of [
      ['Host', 'localhost'],
      ['User name', 'letters'],
      ['Password', 'a secret'],
      ['Sender', 'Letters'],
      ["Sender's address", 'letters@example.com'],
    ] as const)
      await field(page, label).fill(value)
    await button(page, 'Save mail server').click()
    await link(page, 'Link to sign in').click()
    await field(page, 'Subject').fill('Come in to {{ projectDisplayName }}')
    await page.getByText('Come in to Letters').waitFor()
    const heading = page.getByRole('textbox', { name: /^Heading|^Text/ }).first()
    await heading.fill('Dear {{ userDisplayName }} & friends')
    await preview.getByText('Dear Ada Lovelace & friends').waitFor()
    await answered(page, 'PATCH', '/email-templates/magic_link', () => button(page, 'Save template').click())
    await button(page, 'Reset').waitFor()
    await page.reload()
    await preview.getByText('Dear Ada Lovelace & friends').waitFor()
    await confirm(page, button(page, 'Reset'), 'Reset template')
    await button(page, 'Reset').waitFor({ state: 'detached' })
    expect(await field(page, 'Subject').inputValue()).not.toContain('Come in')
  })

  itInLong('lists what has been sent', async () => {
    const { email } = await newAccount(running)
    await open(inProject('/emails'), 'E-mails')
    await list('Sent mail').getByText(`To ${email}`).waitFor()
  })

  itInLong('checks the domains before production mode', async () => {
    await open(inProject('/domains', await ownProject('Domains')), 'Domains')
    await page.getByText('Redirects to localhost are allowed.').waitFor()
    expect(await page.getByRole('switch', { name: 'Production mode' }).isEnabled()).toBe(false)
    await submit(page, { Domain: 'shop.example.com' }, 'Add domain')
    await page.getByRole('alert').filter({ hasText: 'Enter a domain with its scheme' }).waitFor()
    await submit(page, { Domain: 'http://shop.example.com' }, 'Add domain')
    await page.getByText('"http://shop.example.com" does not use https.').waitFor()
    await confirm(page, button(page, 'Remove http://shop.example.com'), 'Remove domain')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await submit(page, { Domain: 'https://shop.example.com' }, 'Add domain')
    await button(page, 'Remove https://shop.example.com').waitFor()
    await answered(page, 'PATCH', '/internal/projects/current', () =>
      page.getByRole('switch', { name: /^Trust localhost/ }).click(),
    )
    await page.getByText('The project is ready for production mode.').waitFor()
    await answered(page, 'PATCH', '/internal/projects/current', () =>
      page.getByRole('switch', { name: 'Production mode' }).click(),
    )
    await page.goto(at('/admin'))
    await page.getByText('Production', { exact: true }).waitFor()
  })

  // Promise: impersonation, impersonation-end
  it('opens the product as a user, with a bar that ends it, and stays signed in as the owner itself', async () => {
    await openUser('grace@example.com', 'Grace Hopper')
    await button(page, 'Impersonate').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Impersonate' }).click()
    const [product] = await Promise.all([context.waitForEvent('page'), link(page, 'Open the product').click()])
    await heading(product, 'Welcome, Grace Hopper').waitFor()
    await product.reload()
    await product.getByText('You are acting as Grace Hopper.').waitFor()
    await press(button(product, 'Stop'), heading(product, 'Sign in'))
    await account(page, 'Account: Olivia Owner').waitFor()
  })

  itInLong('deletes a user after a question', async () => {
    const { email } = await newAccount(running)
    await openUser(email)
    await press(button(page, 'Delete user'), page.getByRole('dialog').getByText('This cannot be undone.'))
    await press(page.getByRole('dialog').getByRole('button', { name: 'Delete user for good' }), heading(page, 'Users'))
    await page.getByRole('searchbox', { name: 'Search' }).fill(email)
    await page.getByText(`No user matches “${email}”.`).waitFor()
  })

  it('is accessible and fits on each page, light and dark, wide and narrow', async () => {
    await page.setViewportSize(phone)
    const lookAt = async (name: string) => {
      await loaded(page)
      await lookEverywhere(page, `admin-${name}`)
    }
    await openProjects()
    await lookAt('projects')
    for (const [path, title] of pages) {
      await open(inProject(path), title)
      await lookAt(title.toLowerCase().replaceAll(' ', '-'))
    }
    await openUser('ada@example.com', 'Ada Lovelace')
    await lookAt('user')
    await page.goto(inProject('/teams'))
    await press(link(page, 'Analytical Engines'), heading(page, 'Analytical Engines'))
    await lookAt('team')
    await visit(page, at('/admin/handler/account-settings'), 'Profile')
    await lookAt('account-settings')
  })
})

const pages = [
  ['', 'Overview'],
  ['/users', 'Users'],
  ['/teams', 'Teams'],
  ['/permissions', 'Permissions'],
  ['/sign-in', 'Sign-in methods'],
  ['/domains', 'Domains'],
  ['/keys', 'Project keys'],
  ['/emails', 'E-mails'],
  ['/emails/magic_link', 'Link to sign in'],
  ['/settings', 'Settings'],
] as const
