import type { Locator, Page } from 'playwright-core'
import { account, button, field, heading, loaded, newcomer, visit } from './person'
import { at, otherPerson, page, running, useExample } from './stage'

/* What a designer sees: where things stand, and how large they are. */

useExample()

const boxOf = async (of: Locator) => (await of.boundingBox())!
const row = (on: Page, text: string) => on.getByRole('listitem').filter({ hasText: text })

/** A user with a team, which is selected. */
async function member(on: Page) {
  const { app, email } = await newcomer(on, running)
  const { id: teamId } = await app.createTeam({ displayName: 'Ops' })
  await app.selectTeam({ teamId })
  return { app, email }
}

describe('an address', () => {
  it('shows the exception, and its remedy as a button with a name of its own', async () => {
    const { email } = await newcomer(page, running, at('/handler/account-settings/emails'))
    const colours = (text: string) =>
      row(page, email)
        .getByText(text)
        .evaluate(each => getComputedStyle(each).color)
    const dim = await row(page, email)
      .getByText('Used for sign-in')
      .evaluate(each => getComputedStyle(each).color)
    expect(await colours('Primary')).toBe(dim)
    expect(await colours('Unverified')).not.toBe(dim)
    await button(page, `Resend link to ${email}`).click()
    await page
      .getByRole('status')
      .filter({ hasText: `A new link is on its way to ${email}.` })
      .waitFor()
  })
})

describe('a row', () => {
  it('has its badges apart from its title, beside it or below', async () => {
    const { email } = await newcomer(page, running)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(at('/handler/account-settings/emails'))
      const title = await boxOf(page.getByText(email, { exact: true }).last())
      const badge = await boxOf(page.getByText('Primary', { exact: true }))
      const [aside, below] = [badge.x - title.x - title.width, badge.y - title.y - title.height]
      expect(Math.max(aside, below)).toBeGreaterThanOrEqual(4)
    }
  })

  it('of a session takes at most three lines on a phone, in German too', async () => {
    const phone = await otherPerson({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
    await newcomer(phone, running, at('/handler/account-settings/sessions'))
    const height = await row(phone, 'Dieses Gerät').evaluate(each => {
      const { paddingTop, paddingBottom } = getComputedStyle(each)
      return each.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
    })
    expect(height).toBeLessThanOrEqual(3 * 21)
  })
})

describe('a page of sections', () => {
  it('says what it is a part of, in its window too, with one first heading', async () => {
    await member(page)
    for (const [path, group, title] of [
      ['account-settings', 'Account settings', 'Profile'],
      ['team/profile', 'Ops', 'Team profile'],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await visit(page, at(`/handler/${path}`), title)
      await page.getByRole('main').getByText(group, { exact: true }).first().waitFor()
      // The name of the app comes with the project.
      await page.waitForFunction(text => document.title === text, `${title} · ${group} · rxauth example`)
      const levels = await page.getByRole('heading').evaluateAll(all => all.map(each => each.tagName))
      expect(levels).toEqual(['H1', ...levels.slice(1).map(() => 'H2')])
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('main').locator('label').getByText(group, { exact: true }).waitFor()
    }
  })

  it('leaves its headings room beside their buttons, in German on a phone', async () => {
    const phone = await otherPerson({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
    await newcomer(phone, running, at('/handler/account-settings/security'))
    await heading(phone, 'Bestätigung in zwei Schritten').waitFor()
    for (const each of await phone.getByRole('heading', { level: 2 }).all())
      expect((await boxOf(each)).height).toBeLessThan(30)
  })

  it('has labels that are seen', async () => {
    await member(page)
    await page.goto(at('/handler/team/profile'))
    await field(page, 'Your name in this team').last().waitFor()
    const labels = await page
      .getByRole('main')
      .locator('form input')
      .evaluateAll(all => all.map(each => (each as HTMLInputElement).labels![0]?.checkVisibility()))
    expect(labels).toEqual([true, true])
  })

  it.each([1280, 390])('is where its outline was: %i pixels', async width => {
    await page.setViewportSize({ width, height: 844 })
    await member(page)
    for (const [path, title] of [
      ['/handler/account-settings/sessions', 'Sessions'],
      ['/handler/team', 'Members'],
    ] as const) {
      let release: () => void = () => undefined
      const released = new Promise<void>(resolve => (release = resolve))
      await page.route('**/users/me', async route => {
        await released
        await route.continue().catch(() => undefined)
      })
      // The outline of index.html, before any script of the page has run.
      await page.route('**/*.js', route => route.abort())
      await page.goto(at(path))
      const first = await boxOf(page.locator('.outline .auth-stack').last())
      await page.unroute('**/*.js')
      await page.goto(at(path))
      const outline = await boxOf(page.getByRole('status', { name: 'Loading' }))
      expect(first).toMatchObject({ x: outline.x, y: outline.y, width: outline.width })
      release()
      const real = await boxOf(heading(page, title))
      expect(outline).toMatchObject({ x: real.x, width: real.width })
      expect(Math.abs(outline.y - real.y)).toBeLessThanOrEqual(24)
      await page.unroute('**/users/me')
    }
  })
})

describe('a menu', () => {
  it('has pictures of one size, and the corners of a card', async () => {
    await member(page)
    await page.goto(at('/handler/team'))
    const open = page.getByRole('banner').getByRole('button', { name: 'Team: Ops' })
    const shown = await open.locator('.picture').evaluate(each => each.clientWidth)
    await open.click()
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    const sizes = await items.evaluateAll(all => all.map(each => each.firstElementChild!.getBoundingClientRect().width))
    expect(new Set([shown, ...sizes])).toEqual(new Set([24]))
    await page.addStyleTag({ content: '.auth { --radius: 0px; --radius-card: 0px }' })
    expect(await page.getByRole('menu').evaluate(each => getComputedStyle(each).borderRadius)).toBe('0px')
  })
})

describe('a field to choose from', () => {
  it('has its arrow inside, at its end', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await newcomer(page, running, at('/handler/account-settings'))
    const select = page.getByRole('combobox', { name: 'Account settings' })
    const [box, arrow] = [await boxOf(select), await boxOf(select.locator('xpath=following-sibling::*'))]
    expect(arrow.x + arrow.width).toBeLessThan(box.x + box.width)
    expect(arrow.y + arrow.height / 2).toBeCloseTo(box.y + box.height / 2, 0)
  })
})

describe('the brand', () => {
  it('has the name of the project', async () => {
    const project = await otherPerson()
    await project.route('**/projects/current', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), display_name: 'Acme' } })
    })
    await project.goto(at('/handler/sign-in'))
    await project.getByRole('link', { name: 'Acme', exact: true }).waitFor()
    expect(await project.title()).toBe('Sign in · Acme')
    await newcomer(project, running, at('/'))
    await account(project).waitFor()
    await loaded(project)
    await project.getByRole('banner').getByText('Acme').waitFor()
  })
})
