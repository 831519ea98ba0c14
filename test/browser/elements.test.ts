import { account, answered, button, field, heading, newcomer, password, typeDigits, press, see } from './person'
import { inProject, signInOwner, useOwner } from './owner'
import { at, context, page, running, useExample } from './stage'

useExample()
useOwner()

const menu = () => page.getByRole('menu')
const dialog = () => page.getByRole('dialog')
const focused = () => page.locator(':focus')

describe('a menu', () => {
  beforeEach(async () => {
    await newcomer(page, running, at('/'))
  })

  it('is closed by its own button', async () => {
    await press(account(page), menu())
    await account(page).click()
    await menu().waitFor({ state: 'hidden' })
    // A second press would open it once more.
    expect(await menu().count()).toBe(0)
  })

  it('is left by Tab, from its button on', async () => {
    await account(page).press('Enter')
    await page.getByRole('menuitem', { name: 'Account settings' }).and(focused()).waitFor()
    await page.keyboard.press('Shift+Tab')
    await menu().waitFor({ state: 'hidden' })
    await button(page, /^Use (dark|light) colours$/)
      .and(focused())
      .waitFor()
  })
})

describe('a dialog', () => {
  it('with new keys is closed by its own buttons only, and has the focus at the first key', async () => {
    await signInOwner()
    await page.goto(inProject('/keys'))
    await button(page, 'Create keys').click()
    await field(page, 'What they are for').fill('Web shop')
    await dialog().getByRole('button', { name: 'Create keys' }).click()
    await dialog()
      .getByRole('button', { name: /^Copy: / })
      .first()
      .and(focused())
      .waitFor()
    await page.mouse.click(2, 2)
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
    // As a browser before Chrome 134 does it.
    await dialog().evaluate(shown => shown.removeAttribute('closedby'))
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
    await button(page, 'Done').click()
    await dialog().waitFor({ state: 'detached' })
    await button(page, 'Create keys').and(focused()).waitFor()
  })

  it('of an API key stays while the key is made, and hands the focus to it', async () => {
    await newcomer(page, running, at('/handler/account-settings/api-keys'))
    let made = () => {}
    const isAsked = new Promise<void>(asked => {
      void page.route('**/user-api-keys', async route => {
        if (route.request().method() === 'POST') {
          asked()
          await new Promise<void>(resolve => (made = resolve))
        }
        await route.continue()
      })
    })
    await button(page, 'Create a key').click()
    await field(page, 'What it is for').fill('Nightly import')
    await page.keyboard.press('Enter')
    await isAsked
    await page.keyboard.press('Escape')
    await page.mouse.click(2, 2)
    made()
    await button(page, 'Copy: New key').and(focused()).waitFor()
  })

  it('that disappears with its row hands the focus to the heading', async () => {
    await newcomer(page, running, at('/notes'))
    await field(page, 'Text of the note').fill('Tea')
    await page.keyboard.press('Enter')
    await button(page, 'Delete the note: Tea').click()
    await press(button(page, 'Delete note'), heading(page, 'Notes').and(focused()))
  })
})

describe('a form', () => {
  it('keeps the focus at its button while it saves, and saves once', async () => {
    await newcomer(page, running, at('/handler/account-settings'))
    const name = page.getByRole('textbox', { name: 'Display name' })
    await name.fill('Ada')
    const save = page.locator('form').filter({ has: name }).getByRole('button')
    let writes = 0
    let answer!: () => void
    const isAnswered = new Promise<void>(resolve => (answer = resolve))
    await page.route('**/users/me', async route => {
      if (route.request().method() === 'PATCH') {
        writes += 1
        await isAnswered
      }
      await route.continue()
    })
    await save.press('Enter')
    await page.getByText('Saving…').waitFor()
    await save.press('Enter')
    expect(await save.and(focused()).count()).toBe(1)
    answer()
    await page.getByText('Saving…').waitFor({ state: 'detached' })
    await account(page, 'Account: Ada').waitFor()
    expect(writes).toBe(1)
  })

  it('keeps what is typed while it saves', async () => {
    await newcomer(page, running, at('/handler/account-settings'))
    const name = page.getByRole('textbox', { name: 'Display name' })
    await name.fill('Ada')
    await answered(page, 'PATCH', '/users/me', async () => {
      await page.route('**/users/me', async route => {
        if (route.request().method() === 'PATCH') await name.pressSequentially(' L')
        await route.continue()
      })
      await name.press('Enter')
    })
    await account(page, 'Account: Ada').waitFor()
    await page.getByText('Saving…').waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Ada L')
  })

  it('shows the first box that is empty, and keeps a digit under a letter', async () => {
    await newcomer(page, running, at('/handler/account-settings/security'))
    await button(page, 'Set up').click()
    await button(page, 'Next').click()
    const box = (number: number) => page.getByLabel(`Code that the app shows: ${number} of 6`)
    await box(4).click()
    await page.keyboard.type('12')
    expect(await box(2).inputValue()).toBe('2')
    await box(3).and(focused()).waitFor()
    await box(1).focus()
    await page.keyboard.type('a')
    expect(await box(1).inputValue()).toBe('1')
  })

  it('asks for a code again after the app’s own server has failed', async () => {
    const { app } = await newcomer(page, running)
    const { secret } = await app.startTotpEnrolment()
    await app.updateUser({ totpSecretBase64: btoa(String.fromCharCode(...secret)) })
    await page.goto(at('/handler/account-settings/danger-zone'))
    await button(page, 'Delete account').click()
    await field(page, 'Your password').fill(password)
    await page.route('**/api/account', route => route.fulfill({ status: 500, body: '' }))
    await button(page, 'Delete account for good').click()
    await typeDigits(page, 'Code of your authenticator app', secret, '/auth/mfa/sign-in')
    await see(page.locator('.field-error'), field(page, 'Code of your authenticator app: 1 of 6').and(focused()))
    expect(await focused().inputValue()).toBe('')
  })
})

it('the colours that one tab chooses are those of all tabs', async () => {
  const other = await context.newPage()
  await Promise.all([page, other].map(each => each.goto(at('/handler/sign-in'))))
  await press(button(page, 'Use dark colours'), button(other, 'Use light colours'))
})
