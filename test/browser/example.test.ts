import { text } from 'node:stream/consumers'
import type { Locator } from 'playwright-core'
import type { Recording } from '../../src'
import { replay } from '../../src/replay/replay'
import { itInLong, runs } from '../runs'
import {
  account,
  button,
  confirm,
  field,
  heading,
  link,
  loaded,
  look,
  lookEverywhere,
  newAccount,
  newcomer,
  newEmail,
  password,
  phone,
  problem,
  signIn,
  signOut,
  signUp,
  violations,
  press,
  visit,
  see,
} from './person'
import { contrast } from './shared'
import { at, context, hold, otherPerson, page, running, useExample } from './stage'

useExample()

/** Answers that cannot be parsed, while `isBroken` of the returned object is true. */
async function breakUser(): Promise<{ isBroken: boolean }> {
  const state = { isBroken: true }
  await page.route('**/users/me', route =>
    state.isBroken ? route.fulfill({ status: 200, body: '{"id"' }) : route.continue(),
  )
  return state
}

async function rename(name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Display name' }).fill(name)
  await button(page, 'Save').click()
}

describe('the example', () => {
  it('signs up, shows the user, and changes the name in every place before the answer comes', async () => {
    const email = await signUp(page, running.address)
    await account(page, `Account: ${email}`).waitFor()
    expect(await page.title()).toBe('Welcome · rxauth example')
    await press(link(page, 'Open settings'), heading(page, 'Profile'))
    const release = await hold('PATCH', '/users/me')
    await rename('Ada Lovelace')
    await see(account(page, 'Account: Ada Lovelace'), page.getByText('Saving…'))
    expect(await page.getByText('Saved.').count()).toBe(0)
    release()
    await page.getByText('Saved.').waitFor()
    await visit(page, at('/'), 'Welcome, Ada Lovelace')
  })

  it('saves a bug report that can be played', async () => {
    await newcomer(page, running, at('/handler/account-settings'))
    await account(page, /^Account/).click()
    await page.getByRole('menuitem', { name: 'Record a bug report' }).click()
    await rename('Ada Lovelace')
    await press(account(page, 'Account: Ada Lovelace'), page.getByText('Saved.'))
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Save the bug report' }).click()
    const file = await text(await (await saved).createReadStream())
    const { auth, decisions } = await replay(JSON.parse(file) as Recording)
    expect([auth.status, decisions.length > 2]).toEqual(['signed-in', true])
    expect(file).not.toContain('Lovelace')
  })

  it('makes an uploaded picture small, shows it in every place, and takes it away', async () => {
    await newcomer(page, running, at('/handler/account-settings'))
    await button(page, 'Upload a picture').waitFor()
    const png = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 800
      canvas.height = 400
      return canvas.toDataURL('image/png').split(',')[1]!
    })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.getByAltText('Your picture').waitFor()
    const shown = await page
      .getByAltText('Your picture')
      .evaluate(picture => (picture as HTMLImageElement).naturalWidth)
    expect(shown).toBe(192)
    await button(page, 'Remove').click()
    await page.getByAltText('Your picture').waitFor({ state: 'detached' })
  })

  it('signs the other tab out, and each says what has happened', async () => {
    const { email } = await newcomer(page, running)
    const second = await context.newPage()
    await Promise.all([page, second].map(each => each.goto(running.address)))
    await account(second, `Account: ${email}`).waitFor()
    await signOut(page)
    await see(heading(second, 'Sign in'), second.getByText('You have signed out in another tab.'))
    await page.getByText('You have signed out.').waitFor()
  })

  // Promise: accounts
  it('adds a person, whom every tab switches to, and back', async () => {
    const [{ email: first }, { email: second }] = [await newcomer(page, running), await newAccount(running)]
    const tab = await context.newPage()
    await Promise.all([page, tab].map(each => each.goto(running.address)))
    const choose = async (name: string) => {
      await account(page).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await account(tab, `Account: ${first}`).waitFor()
    await choose('Add another account')
    await page.getByText('The account is added to those of this browser.').waitFor()
    await signIn(page, second)
    for (const each of [page, tab]) await account(each, `Account: ${second}`).waitFor()
    await choose(`Switch to ${first}`)
    for (const each of [page, tab]) await account(each, `Account: ${first}`).waitFor()
    await press(account(tab), tab.getByRole('menuitem', { name: `Switch to ${second}` }))
    await tab.keyboard.press('Escape')
    await choose('Sign out of all accounts')
    await account(tab).waitFor({ state: 'detached' })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('rxauth-account'))),
    ).toEqual([])
  })

  it('keeps the last known user offline, with a note that goes when the network returns', async () => {
    const { email } = await newcomer(page, running, running.address)
    await account(page, `Account: ${email}`).waitFor()
    await context.setOffline(true)
    await see(page.getByText(/^You are offline\. This is what was known at \d/), account(page, `Account: ${email}`))
    await context.setOffline(false)
    await page.getByText('This is what was known').waitFor({ state: 'detached' })
    await account(page, `Account: ${email}`).waitFor()
  })

  itInLong('keeps the last known user when the platform breaks, until asked to try again', async () => {
    const { email } = await newcomer(page, running, at('/handler/account-settings'))
    await button(page, 'Save').waitFor()
    const platform = await breakUser()
    await rename('Ada')
    await page.getByText(/^The server cannot be reached\. This is what was known at \d/).waitFor()
    // After a 200, the new name is shown until the user can be loaded again.
    await account(page, 'Account: Ada').waitFor()
    platform.isBroken = false
    await button(page, 'Try again').click()
    await page.getByText('This is what was known').waitFor({ state: 'detached' })
    await account(page, `Account: ${email}`).waitFor()
  })

  itInLong('says when the platform cannot be reached, and goes on when asked to', async () => {
    await newcomer(page, running)
    const platform = await breakUser()
    await page.goto(running.address)
    await problem(page, /\w/).waitFor()
    platform.isBroken = false
    await press(button(page, 'Try again'), heading(page, 'Welcome'))
  })

  it('shows a skeleton after a reload, never the sign-in form, and then the user', async () => {
    const { email } = await newcomer(page, running, running.address)
    await account(page, `Account: ${email}`).waitFor()
    await page.addInitScript(() => {
      const headings = new Set<string | null>()
      Object.assign(globalThis, { headings })
      new MutationObserver(() => {
        for (const found of document.querySelectorAll('h1')) headings.add(found.textContent)
      }).observe(document, { subtree: true, childList: true })
    })
    const release = await hold('GET', '/users/me')
    await page.reload()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await look(page, 'not-known-yet')
    release()
    await account(page, `Account: ${email}`).waitFor()
    expect(await page.evaluate(() => [...(Reflect.get(globalThis, 'headings') as Set<string>)])).toEqual([
      'One moment…',
      'Welcome',
    ])
  })

  it('keeps one background from the first paint on, and the width of the page while it loads', async () => {
    await newcomer(page, running)
    // The root element has none, so the whole window has that of the body.
    const backgrounds = () =>
      page.evaluate(() => [document.documentElement, document.body].map(each => getComputedStyle(each).backgroundColor))
    const none = 'rgba(0, 0, 0, 0)'
    for (const [colorScheme, background] of [
      ['light', 'rgb(247, 247, 249)'],
      ['dark', 'rgb(19, 21, 25)'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const widths: number[] = []
      const note = async (of: Locator) => widths.push((await of.boundingBox())!.width)
      // Before the script of the page has run.
      await page.route('**/*.js', route => route.abort())
      await page.goto(running.address)
      await note(page.locator('.outline > div').last())
      expect(await backgrounds()).toEqual([none, background])
      await page.unroute('**/*.js')
      const release = await hold('GET', '/users/me')
      await page.goto(running.address)
      await note(page.getByRole('status', { name: 'Loading' }))
      expect(await backgrounds()).toEqual([none, background])
      release()
      await note(page.getByRole('region', { name: 'Finish setting up' }))
      expect(await backgrounds()).toEqual([none, background])
      expect(new Set(widths).size).toBe(1)
    }
  })

  it('is refused nothing on pages that a user opens', async () => {
    const { app } = await newcomer(page, running)
    const { id: teamId } = await app.createTeam({ displayName: 'Ops' })
    await app.selectTeam({ teamId })
    const refused: string[] = []
    page.on('response', response => {
      const { 'x-stack-actual-status': actual = String(response.status()) } = response.headers()
      if (Number(actual) >= 400) refused.push(`${actual} ${new URL(response.url()).pathname}`)
    })
    const settings = runs(
      ['', '/connected-accounts'],
      ['', '/emails', '/security', '/notifications', '/connected-accounts', '/sessions', '/api-keys', '/danger-zone'],
    )
    for (const path of ['/', '/notes', '/handler/team', ...settings.map(each => `/handler/account-settings${each}`)]) {
      await page.goto(at(path))
      await loaded(page)
      await account(page).waitFor()
    }
    await page.waitForLoadState('load')
    expect(refused).toEqual([])
  })

  it('can be used with the keyboard alone from the sign-up on', async () => {
    const { keyboard } = page
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document
        const labels = element instanceof HTMLInputElement ? element.labels : null
        return labels?.[0]?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent
      })
    await page.goto(at('/handler/sign-up'))
    await field(page, 'E-mail address').waitFor()
    expect(await focused()).toBe('E-mail address')
    await keyboard.type(newEmail())
    await keyboard.press('Tab')
    expect(await focused()).toBe('Password')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await heading(page, 'Check your e-mail').waitFor()
    expect(await focused()).toBe('Check your e-mail')
    await keyboard.press('Tab')
    expect(await focused()).toBe('Continue')
    await keyboard.press('Enter')
    await heading(page, 'Welcome').waitFor()
    expect(await focused()).toBe('Welcome')
  })

  it.each(runs(['sign-in'], ['sign-in', 'sign-up']))(
    'does not jump when the methods of the project arrive, %s',
    async form => {
      const heightOf = () =>
        page.evaluate(() => document.querySelector('main .auth-card')!.getBoundingClientRect().height)
      const release = await hold('GET', '/projects/current')
      await page.goto(at(`/handler/${form}`))
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      // The browser says at once, but not in the same turn, whether it has a dialog for saved sign-ins.
      await page.evaluate(async () => {
        await (PublicKeyCredential as { getClientCapabilities?(): Promise<object> }).getClientCapabilities?.()
        await new Promise(requestAnimationFrame)
      })
      const before = await heightOf()
      release()
      await field(page, 'E-mail address').waitFor()
      expect(Math.abs((await heightOf()) - before)).toBeLessThanOrEqual(4)
    },
  )

  it.each(runs<('light' | 'dark')[]>(['dark'], ['light', 'dark']))(
    'has borders of fields that can be seen, %s',
    async colorScheme => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(at('/handler/sign-up'))
      await field(page, 'Password').waitFor()
      const [border, background] = await field(page, 'Password').evaluate(input => {
        const card = input.closest('.auth-card')!
        return [getComputedStyle(input).borderTopColor, getComputedStyle(card).backgroundColor]
      })
      expect(contrast(border, background)).toBeGreaterThanOrEqual(3)
    },
  )

  it('is accessible and fits, light and dark, wide and narrow', async () => {
    await page.setViewportSize(phone)
    const lookAt = (state: string) => lookEverywhere(page, state)
    await page.goto(at('/handler/sign-in'))
    await field(page, 'E-mail address').waitFor()
    await lookAt('sign-in')
    await newcomer(page, running, running.address)
    await heading(page, 'Welcome').waitFor()
    await lookAt('home')
    await link(page, 'Open settings').click()
    await rename('Augusta Ada King, Countess of Lovelace, mathematician')
    await page.getByText('Saved.').waitFor()
    await lookAt('profile')
    await press(account(page), page.getByRole('menuitem', { name: 'Sign out' }))
    await lookAt('account-menu')
    await page.keyboard.press('Escape')
    await context.setOffline(true)
    await page.getByText(/^You are offline\./).waitFor()
    await lookAt('offline')
  })
})

