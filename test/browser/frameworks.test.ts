import { frameworks, type Framework } from '../frameworks/apps'
import { openStage, password, type DrivenApp, type Stage } from '../frameworks/driver'
import { cookieHeader, plant, rows } from '../frameworks/rows'
import { runs } from '../runs'
import { button, heading, link, press, signIn as signInByScreen, visit, see } from './person'

/*
 * The apps of the guides for Next.js, React Router and SvelteKit, built and served as their users would, each driven through
 * the same rows, and on the server of their authors; the last line of the file prints the rows as a table.
 */

/** A run on a change builds one of the four settings of Next.js, and has another one, with both options, in development mode. */
const built = runs<readonly Framework[]>(['next', 'react-router', 'sveltekit'], frameworks)
const developed = runs<readonly Framework[]>(['next-streamed'], frameworks)

let stage: Stage
const cells = new Map<string, string>()

beforeAll(async () => {
  stage = await openStage()
})

afterEach(() => stage.next())

afterAll(async () => {
  await stage.close()
  const table = Object.keys(rows).map(row => [
    row,
    Object.fromEntries(
      built.map(name => [name, cells.get(`${row} ${name}`) ?? (isOf(name, row) ? 'failed' : 'not tried')]),
    ),
  ])
  console.table(Object.fromEntries(table))
})

/** Of the other frameworks two rows sign in by the page and by a link, render on the server, sign out there, and follow in another tab. */
const isOf = (name: string, row: string) => {
  // Its HTML has the pages in places that a script fills.
  if (name === 'next-streamed' && row === 'JavaScript off') return false
  return name.startsWith('next') || ['sign-in by a link', runs('sign-out on the server', row)].includes(row)
}

