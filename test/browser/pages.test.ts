import type { Locator } from 'playwright-core'
import { createOwnedProject, orThrow } from 'rxauth'
import { itInLong, runs } from '../runs'
import { inProject, open, owner, useOwner } from './owner'
import { linkOf } from './mailbox'
import {
  button,
  confirm,
  field,
  heading,
  kitElsewhere,
  link,
  loaded,
  look,
  newcomer,
  newEmail,
  password,
  problem,
  press,
  see,
} from './person'
import { contrast } from './shared'
import { at, context, page, running, until, useExample } from './stage'

useExample()
useOwner()

const heightOf = async (name: string) => (await button(page, name).boundingBox())!.height

/** The address in a new sign-in mail. */
async function signInLink(): Promise<string> {
  const { app } = kitElsewhere(running)
  const email = newEmail()
  orThrow(await app.sendMagicLinkEmail({ email, callbackUrl: at('/handler/magic-link-callback') }))
  app.dispose()
  return linkOf(email)
}

describe('the page of a sign-in link', () => {
  it.each([
    ['that has been used', 'This link has been used already. Ask for a new one.'],
    ['that the platform cannot be asked about', 'The server cannot be reached. Please try again.'],
  ])('%s says only what is wrong', async (what, complaint) => {
    const address = await signInLink()
    if (what === 'that has been used') {
      const { app } = kitElsewhere(running)
      orThrow(await app.signInWithMagicLink({ code: new URL(address).searchParams.get('code')! }))
      app.dispose()
    } else await page.route('**/otp/sign-in', route => route.abort())
    await page.goto(address)
    await press(button(page, 'Continue'), problem(page, complaint))
    expect(await page.getByRole('main').innerText()).not.toMatch(/good|Continue/)
  })
})

it.each([
  ['magic-link-callback', '/handler/sign-in'],
  ['email-verification', '/handler/account-settings/emails'],
  ['password-reset', '/handler/forgot-password'],
  ['team-invitation', null],
])('a link to %s without its code is called incomplete, and leads to a new one', async (handler, target) => {
  await page.goto(at(`/handler/${handler}?code=`))
  await page.getByRole('alert').filter({ hasText: 'This link is incomplete.' }).waitFor()
  if (target !== null) expect(await link(page, 'Ask for a new e-mail').getAttribute('href')).toBe(target)
})

it.each([
  ['magic-link-callback', 'Continue', '/handler/sign-in'],
  ['email-verification', 'Verify e-mail address', '/handler/account-settings/emails'],
  ['password-reset', null, '/handler/forgot-password'],
])('a link to %s with a code that cannot be one is not valid, and leads to a new one', async (handler, act, target) => {
  for (const code of ['bad', '0'.repeat(45)]) {
    await page.goto(at(`/handler/${handler}?code=${code}`))
    if (act !== null) await button(page, act).click()
    await page.getByRole('alert').filter({ hasText: 'This link is not valid.' }).waitFor()
    expect(await link(page, 'Ask for a new e-mail').getAttribute('href')).toBe(target)
    expect(await button(page, 'Try again').count()).toBe(0)
  }
})

describe('the focus', () => {
  /** The outline of the element that shows the focus, and the background behind it. */
  const outlineOf = (of: Locator) =>
    of.evaluate(element => {
      const shown = [element, element.parentElement!, element.nextElementSibling].find(
        each => each && getComputedStyle(each).outlineStyle === 'solid',
      )
      const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(shown ?? element)
      let behind = element.closest('.auth-field')?.parentElement ?? element.parentElement
      while (behind && /^(transparent|rgba\(.*, 0\))$/.test(getComputedStyle(behind).backgroundColor))
        behind = behind.parentElement
      const background = getComputedStyle(behind ?? document.body).backgroundColor
      return { outline: [outlineWidth, outlineStyle, outlineColor], background }
    })

  it.each(['light', 'dark'] as const)('is shown by fields as by buttons, with a contrast of 3:1: %s', async scheme => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    const shown = async (of: Locator) => {
      await of.focus()
      // A press of a key, so that the browser shows the focus.
      await page.keyboard.press('Shift')
      return outlineOf(of)
    }
    await page.goto(at('/handler/sign-in'))
    await field(page, 'E-mail address').fill(newEmail())
    const expected = await shown(button(page, 'Sign in with a passkey'))
    expect(expected.outline.slice(0, 2)).toEqual(['2px', 'solid'])
    expect(contrast(expected.outline[2]!, expected.background)).toBeGreaterThan(3)
    const others = [field(page, 'E-mail address'), link(page, 'Create an account')]
    for (const each of others) expect((await shown(each)).outline).toEqual(expected.outline)
    await button(page, 'Continue').click()
    expect((await shown(field(page, 'Password'))).outline).toEqual(expected.outline)

    await newcomer(page, running, at('/handler/account-settings/notifications'))
    await loaded(page)
    expect((await shown(page.getByRole('switch').last())).outline).toEqual(expected.outline)
    await page.setViewportSize({ width: 390, height: 900 })
    expect((await shown(page.getByRole('combobox', { name: 'Account settings' }))).outline).toEqual(expected.outline)
  })
})

