import type { Page } from 'playwright-core'
import { orThrow } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { itInLong, runs } from '../runs'
import { linkOf } from './mailbox'
import {
  account,
  answered,
  button,
  confirm,
  field,
  fillSignUp,
  heading,
  link,
  loaded,
  look,
  lookEverywhere,
  newAccount,
  newcomer,
  newEmail,
  passFiveSeconds,
  phone,
  problem,
  signIn,
  told,
  typeDigits,
  press,
  submit,
  visit,
  see,
} from './person'
import { at, context, hasBackend, hold, itInExample, otherPerson, page, running, useExample } from './stage'

useExample()

const item = (on: Page, name: string) => on.getByRole('menuitem', { name, exact: true })
const row = (on: Page, text: string | RegExp) => on.getByRole('listitem').filter({ hasText: text })
const textbox = (on: Page, name: string) => on.getByRole('textbox', { name, exact: true })
const switcher = (on: Page, name: string | RegExp = /^(Team: |No team$)/) =>
  on.getByRole('banner').getByRole('button', { name, exact: true })

async function createTeam(on: Page, name: string): Promise<void> {
  await switcher(on).click()
  await item(on, 'Create a team').click()
  await submit(on, { 'Team name': name }, 'Create team', switcher(on, `Team: ${name}`), heading(on, 'Members'))
}

async function invite(on: Page, email: string): Promise<void> {
  await on.goto(at('/handler/team'))
  await submit(on, { 'E-mail address to invite': email }, 'Send invitation', row(on, email))
}

/** A user with a team, which is open. */
async function admin(on: Page, displayName = 'Ops') {
  const { email, app } = await newcomer(on, running)
  const { id: teamId } = await app.createTeam({ displayName })
  await app.selectTeam({ teamId })
  await visit(on, at('/handler/team'), 'Members')
  const callbackUrl = at('/handler/team-invitation')
  const inviteTo = async (invited: string) => {
    await app.sendTeamInvitation({ teamId, email: invited, callbackUrl })
    return linkOf(invited)
  }
  return { email, app, inviteTo }
}

/** The network returns, and stores with subscribers load again if they are older than five seconds, which pass first. */
async function refresh(on: Page): Promise<void> {
  await passFiveSeconds(on)
  await on.context().setOffline(true)
  await on.getByText('You are offline.').waitFor()
  await on.context().setOffline(false)
  await on.getByText('You are offline.').waitFor({ state: 'detached' })
}

/** An admin with a team, and a user who has joined it; both have it open. */
async function twoInTeam() {
  const theirs = await otherPerson()
  const { email: member, app } = await newcomer(theirs, running)
  const { email: owner, inviteTo } = await admin(page)
  const code = new URL(await inviteTo(member)).searchParams.get('code')!
  orThrow(await app.acceptTeamInvitation({ code }))
  const [team] = await app.teams$.get()
  await app.selectTeam({ teamId: team!.id })
  await page.reload()
  await row(page, 'Without a name').waitFor()
  await theirs.goto(at('/handler/team'))
  await row(theirs, member).waitFor()
  return { owner, member, theirs, inviteTo }
}

