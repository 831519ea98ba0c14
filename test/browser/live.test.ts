import type { Page } from 'playwright-core'
import { createServerApp } from 'rxauth/server'
import { itInLong } from '../runs'
import { account, field, heading, loaded, newAccount, newcomer, signIn, signOut } from './person'
import { at, otherPerson, page, running, useExample } from './stage'

useExample()

const row = (on: Page, text: string) => on.getByRole('listitem').filter({ hasText: text })
const isLive = (path: string) => path.startsWith('/api/changes')

/** A server of the project, which has its well-known key. */
const servers: { dispose(): void }[] = []
const server = () => {
  const app = createServerApp({ baseUrl: running.platform, projectId: running.projectId })
  servers.push(app)
  return app
}

afterEach(() => {
  for (const each of servers.splice(0)) each.dispose()
})

/** Resolves when the page is connected for the changes of others. */
const connected = (on: Page) => on.waitForResponse(response => isLive(new URL(response.url()).pathname))

/** The paths of the requests that the page sends from now on. */
function requestsOf(on: Page): string[] {
  const paths: string[] = []
  on.on('request', request => paths.push(new URL(request.url()).pathname))
  return paths
}

/** Two members of a team, each with the page of the team open and connected. */
async function twoInTeam() {
  const theirs = await otherPerson()
  const [mine, other] = [await newcomer(page, running), await newcomer(theirs, running)]
  const [me, they] = [(await mine.app.user$.get())!, (await other.app.user$.get())!]
  const { id: teamId } = await mine.app.createTeam({ displayName: 'Ops' })
  await server().addTeamMemberById({ teamId, userId: they.id })
  for (const { app } of [mine, other]) await app.selectTeam({ teamId })
  for (const each of [page, theirs]) {
    await Promise.all([connected(each), each.goto(at('/handler/team'))])
    await row(each, they.primaryEmail!).or(row(each, 'Without a name')).first().waitFor()
  }
  return { theirs, mine, other, me, they, teamId }
}

it('shows what another person changes in a team, and their new name, on a page on which nothing is done', async () => {
  const { mine, other, theirs, teamId } = await twoInTeam()
  await mine.app.updateTeam({ teamId, displayName: 'Operations' })
  await theirs.getByRole('banner').getByRole('button', { name: 'Team: Operations', exact: true }).waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Team: Operations', exact: true }).waitFor()

  await other.app.updateUser({ displayName: 'Grace Hopper' })
  await account(theirs, 'Account: Grace Hopper').waitFor()
})

itInLong('shows a member that a server adds, with its role, and one that it removes', async () => {
  const { theirs, they, teamId } = await twoInTeam()
  const { app } = await newcomer(await otherPerson(), running)
  await app.updateUser({ displayName: 'Edith Clarke' })
  const { id: userId } = (await app.user$.get())!
  await server().addTeamMemberById({ teamId, userId })
  await row(page, 'Edith Clarke').waitFor()
  // The role, too, which only the backend knows.
  await row(page, 'Edith Clarke').getByText('Member', { exact: true }).waitFor()
  await server().removeTeamMemberById({ teamId, userId })
  await row(page, 'Edith Clarke').waitFor({ state: 'detached' })

  // The removed member is told of it, too.
  await server().removeTeamMemberById({ teamId, userId: they.id })
  await theirs.getByText('You are not in a team yet.').waitFor()
})

it('sends nothing for a minute in which nothing happens', async () => {
  await page.clock.install()
  await newcomer(page, running)
  await Promise.all([connected(page), page.goto(at('/'))])
  await heading(page, 'Welcome').waitFor()
  await page.clock.runFor(5_000)
  await loaded(page)
  const requests = requestsOf(page)
  await page.clock.runFor(60_000)
  await page.evaluate(() => undefined)
  expect(requests).toEqual([])
})

it('connects anew for the next user of the browser, and not without a signed-in user', async () => {
  await newcomer(page, running)
  await Promise.all([connected(page), page.goto(at('/'))])
  const ended = page.waitForEvent('requestfailed', request => isLive(new URL(request.url()).pathname))
  await signOut(page)
  await ended
  const requests = requestsOf(page)
  await field(page, 'E-mail address').fill('ada@example.com')
  expect(requests.filter(isLive)).toEqual([])
  const { email, app } = await newAccount(running)
  const opened = page.waitForRequest(request => isLive(new URL(request.url()).pathname))
  await Promise.all([connected(page), signIn(page, email)])
  await heading(page, 'Welcome').waitFor()
  await loaded(page)
  expect(requests.filter(isLive)).toHaveLength(1)
  expect(subjectOf((await opened).headers()['authorization']!)).toBe((await app.user$.get())!.id)
})

itInLong('loads nothing while it is hidden, and shows what has changed when it is shown again', async () => {
  const { mine, theirs, teamId } = await twoInTeam()
  await setHidden(theirs, true)
  const requests = requestsOf(theirs)
  await mine.app.updateTeam({ teamId, displayName: 'Operations' })
  await page.getByRole('banner').getByRole('button', { name: 'Team: Operations', exact: true }).waitFor()
  expect(requests.filter(path => isLive(path) || path.endsWith('/teams'))).toEqual([])
  await setHidden(theirs, false)
  await theirs.getByRole('banner').getByRole('button', { name: 'Team: Operations', exact: true }).waitFor()
})

// Promise: changes-from-one-connection
it('has one connection for all tabs of a user, and each shows a new member with its role', async () => {
  const { they, teamId } = await twoInTeam()
  const other = await page.context().newPage()
  const requests = requestsOf(other)
  await other.goto(at('/handler/team'))
  await row(other, they.primaryEmail!).or(row(other, 'Without a name')).first().waitFor()
  await loaded(other)
  const { app } = await newcomer(await otherPerson(), running)
  await app.updateUser({ displayName: 'Edith Clarke' })
  const { id: userId } = (await app.user$.get())!
  await server().addTeamMemberById({ teamId, userId })
  for (const each of [page, other]) await row(each, 'Edith Clarke').getByText('Member', { exact: true }).waitFor()
  expect(requests.filter(isLive)).toEqual([])
  // The second tab connects when the first one is closed, and misses nothing.
  const connects = other.waitForRequest(request => isLive(new URL(request.url()).pathname))
  await page.close()
  await connects
  await server().removeTeamMemberById({ teamId, userId })
  await row(other, 'Edith Clarke').waitFor({ state: 'detached' })
})

function subjectOf(authorization: string): unknown {
  const [, claims] = authorization.split('.')
  return (JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { sub: unknown }).sub
}

/** Pages without a window are always visible. */
async function setHidden(on: Page, hidden: boolean): Promise<void> {
  await on.evaluate(isHidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}