describe.each(built.filter(name => name.startsWith('next')))('the Next.js guide, as %s', name => {
  let app: DrivenApp

  beforeAll(async () => {
    app = await stage.app(name)
  })

  const accountOf = (displayName: string) => ({
    // The platform is the same for all settings.
    email: `${displayName.toLowerCase()}-${name}@example.com`,
    password,
    displayName,
  })

  // Promise: framework-apps
  it('shows what the kit in the browser and what a server action have written', async () => {
    await app.platform.seed({ users: [accountOf('Alan')] }, { onlyMissing: true })
    const { page, signIn } = await app.person()
    const bar = page.getByRole('navigation')
    await signIn(accountOf('Alan').email)
    await page.goto(`${app.address}/account`)
    await press(button(page, 'Shorten to A.'), heading(page, 'Hello A.'))
    await bar.getByText('A.', { exact: true }).waitFor()
    await page.getByPlaceholder('New name').fill('Alan Turing')
    await press(button(page, 'Rename'), heading(page, 'Hello Alan Turing'))
    await bar.getByText('Alan Turing', { exact: true }).waitFor()
  })

  // Promise: framework-apps
  it('answers a request to the route handler with 401 while signed out, and with the user otherwise', async () => {
    const { page, signIn } = await app.person()
    await page.goto(app.address)
    const asked = () =>
      page.evaluate(async () => {
        const response = await fetch('/api/me')
        return { status: response.status, body: (await response.json()) as unknown }
      })
    expect(await asked()).toEqual({ status: 401, body: { code: 'USER_AUTHENTICATION_REQUIRED' } })
    await signIn('ada@example.com')
    expect(await asked()).toMatchObject({ status: 200, body: { name: 'Ada' } })
  })

  it.each(['Bearer mine', 'Bearer', 'Basic YTpi'])('answers a request with %j with 401', async authorization => {
    const response = await fetch(`${app.address}/api/me`, { headers: { authorization } })
    expect(response.status).toBe(401)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  // Promise: framework-apps
  it('leads to the sign-in page and deletes the cookies when the account is gone', async () => {
    await app.platform.seed({ users: [accountOf('Gone')] }, { onlyMissing: true })
    const { page, context } = await app.person({ javaScriptEnabled: false })
    const { cookies } = await app.expired(accountOf('Gone').email)
    await plant(context, app.address, cookies)
    await app.deleteUser(accountOf('Gone').email)
    await page.goto(`${app.address}/account`)
    expect(page.url()).toContain('/sign-in')
    expect(await context.cookies()).toEqual([])
  })

  it('has nothing kept of a link that it has fetched for a visitor, once a user is signed in', async () => {
    const { page, signIn } = await app.person()
    await page.goto(app.address, { waitUntil: 'networkidle' })
    await press(link(page, 'Sign in'), heading(page, 'Sign in'))
    await signIn('ada@example.com', page)
    await press(link(page, 'Account'), heading(page, 'Hello Ada'))
    expect(new URL(page.url()).pathname).toBe('/account')
  })

  it('shows the page of a team to its members only', async () => {
    const { page, signIn } = await app.person()
    await signIn('ada@example.com')
    const team = await page.goto(`${app.address}/teams/${app.teamId}`)
    await heading(page, 'Engineering').waitFor()
    expect(team!.status()).toBe(200)
    await visit(page, `${app.address}/teams/00000000-0000-4000-8000-000000000000`, 'You may not see this page')
    // The first of the two is `forbidden()`, the other one a redirect.
    const isShownThere = name === 'next-interrupts' || name === 'next-streamed'
    expect(new URL(page.url()).pathname === '/forbidden').toBe(!isShownThere)
  })

  it('has the screens that rxauth add copies: they sign in, show the account to its user only, and change it', async () => {
    const { email } = accountOf('Lovelace')
    await app.platform.seed({ users: [accountOf('Lovelace')] }, { onlyMissing: true })
    const { page } = await app.person()
    await page.goto(`${app.address}/handler/account-settings`)
    // The app has a page for this, which the option `urls` names.
    await page.waitForURL('**/sign-in?*')
    await page.goto(`${app.address}/handler/sign-in?after_auth_return_to=%2Fhandler%2Faccount-settings`)
    await signInByScreen(page, email)
    await page.getByRole('textbox', { name: 'Display name' }).fill('Countess')
    await button(page, 'Save').first().click()
    await press(page.getByRole('link', { name: 'Security' }), heading(page, 'Security'))
    await page.reload()
    await heading(page, 'Security').waitFor()
    await press(page.getByRole('link', { name: 'Profile' }), page.locator('input[name=name][value=Countess]'))
    await visit(page, `${app.address}/handler/nothing`, 'Page not found')
  })
})

// Promise: framework-apps
describe.each(built)('the app for %s', name => {
  it.each(Object.entries(rows).filter(([row]) => isOf(name, row)))('%s', async (row, drive) => {
    cells.set(`${row} ${name}`, await drive(await stage.app(name)))
  })

  // Promise: framework-apps
  it('prints no error or warning, in the browser or on the server', async () => {
    expect((await stage.app(name)).problems()).toEqual([])
  })
})

// Promise: framework-apps
describe.each(developed)('the app for %s', name => {
  // Promise: framework-apps
  it('prints no error or warning in development mode, in the browser or on the server', async () => {
    const { address, person, problems, expired } = await stage.app(name, 'development')
    // A page is compiled at its first request, which on a busy machine takes longer than a step of a browser may.
    const headers = cookieHeader(await expired('ada@example.com'))
    for (const path of ['sign-in', 'account', 'reports', '']) {
      const answer = await fetch(`${address}/${path}`, { headers })
      expect(answer.status).toBe(200)
      // A body that is not read to its end breaks the connection, of which the server tells.
      await answer.text()
    }
    const { page, signIn, refuse } = await person()
    const underWay = new Set<object>()
    page.on('request', request => underWay.add(request))
    page.on('requestfinished', request => underWay.delete(request))
    page.on('requestfailed', request => underWay.delete(request))
    // A page that is left while the server sends it makes Next.js print "Connection closed".
    const received = async () => {
      await page.waitForLoadState('networkidle')
      while (underWay.size > 0) await page.waitForTimeout(50)
    }
    await page.goto(`${address}/account`)
    await received()
    await refuse('grace@example.com')
    await signIn('grace@example.com')
    await see(heading(page, 'Hello Grace'), page.getByText('Teams: Engineering'))
    for (const [to, title] of [
      ['Reports', 'You may not see this page'],
      ['Start', 'Start'],
      ['Account', 'Hello Grace'],
    ] as const) {
      await press(link(page, to), heading(page, title))
      await received()
    }
    await press(button(page, 'Sign out'), heading(page, 'Sign in'))
    await received()
    await signIn('ada@example.com')
    await received()
    await visit(page, `${address}/reports`, 'Reports')
    await received()
    await page.goto(`${address}/account`)
    await received()
    await press(button(page, 'Sign out here'), page.getByRole('navigation').getByText('Sign in'))
    expect(problems()).toEqual([])
  })
})