describe('a team', () => {
  it('is created, switched to, renamed before the answer comes, left, and deleted after a question', async () => {
    await newcomer(page, running, at('/handler/team'))
    await page.getByText('You are not in a team yet.').waitFor()
    await look(page, 'teams-empty')
    await createTeam(page, 'Ops')
    await createTeam(page, 'Research')
    await switcher(page).click()
    await press(item(page, 'Ops'), switcher(page, 'Team: Ops'))

    await link(page, 'Team profile').click()
    await textbox(page, 'Team name').fill(' ')
    await page.getByRole('form', { name: 'Team name' }).getByRole('button', { name: 'Save' }).click()
    await problem(page, 'A team needs a name.').waitFor()
    const release = await hold('PATCH', '/teams/*')
    await textbox(page, 'Team name').fill('Operations')
    await page.getByRole('form', { name: 'Team name' }).getByRole('button', { name: 'Save' }).click()
    await see(switcher(page, 'Team: Operations'), page.getByText('Saving…'))
    release()
    await page.getByText('Saved.').waitFor()

    await link(page, 'Leave or delete').click()
    await press(button(page, 'Delete team'), page.getByRole('dialog').getByText('Operations, its members'))
    await look(page, 'team-delete')
    await button(page, 'Cancel').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await confirm(page, button(page, 'Delete team'), 'Delete team for good')
    await see(told(page, 'Operations has been deleted.'), heading(page, 'Teams'))
    await answered(page, 'PATCH', '/users/me', () => button(page, 'Open Research').click())
    await switcher(page, 'Team: Research').waitFor()
    await page.goto(at('/handler/team/danger-zone'))
    await confirm(page, button(page, 'Leave team'), 'Leave team')
    await see(told(page, 'You have left Research.'), page.getByText('You are not in a team yet.'))
  })

  it('has a name and a picture of each member of its own, with those of the account until then', async () => {
    const { member, theirs } = await twoInTeam()
    await theirs.goto(at('/handler/account-settings'))
    await theirs.getByRole('textbox', { name: 'Display name' }).fill('Grace')
    await press(button(theirs, 'Save'), theirs.getByText('Saved.'))
    await theirs.goto(at('/handler/team/profile'))
    expect(await textbox(theirs, 'Your name in this team').inputValue()).toBe('Grace')
    await textbox(theirs, 'Your name in this team').fill('Admiral Hopper')
    await press(button(theirs, 'Save'), theirs.getByText('Saved.'))
    await account(theirs, 'Account: Grace').waitFor()
    const png = await theirs.evaluate(() => document.createElement('canvas').toDataURL('image/png').split(',')[1]!)
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
    await answered(theirs, 'PATCH', '/me', () => theirs.locator('input[type=file]').setInputFiles(picture))
    await theirs.getByAltText('Your picture in this team').waitFor()
    await look(theirs, 'team-own-profile')
    await page.goto(at('/handler/team'))
    await row(page, 'Admiral Hopper').waitFor()
    expect(await row(page, 'Admiral Hopper').locator('img').count()).toBe(1)
    expect(await row(page, member).count()).toBe(0)
  })
})

