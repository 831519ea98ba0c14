import type { Page } from 'playwright-core'
import { orThrow } from 'rxauth'
import { linkOf } from './mailbox'
import { server, useServer } from './owner'
import {
  button,
  fillSignUp,
  heading,
  link,
  look,
  newAccount,
  newEmail,
  plantSession,
  problem,
  told,
  press,
  see,
} from './person'
import { at, page, running, useExample } from './stage'

useExample({ options: ['--wire=2026'] })
useServer()

const callbackUrl = () => at('/handler/team-invitation')
const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })
const switcher = (on: Page, name: string) => on.getByRole('banner').getByRole('button', { name, exact: true })

/** A new team that invites the address; the id of the invitation. */
async function invitedTo(
  displayName: string,
  email: string,
): Promise<{ readonly teamId: string; readonly id: string }> {
  const { id: teamId } = orThrow(await server.createTeamById({ displayName }))
  const { id } = await server.sendTeamInvitationById({ teamId, email, callbackUrl: callbackUrl() })
  return { teamId, id }
}

/** A user with a verified address, signed in in this browser. */
async function verified() {
  const { email, app, tokens } = await newAccount(running)
  const { id: userId } = (await app.anyUser$.get())!
  await server.updateUserById({ userId, primaryEmailVerified: true })
  await plantSession(page, tokens, running)
  return { email, userId }
}

/** Does it between the click that accepts an invitation and the arrival of the request. */
async function beforeJoining(change: () => Promise<unknown>): Promise<void> {
  let isDone = false
  await page.route('**/team-invitations/*/accept?*', async route => {
    if (!isDone && route.request().method() === 'POST') {
      isDone = true
      await change()
    }
    await route.continue()
  })
}

describe('invitations in the app', () => {
  it('are counted at the top, listed, and accepted; one that was taken back says so and goes', async () => {
    const { email } = await verified()
    await invitedTo('Ops', email)
    const revoked = await invitedTo('Research', email)
    await page.goto(running.address)
    await press(link(page, '2 invitations'), row('Ops').getByText(`Sent to ${email}, expires`))
    await look(page, 'invitations')
    await beforeJoining(async () =>
      server.revokeTeamInvitationById({ teamId: revoked.teamId, invitationId: revoked.id }),
    )
    await button(page, 'Join Research').click()
    await problem(page, 'The invitation to Research was used or revoked, or has expired.').waitFor()
    await row('Research').waitFor({ state: 'detached' })
    await link(page, '1 invitation').waitFor()

    await press(button(page, 'Join Ops'), told(page, 'You are now in the team Ops.'))
    await see(switcher(page, 'Team: Ops'), heading(page, 'Members'))
    expect(await link(page, '1 invitation').count()).toBe(0)
  })

  it('are refused to a user who has been restricted meanwhile, which says what to do', async () => {
    const { email, userId } = await verified()
    await invitedTo('Ops', email)
    await page.goto(at('/handler/invitations'))
    await button(page, 'Join Ops').waitFor()
    // A page that reads the user again would leave for the one of restricted users.
    await page.route('**/api/v1/users/me', route =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await beforeJoining(async () => server.updateUserById({ userId, restrictedByAdmin: true }))
    await press(button(page, 'Join Ops'), problem(page, 'Your account is restricted, so it cannot join a team.'))
  })
})

describe('the link of an invitation', () => {
  it('of another address says so, and leads to the own addresses or to another account', async () => {
    await verified()
    const invited = newEmail()
    await invitedTo('Ops', invited)
    await page.goto(await linkOf(invited))
    await problem(page, 'This invitation was sent to an address that is not a verified one of your account.').waitFor()
    await look(page, 'invitation-of-another')
    await link(page, 'Your e-mail addresses').waitFor()
    await press(button(page, 'Use another account'), heading(page, 'Sign in'))
  })

  it('waits until a new user has verified the address, and then shows the team', async () => {
    const invited = newEmail()
    await invitedTo('Ops', invited)
    await page.goto(await linkOf(invited))
    await button(page, 'Create an account').click()
    await fillSignUp(page, invited)
    await heading(page, 'Verify your e-mail address first').waitFor()
    const { items } = await server.users$({ query: invited, includeRestricted: true }).get()
    await server.updateUserById({ userId: items[0]!.id, primaryEmailVerified: true })
    await press(button(page, 'I have verified it'), heading(page, 'Join Ops'))
  })
})
