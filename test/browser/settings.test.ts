import { createClientApp, memoryTokens, orThrow } from 'rxauth'
import { openMail } from './mailbox'
import {
  account,
  answered,
  button,
  confirm,
  field,
  heading,
  link,
  loaded,
  look,
  lookEverywhere,
  newcomer,
  newEmail,
  password,
  phone,
  problem,
  signIn,
  signOut,
  typeCode,
  typeDigits,
  press,
  submit,
  visit,
  see,
} from './person'
import { at, itInExample, page, running, useExample } from './stage'

useExample()

const settings = (section: string) => page.goto(at(`/handler/account-settings/${section}`))
const isHome = () => heading(page, /^Welcome/).waitFor()

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text).map(character =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, byte => parseInt(byte, 2))
}

describe('a password', () => {
  it('is changed in the settings, if the current one is right', async () => {
    const { email } = await newcomer(page, running)
    await settings('security')
    const change = async (current: string) => {
      await submit(page, { 'Current password': current, 'New password': 'another horse battery' }, 'Change password')
    }
    await change('wrong horse battery')
    await problem(page, 'Wrong current password.').waitFor()
    await change(password)
    await page.getByText('Your password is changed.').waitFor()
    await signOut(page)
    await signIn(page, email, 'another horse battery')
    await isHome()
  })
})

describe('a second factor', () => {
  const enrol = async () => {
    await settings('security')
    await press(button(page, 'Set up'), page.getByAltText('QR code for an authenticator app'))
    await look(page, 'two-step-scan')
    const secret = fromBase32((await page.getByLabel('Key for the authenticator app', { exact: true }).textContent())!)
    await button(page, 'Next').click()
    await typeCode(page, 'Code that the app shows', '000000')
    await problem(page, 'Wrong code.').waitFor()
    await look(page, 'two-step-confirm')
    await typeDigits(page, 'Code that the app shows', secret, '/users/me')
    await button(page, 'Turn off').waitFor()
    return secret
  }

  it('is set up in two steps, asked for at the next sign-in, survives a reload, and is turned off', async () => {
    const { email } = await newcomer(page, running)
    const secret = await enrol()
    await signOut(page)
    await signIn(page, email)
    await heading(page, 'Two-step verification').waitFor()
    await page.reload()
    await heading(page, 'Two-step verification').waitFor()
    await look(page, 'mfa')
    await typeCode(page, 'Code', '000000')
    await problem(page, 'Wrong code.').waitFor()
    await typeDigits(page, 'Code', secret, '/auth/mfa/sign-in')
    await isHome()
    await settings('security')
    await confirm(page, button(page, 'Turn off'), 'Turn off')
    await button(page, 'Set up').waitFor()
  })
})

describe('the e-mail addresses', () => {
  const row = (email: string) => page.getByRole('listitem').filter({ hasText: email })
  const act = async (email: string, action: string) => {
    await button(page, `Actions for ${email}`).click()
    // The menu of another row may still be closing, and has the same items.
    await row(email).getByRole('menuitem', { name: action, exact: true }).click()
  }

  it('are added, verified by a link, made primary, used for signing in, and deleted after a question', async () => {
    const { email: first } = await newcomer(page, running)
    const second = newEmail()
    await settings('emails')
    await row(first).getByText('Primary').waitFor()
    await submit(page, { 'New e-mail address': 'nonsense' }, 'Add address', problem(page, 'Enter an e-mail address'))
    await field(page, 'New e-mail address').fill(second)
    await answered(page, 'POST', '/send-verification-code', () => button(page, 'Add address').click())
    await see(row(second).getByText('Unverified', { exact: true }), button(page, `Resend link to ${second}`))
    await look(page, 'emails')
    const mails = await openMail(second)
    await press(button(mails, 'Verify e-mail address'), heading(mails, 'Your e-mail address is verified'))
    await page.reload()
    await row(second).waitFor()
    expect(await row(second).getByText('Unverified', { exact: true }).count()).toBe(0)
    await act(second, 'Make primary')
    await see(row(second).getByText('Primary'), account(page, `Account: ${second}`))
    await act(second, 'Use for sign-in')
    await row(second).getByText('Used for sign-in').waitFor()
    await act(first, 'Delete')
    await page.getByRole('dialog').getByText(`You can no longer sign in with ${first}.`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete address', exact: true }).click()
    await row(first).waitFor({ state: 'detached' })
    await signOut(page)
    await signIn(page, second)
    await isHome()
  })
})

describe('the sessions list', () => {
  // Its backend knows the devices.
  itInExample(
    'shows where and when each was last used, as far as that is known, and ends another one after a question',
    async () => {
      const { email } = await newcomer(page, running)
      const { projectId, publishableClientKey, platform: baseUrl } = running
      // A proxy in front of the platform would set this header.
      const extraHeaders = {
        'x-forwarded-for': '203.0.113.7',
        'x-vercel-ip-city': 'Zurich',
        'x-vercel-ip-country': 'CH',
      }
      const config = { projectId, publishableClientKey, baseUrl, extraHeaders }
      const elsewhere = createClientApp({ ...config, tokens: memoryTokens() })
      orThrow(await elsewhere.signInWithPassword({ email, password }))
      await settings('sessions')
      const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })
      await row('This device').getByText('Chrome on Linux').waitFor()
      await row('This device')
        .getByText(/Signed in today/)
        .waitFor()
      await row('Zurich, CH (203.0.113.7)')
        .getByText(/Last used today, .+ · Signed in today/)
        .waitFor()
      expect(await page.getByText('Unknown').count()).toBe(0)
      const session = (await elsewhere.sessions$.get()).find(({ isCurrentSession }) => isCurrentSession)!
      const instants = row('Zurich')
        .locator('time')
        .evaluateAll(all => all.map(each => each.getAttribute('datetime')))
      expect(await instants).toEqual([session.lastUsedAt!.toISOString(), session.createdAt.toISOString()])
      const end = button(page, /^Sign out .*, signed in /)
      await confirm(page, end, 'Sign out device')
      await end.waitFor({ state: 'detached' })
      elsewhere.dispose()
    },
  )
})

describe('every page of the sign-in', () => {
  it('is accessible and fits on a phone, light and dark', async () => {
    await page.setViewportSize(phone)
    for (const path of ['sign-up', 'forgot-password', 'mfa', 'error', 'password-reset', 'email-verification?code=1']) {
      await page.goto(at(`/handler/${path}`))
      await page.getByRole('heading').first().waitFor()
      await loaded(page)
      await lookEverywhere(page, path.replace(/\?.*/, ''), [phone])
    }
    await newcomer(page, running)
    for (const section of ['', 'emails', 'security', 'connected-accounts', 'sessions', 'danger-zone']) {
      await settings(section)
      await account(page).waitFor()
      await loaded(page)
      await lookEverywhere(page, `settings-${section}`, [phone])
    }
    await page.getByRole('combobox', { name: 'Account settings' }).selectOption('Security')
    await heading(page, 'Security').waitFor()
  })

  it('shows an unknown page as such, with a link to continue', async () => {
    for (const path of ['/handler/nonsense', '/nonsense']) {
      await visit(page, at(path), 'Page not found')
    }
    await press(link(page, 'Go to the start page'), heading(page, 'Sign in'))
  })
})