describe('an invitation', () => {
  it('leads a new user through the sign-up into the team, and both see each other', async () => {
    const { email: owner } = await newcomer(page, running, running.address)
    await createTeam(page, 'Ops')
    await page.getByText('There are no open invitations.').waitFor()
    const invited = newEmail()
    await submit(page, { 'E-mail address to invite': 'nonsense' }, 'Send invitation')
    await problem(page, 'Enter an e-mail address').waitFor()
    await invite(page, invited)
    await look(page, 'team-invited')

    const theirs = await otherPerson()
    await theirs.goto(await linkOf(invited))
    await theirs.getByText('You are invited to a team.').waitFor()
    await look(theirs, 'team-invitation-signed-out')
    await button(theirs, 'Create an account').click()
    await fillSignUp(theirs, invited)
    await see(heading(theirs, 'Join Ops'), theirs.getByText(`You join as ${invited}.`))
    await look(theirs, 'team-invitation')
    await press(button(theirs, 'Join the team'), told(theirs, 'You are now in the team Ops.'))
    await see(switcher(theirs, 'Team: Ops'), row(theirs, invited).getByText('You'))
    if (hasBackend) {
      await row(theirs, invited).getByText('Member', { exact: true }).waitFor()
      await row(theirs, 'Without a name').getByText('Admin', { exact: true }).waitFor()
    }

    await refresh(page)
    await row(page, 'Without a name').waitFor()
    if (hasBackend) {
      await row(page, 'Without a name').getByText('Member', { exact: true }).waitFor()
      await row(page, owner).getByText('Admin', { exact: true }).waitFor()
    }
    await page.getByText('There are no open invitations.').waitFor()
    await look(page, 'team-members')
  })

  it('waits while its reader signs in, with a password and a second factor', async () => {
    const { email, app } = await newAccount(running)
    const { secret } = await app.startTotpEnrolment()
    const enrol = async () => app.enableTotp({ secret, totp: await totpCode(secret, Date.now()) })
    // The first code may have expired before it arrives.
    if (!(await enrol()).ok) orThrow(await enrol())

    const { inviteTo } = await admin(page)
    const theirs = await otherPerson()
    await theirs.goto(await inviteTo(email))
    await button(theirs, 'Sign in').click()
    await signIn(theirs, email)
    await heading(theirs, 'Two-step verification').waitFor()
    await typeDigits(theirs, 'Code', secret, '/auth/mfa/sign-in')
    await heading(theirs, 'Join Ops').waitFor()
    await press(button(theirs, 'Join the team'), switcher(theirs, 'Team: Ops'))
  })

  itInLong('waits while its reader signs in at a provider, or by a link in another mail', async () => {
    const { inviteTo } = await admin(page)
    const invited = newEmail()
    const url = await inviteTo(invited)
    const theirs = await otherPerson()
    await theirs.goto(url)
    await button(theirs, 'Sign in').click()
    await button(theirs, 'Continue with GitHub').click()
    await theirs.getByRole('radio').last().check()
    await theirs.getByLabel('E-mail address', { exact: true }).fill(`github-${invited}`)
    await press(button(theirs, 'Continue'), heading(theirs, 'Join Ops'))

    // Another account: the link works for it too.
    await button(theirs, 'Use another account').click()
    await submit(theirs, { 'E-mail address': invited }, 'Continue')
    await press(button(theirs, 'E-mail me a sign-in link'), heading(theirs, 'Check your e-mail'))
    await theirs.goto(await linkOf(invited))
    await press(button(theirs, 'Continue'), heading(theirs, 'Join Ops'))
    await theirs.getByText(`You join as ${invited}.`).waitFor()
    await press(button(theirs, 'Join the team'), switcher(theirs, 'Team: Ops'))
  })

  itInLong('is not used up by a mail scanner, nor by a member who opens it', async () => {
    const { inviteTo } = await admin(page)
    const theirs = await otherPerson()
    const { email: invited } = await newcomer(theirs, running)
    const url = await inviteTo(invited)
    const scanner = await otherPerson()
    await scanner.goto(url)
    await scanner.waitForLoadState('networkidle')
    await page.goto(url)
    await page.getByText('You are in this team already.').waitFor()
    await look(page, 'team-invitation-member')
    await press(button(page, 'Open the team'), heading(page, 'Members'))
    await theirs.goto(url)
    await press(button(theirs, 'Join the team'), switcher(theirs, 'Team: Ops'))
  })

  itInLong('is neither counted nor on a page of its own where the platform lists none to a user', async () => {
    const { app } = await newcomer(page, running)
    expect(await app.ownTeamInvitations$.get().catch((error: unknown) => error)).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
    })
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.goto(running.address)
    await account(page).waitFor()
    await loaded(page)
    expect(await page.getByRole('link', { name: /invitation/ }).count()).toBe(0)
    expect(asked.filter(url => url.includes('/team-invitations'))).toEqual([])
    await visit(page, at('/handler/invitations'), 'Page not found')
  })
})