describe('notes of an own backend', () => {
  it('are for signed-in people, who come back after signing in', async () => {
    const { email } = await newAccount(running)
    await visit(page, at('/notes'), 'Sign in')
    await signIn(page, email)
    await see(heading(page, 'Notes'), page.getByText('No notes yet.'))
    await look(page, 'notes-empty')
  })

  it('are there before the backend has answered, after a reload too, and for no other user', async () => {
    await newcomer(page, running, at('/notes'))
    // An unloaded store shows no optimistic change.
    await page.getByText('No notes yet.').waitFor()
    const release = await hold('POST', '/api/notes')
    await page.getByLabel('Text of the note').fill('Write a letter')
    await page.keyboard.press('Enter')
    await page.getByText('Saving…').waitFor()
    release()
    await button(page, 'Delete the note: Write a letter').waitFor()
    await page.reload()
    await button(page, 'Delete the note: Write a letter').waitFor()
    await look(page, 'notes')
    const other = await otherPerson()
    await newcomer(other, running, at('/notes'))
    await other.getByText('No notes yet.').waitFor()
  })

  itInLong('are taken back if the backend refuses them, and what was typed is kept', async () => {
    await newcomer(page, running, at('/notes'))
    await page.getByText('No notes yet.').waitFor()
    await page.route('**/api/notes', route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.getByLabel('Text of the note').fill('Write a letter')
    await page.keyboard.press('Enter')
    await see(problem(page, 'Something went wrong'), page.getByText('No notes yet.'))
    expect(await page.getByLabel('Text of the note').inputValue()).toBe('Write a letter')
  })

  itInLong('are deleted after a question, which can be answered with no', async () => {
    await newcomer(page, running, at('/notes'))
    await page.getByLabel('Text of the note').fill('Buy tea')
    await page.keyboard.press('Enter')
    await button(page, 'Delete the note: Buy tea').click()
    await page.getByRole('dialog').getByText('will be deleted for good').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await confirm(page, button(page, 'Delete the note: Buy tea'), 'Delete note')
    await page.getByText('No notes yet.').waitFor()
  })

  itInLong('say so when they cannot be loaded, and are there when asked again', async () => {
    await newcomer(page, running)
    let isBroken = true
    await page.route('**/api/notes', route => (isBroken ? route.abort() : route.continue()))
    await page.goto(at('/notes'))
    await problem(page, 'Something went wrong').waitFor()
    isBroken = false
    await press(button(page, 'Try again'), page.getByText('No notes yet.'))
  })

  it.each([
    ['no token', {}, 'USER_AUTHENTICATION_REQUIRED'],
    ['a malformed token', { authorization: 'Bearer abc' }, 'UNPARSABLE_ACCESS_TOKEN'],
  ])('are refused for %s', async (_, headers, code) => {
    const response = await fetch(at('/api/notes'), { headers })
    expect([response.status, await response.json()]).toEqual([401, { code }])
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})
