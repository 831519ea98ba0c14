import { createOwnedProject, memoryTokens, orThrow } from 'rxauth'
import { itInLong } from '../runs'
import { inProject, open, owner, ownersApp, ownProject, server, useOwner } from './owner'
import {
  answered,
  button,
  confirm,
  field,
  heading,
  link,
  newAccount,
  newEmail,
  password,
  problem,
  press,
  submit,
  visit,
  see,
} from './person'
import { at, page, running, useExample } from './stage'

useExample()
useOwner()

const region = (name: string) => page.getByRole('region', { name, exact: true })
const rows = (list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem')
const dialog = () => page.getByRole('dialog')

describe('what happens in a project', () => {
  it('is shown when it happens, by a page that asks for nothing by itself', async () => {
    // The page's timer for reloads never ends.
    await page.addInitScript(() => {
      const { setTimeout } = globalThis
      globalThis.setTimeout = ((run: () => void, millis?: number) =>
        millis === 5000 ? 0 : setTimeout(run, millis)) as typeof setTimeout
    })
    const listening = page.waitForResponse(response => response.url().includes('/api/project-events/'))
    await open(inProject('/users'), 'Users')
    expect((await listening).status()).toBe(200)
    await link(page, 'Ada Lovelace').waitFor()
    const { email, app } = await newAccount(running)
    await link(page, email).waitFor()
    await app.updateUser({ displayName: 'Jean Bartik' })
    await link(page, 'Jean Bartik').waitFor()
    app.dispose()
  })

  it.each([
    ['without a session', false, 403],
    ['for an owner of another project', true, 403],
  ])('is refused %s', async (_, isSignedIn, status) => {
    const other = ownersApp({ tokens: memoryTokens() })
    const verificationCallbackUrl = at('/admin/handler/email-verification')
    orThrow(await other.signUpWithPassword({ email: newEmail(), password, verificationCallbackUrl }))
    await createOwnedProject(other, { displayName: 'Other' })
    const headers = isSignedIn ? await other.authHeaders() : {}
    const path = at(`/api/project-events/${running.projectId}`)
    expect((await fetch(path, { headers })).status).toBe(status)
    const mine = new AbortController()
    const answer = await fetch(path, { headers: await owner.authHeaders(), signal: mine.signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    mine.abort()
    other.dispose()
  })
})

describe('a user in the admin area', () => {
  itInLong('has impersonations among the sessions, marked as such, until they are ended', async () => {
    const { id } = orThrow(await server.createUser({ displayName: 'Betty Holberton', primaryEmail: newEmail() }))
    await open(inProject(`/users/${id}`), 'Betty Holberton')
    await page.getByText('The user has no sessions.').waitFor()
    await button(page, 'Impersonate').click()
    await dialog().getByRole('button', { name: 'Impersonate' }).click()
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    await rows('Sessions').getByText('Impersonation', { exact: true }).waitFor()
    await confirm(page, rows('Sessions').getByRole('button', { name: /^End the impersonation/ }), 'End impersonation')
    await page.getByText('The user has no sessions.').waitFor()
  })

  itInLong('has API keys, which can be revoked; and so has a team', async () => {
    const { app } = await newAccount(running)
    const user = await app.user$.get()
    const team = await app.createTeam({ displayName: 'Compilers' })
    const own = await app.createUserApiKey({ description: 'my laptop' })
    const shared = await app.createTeamApiKey({ teamId: team.id, description: 'build server' })
    await open(inProject(`/users/${user!.id}`), user!.primaryEmail!)
    await confirm(page, button(page, 'Revoke my laptop'), 'Revoke key')
    await rows('API keys').getByText('Revoked', { exact: true }).waitFor()
    expect(await server.checkUserApiKey({ apiKey: own.value })).toBeNull()

    await page.goto(inProject(`/teams/${team.id}`))
    await confirm(page, button(page, 'Revoke build server'), 'Revoke key')
    await rows('API keys').getByText('Revoked', { exact: true }).waitFor()
    expect(await server.checkTeamApiKey({ apiKey: shared.value })).toBeNull()
    app.dispose()
  })

  itInLong('is invited by e-mail, to a page of a website that the project trusts', async () => {
    await open(inProject('/users'), 'Users')
    const email = newEmail()
    const invite = region('Invite by e-mail')
    await field(page, 'Address to invite').fill(email)
    await field(page, 'Sign-in page').fill('https://elsewhere.example.com/')
    await invite.getByRole('button', { name: 'Send invitation' }).click()
    await invite.getByText('The project does not trust this website.').waitFor()
    await field(page, 'Sign-in page').fill(at('/handler/sign-in'))
    await invite.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(`An invitation has been sent to ${email}.`).waitFor()
    const mailbox = await fetch(`${running.platform}/mailbox?address=${encodeURIComponent(email)}`)
    expect(await mailbox.text()).toContain(`href="${at('/handler/sign-in')}"`)
  })
})

describe('a project in the admin area', () => {
  itInLong("grants the owner's default permissions", async () => {
    const id = await ownProject('Defaults')
    await open(inProject('/permissions', id), 'Permissions')
    await field(page, 'Another permission for new members').selectOption('$update_team')
    await answered(page, 'PATCH', '/internal/projects/current', () => button(page, 'Add for new members').click())
    await rows('Granted to new members').getByText('$update_team').waitFor()
    await answered(page, 'PATCH', '/internal/projects/current', () =>
      button(page, 'Remove team_member for new members').click(),
    )
    await rows('Granted to new members').getByText('team_member').waitFor({ state: 'detached' })
    await page.reload()
    await rows('Granted to new members').getByText('$update_team').waitFor()
    expect(await rows('Granted to new members').count()).toBe(1)
  })

  it('keeps switched settings, and undoes those that the platform refuses', async () => {
    const id = await ownProject('Switches')
    await open(inProject('/settings', id), 'Settings')
    const mayCreate = page.getByRole('switch', { name: 'Create teams' })
    const mayDelete = page.getByRole('switch', { name: 'Delete their own account' })
    await answered(page, 'PATCH', '/internal/projects/current', () => mayCreate.click())
    await page.reload()
    await mayCreate.and(page.locator(':checked')).waitFor()
    await page.route('**/internal/projects/current', route =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 400, body: 'no' }) : route.continue(),
    )
    await press(mayDelete, problem(page, /\w/))
    await mayDelete.and(page.locator(':not(:checked)')).waitFor()
  })

  itInLong('tests a mail server before it is used, and shows its error message', async () => {
    const id = await ownProject('Letters')
    await open(inProject('/emails', id), 'E-mails')
    await field(page, 'Your own').check()
    const values = {
      Host: 'mail.example.com',
      'User name': 'shop',
      Password: 'a mail password',
      Sender: 'Shop',
      "Sender's address": 'shop@example.com',
    }
    for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
    await submit(page, { Port: '2500', 'Address for a test mail': 'someone@example.com' }, 'Send a test mail')
    await page.getByText('There is no mail server at mail.example.com, port 2500.').waitFor()
    await submit(page, { Host: 'localhost' }, 'Send a test mail', page.getByText('The test mail has been sent.'))
    await rows('Sent mail').getByText('Sent', { exact: true }).waitFor()
    await rows('Sent mail').getByText('Not sent', { exact: true }).waitFor()
  })

  itInLong('has a token for the portal of its webhooks, which is shown once', async () => {
    await open(inProject('/settings'), 'Settings')
    const token = page.getByLabel('Portal token', { exact: true })
    await press(button(page, 'Create a portal token'), token)
    expect((await token.textContent())!.length).toBeGreaterThan(10)
    await page.reload()
    await button(page, 'Create a portal token').waitFor()
    expect(await token.count()).toBe(0)
  })

  it('shows a name that is changed elsewhere, and keeps one that is being typed', async () => {
    const { id } = orThrow(await server.createUser({ displayName: 'Kay', primaryEmail: newEmail() }))
    const team = await server.createTeamById({ displayName: 'Optimists' })
    const teamId = orThrow(team).id
    await open(inProject(`/teams/${teamId}`), 'Optimists')
    const name = page.getByRole('textbox', { name: 'Name of the team' })
    orThrow(await server.updateTeamById({ teamId, displayName: 'Realists' }))
    await heading(page, 'Realists').waitFor()
    expect(await name.inputValue()).toBe('Realists')
    await name.fill('Pessimists')
    orThrow(await server.updateTeamById({ teamId, displayName: 'Stoics' }))
    await heading(page, 'Stoics').waitFor()
    expect(await name.inputValue()).toBe('Pessimists')

    await visit(page, inProject(`/users/${id}`), 'Kay')
    orThrow(await server.updateUserById({ userId: id, displayName: 'Kay McNulty' }))
    await heading(page, 'Kay McNulty').waitFor()
    await page.getByLabel('Name', { exact: true }).and(page.locator('[value="Kay McNulty"]')).waitFor()
  })
})

it('the sign-in page of the admin area says where it leads, and has no way in without an account', async () => {
  await page.goto(at('/handler/sign-in'))
  await button(page, 'Continue as a guest').waitFor()
  await page.goto(at('/admin'))
  await see(page.getByText('To the admin area, where you run your projects.'), button(page, 'Continue'))
  expect(await button(page, 'Continue as a guest').count()).toBe(0)
})