describe('what the user has no right to do', () => {
  // Its backend sets the roles of members.
  itInExample(
    'is not there; a role that is given or taken elsewhere shows or hides it with the next refresh',
    async () => {
      const { owner, member, theirs } = await twoInTeam()
      const actions = button(theirs, 'Actions for Without a name')
      await row(theirs, 'Without a name').waitFor()
      expect(await actions.count()).toBe(0)
      await press(link(theirs, 'Team profile'), heading(theirs, 'Team profile'))
      await theirs.getByRole('heading', { name: 'Your profile in this team' }).waitFor()
      expect(await textbox(theirs, 'Team name').count()).toBe(0)
      await press(link(theirs, 'Leave or delete'), button(theirs, 'Leave team'))
      expect(await button(theirs, 'Delete team').count()).toBe(0)
      await press(link(theirs, 'Team API keys'), theirs.getByText('You do not have permission to see this.'))
      expect(await button(theirs, 'Create a key').count()).toBe(0)
      await look(theirs, 'team-forbidden')
      await link(theirs, 'Members').click()

      const give = async (role: string) => {
        await button(page, 'Actions for Without a name').click()
        await item(page, role).click()
      }
      await give('Change role to Admin')
      await row(page, 'Without a name').getByText('Admin', { exact: true }).waitFor()
      await refresh(theirs)
      await see(actions, row(theirs, member).getByText('Admin', { exact: true }))
      await press(link(theirs, 'Leave or delete'), button(theirs, 'Delete team'))

      await give('Change role to Member')
      await row(page, 'Without a name').getByText('Member', { exact: true }).waitFor()
      await refresh(theirs)
      await button(theirs, 'Delete team').waitFor({ state: 'detached' })
      await press(link(theirs, 'Members'), row(theirs, 'Without a name'))
      expect(await actions.count()).toBe(0)
      await row(page, owner).getByText('Admin', { exact: true }).waitFor()
    },
  )

  runs<typeof itInExample>(() => undefined, itInExample)('is refused by the backend, too', async () => {
    const { theirs } = await twoInTeam()
    const asked = theirs.waitForRequest('**/api/team-roles/**')
    await theirs.reload()
    const request = await asked
    let authorization = (await request.allHeaders())['authorization']!
    const ask = async (path: string, role?: string) => {
      const init = role === undefined ? {} : { method: 'PUT', body: JSON.stringify({ role }) }
      const response = await fetch(at(`/api/team-roles/${path}`), {
        headers: { authorization, 'content-type': 'application/json' },
        ...init,
      })
      return response.status
    }
    const teamId = request.url().split('/').pop()!
    const elsewhere = crypto.randomUUID()
    expect(await ask(teamId)).toBe(200)
    expect(await ask(elsewhere)).toBe(403)
    expect(await ask(`${teamId}/${subjectOf(authorization)}`, 'team_admin')).toBe(403)
    expect(await ask(`${teamId}/${elsewhere}`, 'team_admin')).toBe(403)
    expect(await ask(`${teamId}/${elsewhere}`, 'owner')).toBe(400)
    // An admin stays one, so that a team does not lose its last one.
    const byAdmin = page.waitForRequest('**/api/team-roles/**')
    await page.reload()
    authorization = (await (await byAdmin).allHeaders())['authorization']!
    expect(await ask(`${teamId}/${subjectOf(authorization)}`, 'team_member')).toBe(403)
    expect(await ask(`${teamId}/${elsewhere}`, 'team_admin')).toBe(404)
  })

  it('closes the team for a removed member', async () => {
    const { theirs } = await twoInTeam()
    await button(page, 'Actions for Without a name').click()
    await item(page, 'Remove from the team').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
    await row(page, 'Without a name').waitFor({ state: 'detached' })
    await refresh(theirs)
    await see(heading(theirs, 'Teams'), theirs.getByText('You are not in a team yet.'))
  })
})