describe('the sign-in page', () => {
  it('has buttons of one height, each with all of its words', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto(at('/handler/sign-in'))
    await button(page, 'Sign in with a passkey').waitFor()
    expect(await heightOf('Sign in with a passkey')).toBe(await heightOf('Continue with GitHub'))
    const cut = await page
      .locator('main .auth-button')
      .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent))
    expect(cut).toEqual([])
  })

  itInLong('has no link to a mailbox if the platform has none', async () => {
    await page.goto(at('/handler/sign-in'))
    await link(page, 'Mailbox').waitFor()
    await page.addInitScript(() => {
      let environment = {}
      Object.defineProperty(globalThis, 'environment', {
        get: () => environment,
        set(value: object) {
          environment = { ...value, VITE_MAILBOX_URL: undefined }
        },
      })
    })
    await page.reload()
    await field(page, 'E-mail address').waitFor()
    expect(await link(page, 'Mailbox').count()).toBe(0)
  })
})

describe('a page that is loading', () => {
  it.each([
    ['moves', 'no-preference'],
    ['stands still', 'reduce'],
  ] as const)('%s where the system asks for %s', async (does, reducedMotion) => {
    await page.emulateMedia({ reducedMotion })
    await newcomer(page, running)
    // Never answered.
    await page.route('**/api/v1/users/me', () => undefined)
    await page.goto(running.address)
    await page.locator('.auth-skeleton').first().waitFor()
    const animations = await page.evaluate(() => document.getAnimations().length)
    expect(animations > 0).toBe(does === 'moves')
  })
})

describe('the sessions', () => {
  it('are all ended by one button, with its limits beside it', async () => {
    const { email } = await newcomer(page, running)
    const { app } = kitElsewhere(running)
    orThrow(await app.signInWithPassword({ email, password }))
    await page.goto(at('/handler/account-settings/sessions'))
    await page.getByText('may keep access for up to ten minutes').waitFor()
    await confirm(page, button(page, 'Sign out everywhere'), 'Sign out everywhere')
    await heading(page, 'Sign in').waitFor()
    // Its access token is still valid. The page's own session is ended last, beside what the page shows.
    await until(() => app.sessions$.refresh(), [])
    app.dispose()
  })
})

describe('the pages of the local platform', () => {
  it.each([...runs<['light', number][]>([], [['light', 1280]]), ['dark', 360]] as const)(
    'are accessible and fit, %s and %i wide',
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await signInLink()
      await page.goto(`${running.platform}/mailbox`)
      await look(page, `mailbox-${colorScheme}-${width}`)
      await page.goto(at('/handler/sign-in'))
      await button(page, 'Continue with GitHub').click()
      await page.getByLabel('Another account').check()
      await press(button(page, 'Continue'), problem(page, 'Enter an e-mail address'))
      await look(page, `provider-${colorScheme}-${width}`)
    },
  )

  it('offer the seeded users: one is signed in with two clicks', async () => {
    await page.goto(at('/handler/sign-in'))
    await button(page, 'Continue with GitHub').click()
    await page.getByLabel('Grace Hopper').check()
    await press(button(page, 'Continue'), heading(page, 'Welcome, Grace Hopper'))
  })
})

describe('the admin area', () => {
  itInLong('shows users without activity as such', async () => {
    const { id } = await createOwnedProject(owner, { displayName: 'Quiet' })
    await open(inProject('/users', id), 'Users')
    await button(page, 'Create a user').click()
    await page.getByRole('dialog').getByLabel('E-mail address').fill(newEmail())
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create user' }), heading(page, 'Profile'))
    await link(page, 'Overview').click()
    await page.getByRole('region', { name: 'Recently active' }).getByText('No active users yet.').waitFor()
  })

  itInLong('distinguishes projects of one name by their ids', async () => {
    const { id } = await createOwnedProject(owner, { displayName: 'Namesake' })
    const { id: other } = await createOwnedProject(owner, { displayName: 'Namesake' })
    await open(at('/admin'), 'Your projects')
    for (const each of [id, other]) await page.getByText(`${each.slice(0, 8)}…`).waitFor()
    await press(link(page, `Open Namesake (${other.slice(0, 8)})`), heading(page, 'Overview'))
    expect(page.url()).toBe(inProject('', other))
  })
})

describe('a mail in the console', () => {
  it('keeps its place when its link is followed, which opens a tab, and runs no script', async () => {
    await signInLink()
    await page.goto(`${running.platform}/#/mailbox`)
    const mail = page.frameLocator('iframe').getByRole('link', { name: 'Sign in' })
    const [tab] = await Promise.all([context.waitForEvent('page'), mail.click()])
    await see(button(tab, 'Continue'), mail)
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toMatch(/allow-(scripts|same-origin|top)/)
  })
})