describe.each([
  ...runs<string[][]>([], [['the user', 'handler/account-settings/api-keys', 'API keys']]),
  ['a team', 'handler/team/api-keys', 'Team API keys'],
])('an API key of %s', (_, path, title) => {
  it('is shown once, listed by its end, renamed, and revoked after a question', async () => {
    await admin(page)
    await visit(page, at(`/${path}`), title)
    await page.getByText('No keys yet.').waitFor()
    await button(page, 'Create a key').click()
    await press(button(page, 'Create key'), problem(page, 'Say what the key is for.'))
    await field(page, 'What it is for').fill('Nightly import')
    await look(page, `${title}-create`)
    await press(button(page, 'Create key'), page.getByText('It will not be shown again.'))
    const value = (await page.getByLabel('New key', { exact: true }).textContent())!
    expect(value.length).toBeGreaterThan(20)
    // Escape must not lose the key.
    await page.keyboard.press('Escape')
    await look(page, `${title}-shown-once`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(button(page, 'Copy: New key'), page.getByText('Copied'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
    await button(page, 'Done').click()
    await row(page, 'Nightly import')
      .getByText(`…${value.slice(-4)}`)
      .waitFor()
    expect(await page.locator('body').innerHTML()).not.toContain(value)
    await page.reload()
    await see(row(page, 'Nightly import'), row(page, 'Nightly import').getByText('expires'))
    await button(page, 'Actions for Nightly import').click()
    await item(page, 'Rename').click()
    await submit(page, { 'What it is for': 'Weekly import' }, 'Rename key', row(page, 'Weekly import'))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await look(page, title)
    await button(page, 'Actions for Weekly import').click()
    await item(page, 'Revoke').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await row(page, 'Weekly import').getByText('Revoked').waitFor()
    await press(button(page, 'Actions for Weekly import'), item(page, 'Rename'))
    expect(await item(page, 'Revoke').count()).toBe(0)
  })
})

describe('notifications', () => {
  const marketing = () => page.getByRole('switch', { name: 'Marketing' })

  it('are switched before the answer comes, and stay so; those that must be cannot be', async () => {
    await newcomer(page, running, at('/handler/account-settings/notifications'))
    await marketing().waitFor()
    expect(await marketing().isChecked()).toBe(true)
    await row(page, 'Transactional').getByText('Always on').waitFor()
    expect(await page.getByRole('switch').count()).toBe(1)
    const release = await hold('PATCH', '/emails/notification-preference/**')
    const answered = page.waitForResponse(
      response => response.request().method() === 'PATCH' && response.url().includes('/notification-preference/'),
    )
    await marketing().click()
    expect(await marketing().isChecked()).toBe(false)
    release()
    await answered
    await look(page, 'notifications')
    await page.reload()
    await marketing().waitFor()
    expect(await marketing().isChecked()).toBe(false)
  })
})

describe('each list', () => {
  it('shows its last known data without a network, with one notice', async () => {
    const { owner } = await twoInTeam()
    await context.setOffline(true)
    await page.getByText(/^You are offline\. This is what was known at \d/).waitFor()
    expect(await page.getByText('You are offline.').count()).toBe(1)
    await row(page, owner).waitFor()
    await look(page, 'team-offline')
  })
})

describe('the seeded team', () => {
  itInExample('has two people to look at', async () => {
    await page.goto(running.address)
    await signIn(page, 'ada@example.com')
    await heading(page, 'Welcome, Ada Lovelace').waitFor()
    await page.goto(at('/handler/team'))
    await press(button(page, 'Open Analytical Engines'), row(page, 'Ada Lovelace').getByText('Admin', { exact: true }))
    await row(page, 'Grace Hopper').getByText('Member', { exact: true }).waitFor()
  })
})

describe('the pages of a team', () => {
  it('are accessible and fit, light and dark, wide and narrow', async () => {
    const lookAt = async (on: Page, state: string) => {
      await loaded(on)
      await lookEverywhere(on, state)
    }
    await page.setViewportSize(phone)
    const { inviteTo } = await admin(page, 'Department of Analytical Engines and their Operators')
    const invited = `user-with-a-very-long-address-${newEmail()}`
    const invitation = await inviteTo(invited)
    await page.reload()
    await row(page, invited).waitFor()
    await lookAt(page, 'team-members')
    await press(switcher(page), item(page, 'Team settings'))
    await lookAt(page, 'team-switcher')
    await page.keyboard.press('Escape')
    for (const section of ['profile', 'api-keys', 'danger-zone']) {
      await page.goto(at(`/handler/team/${section}`))
      await switcher(page, /^Team: Department/).waitFor()
      await lookAt(page, `team-${section}`)
    }
    await page.goto(at('/handler/account-settings/api-keys'))
    await button(page, 'Create a key').click()
    await submit(page, { 'What it is for': 'Nightly import' }, 'Create key', button(page, 'Done'))
    await lookAt(page, 'new-key')
    await press(button(page, 'Done'), row(page, 'Nightly import'))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await lookAt(page, 'settings-api-keys')
    await page.goto(at('/handler/account-settings/notifications'))
    await page.getByRole('switch').first().waitFor()
    await lookAt(page, 'settings-notifications')
    const theirs = await otherPerson()
    await theirs.setViewportSize(phone)
    await newcomer(theirs, running, at('/handler/team'))
    await theirs.getByText('You are not in a team yet.').waitFor()
    await lookAt(theirs, 'teams-empty')
    await theirs.goto(invitation)
    await button(theirs, 'Join the team').waitFor()
    await lookAt(theirs, 'team-invitation')
  })

  it('can be used with the keyboard alone', async () => {
    await newcomer(page, running, running.address)
    const { keyboard } = page
    await switcher(page).focus()
    await keyboard.press('Enter')
    await item(page, 'Create a team').waitFor()
    await keyboard.press('ArrowUp')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Create a team')
    await keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await keyboard.type('Ops')
    await keyboard.press('Enter')
    await see(switcher(page, 'Team: Ops'), heading(page, 'Members'))
  })
})

/** The user of the access token. */
function subjectOf(authorization: string): string {
  const [, payload] = authorization.split('.')
  return (JSON.parse(Buffer.from(payload!, 'base64url').toString()) as { sub: string }).sub
}
