import { promptCliLogin } from 'rxauth'
import { itInLong } from '../runs'
import { authenticatorFor } from './authenticator'
import { mailbox, openMail } from './mailbox'
import {
  account,
  button,
  confirm,
  field,
  heading,
  kitElsewhere,
  link,
  look,
  newAccount,
  newcomer,
  newEmail,
  password,
  problem,
  signIn,
  signOut,
  told,
  typeCode,
  press,
  submit,
  see,
} from './person'
import { at, itInExample, otherPerson, page, running, useExample, until } from './stage'

// Pages of links and providers may use a code only once, although React runs effects twice in development.
useExample({ mode: 'development' })

const settings = (section: string, on = page) => on.goto(at(`/handler/account-settings/${section}`))
const isHome = (on = page) => heading(on, /^Welcome/).waitFor()

async function sendMagicLink(email: string): Promise<void> {
  await page.goto(at('/handler/sign-in?after_auth_return_to=%2F%3Ffrom%3Dlink'))
  await submit(page, { 'E-mail address': email }, 'Continue')
  await press(button(page, 'E-mail me a sign-in link'), heading(page, 'Check your e-mail'))
}

describe('a password', () => {
  // The list on the start page of the example.
  itInExample(
    'is set by signing up, and the address verified by the link in the mailbox, which every tab is told',
    async () => {
      const email = newEmail()
      await page.goto(at('/handler/sign-up'))
      await field(page, 'E-mail address').fill(email)
      await field(page, 'Password').fill(password)
      await button(page, 'Show password').click()
      expect(await field(page, 'Password').getAttribute('type')).toBe('text')
      await press(button(page, 'Create account'), heading(page, 'Check your e-mail'))
      await look(page, 'welcome')
      await press(button(page, 'Send again'), told(page, /^We sent another/))
      const mails = await openMail(email)
      await heading(mails, 'Verify your e-mail address').waitFor()
      await look(mails, 'email-verification')
      await press(button(mails, 'Verify e-mail address'), heading(mails, 'Your e-mail address is verified'))
      await press(link(mails, 'Continue'), mails.getByText('1 of 4 done'))
    },
  )

  it('is forgotten, and chosen anew', async () => {
    const { email } = await newAccount(running)
    await page.goto(at('/handler/sign-in'))
    await submit(page, { 'E-mail address': email }, 'Continue')
    await press(link(page, 'Forgot your password?'), heading(page, 'Forgot your password?'))
    await look(page, 'forgot-password')
    await submit(page, { 'E-mail address': email }, 'Send the link', page.getByText('If there is an account with'))
    const mails = await openMail(email)
    await field(mails, 'New password').waitFor()
    const used = mails.url()
    await look(mails, 'password-reset')
    await submit(mails, { 'New password': 'short' }, 'Change password', problem(mails, 'Use at least 8 characters.'))
    await submit(mails, { 'New password': 'another horse battery' }, 'Change password')
    await heading(mails, 'Your password is changed').waitFor()
    await link(mails, 'Sign in').click()
    await signIn(mails, email)
    await problem(mails, 'Wrong e-mail or password.').waitFor()
    await submit(mails, { Password: 'another horse battery' }, 'Sign in')
    await isHome(mails)
    // Before a password is typed.
    await page.goto(used)
    await problem(page, 'This link has been used already.').waitFor()
    expect(await field(page, 'New password').count()).toBe(0)
    await press(link(page, 'Ask for a new e-mail'), heading(page, 'Forgot your password?'))
  })
})

describe('a magic link', () => {
  it('signs in when its button is pressed, and leads back', async () => {
    const email = newEmail()
    await sendMagicLink(email)
    const mails = await openMail(email)
    await heading(mails, 'Sign in').waitFor()
    await look(mails, 'magic-link-callback')
    await button(mails, 'Continue').click()
    await isHome(mails)
    expect(mails.url()).toBe(at('/?from=link'))
    // The tab that asked for the mail is in the same browser.
    await page.goto(running.address)
    await isHome()
  })

  it('has six characters, which may be mistyped once and typed after a reload', async () => {
    const email = newEmail()
    await sendMagicLink(email)
    const mails = await mailbox(email)
    const code = (await mails.locator('article strong').first().textContent())!
    await typeCode(page, 'Code', '000000')
    await problem(page, 'Wrong code.').waitFor()
    await page.reload()
    await heading(page, 'Check your e-mail').waitFor()
    // Nothing but the code.
    expect(await field(page, 'E-mail address').count()).toBe(0)
    await look(page, 'magic-link-code')
    await typeCode(page, 'Code', code.toLowerCase())
    await isHome()
  })

  itInLong('makes an account, is sent again when asked to, and gives way to another way', async () => {
    const email = newEmail()
    await page.goto(at('/handler/sign-up'))
    await button(page, 'Use an e-mail link instead').click()
    await submit(page, { 'E-mail address': email }, 'E-mail me a link', heading(page, 'Check your e-mail'))
    await press(button(page, 'Send again'), told(page, /^We sent another/))
    await press(button(page, 'Use another method'), heading(page, 'Create your account'))
    const mails = await openMail(email)
    await button(mails, 'Continue').click()
    await isHome(mails)
  })
})

it('a mail scanner that opens every link, and runs what is on the page, uses up no code', async () => {
  const scan = async (email: string) => {
    const mails = await mailbox(email)
    const links = mails.locator('article').first().getByRole('link')
    const urls = await links.evaluateAll(all => all.map(each => (each as HTMLAnchorElement).href))
    expect(urls.some(url => new URL(url).searchParams.has('code'))).toBe(true)
    await mails.close()
    for (const url of urls) {
      const scanner = await otherPerson()
      await scanner.goto(url)
      await scanner.waitForLoadState('networkidle')
      await scanner.close()
    }
  }

  const { email } = await newAccount(running)
  await scan(email)
  const verifying = await openMail(email)
  await press(button(verifying, 'Verify e-mail address'), heading(verifying, 'Your e-mail address is verified'))

  await page.goto(at('/handler/forgot-password'))
  await submit(page, { 'E-mail address': email }, 'Send the link', page.getByText('If there is an account with'))
  await scan(email)
  const resetting = await openMail(email)
  await submit(resetting, { 'New password': 'another horse battery' }, 'Change password')
  await heading(resetting, 'Your password is changed').waitFor()

  await sendMagicLink(email)
  await scan(email)
  const entering = await openMail(email)
  await button(entering, 'Continue').click()
  await isHome(entering)
})

describe('a passkey', () => {
  const device = async () => {
    const touch = await authenticatorFor(page, false)
    await page.addInitScript(() => {
      const { get } = CredentialsContainer.prototype
      CredentialsContainer.prototype.get = function (options) {
        if (options?.mediation === 'conditional') document.documentElement.dataset['suggesting'] = 'passkeys'
        return get.call(this, options)
      }
    })
    /** Calls `run`, which leads to a form that suggests passkeys, and waits until the form does so. */
    const suggestedAfter = async (run: () => Promise<void>) => {
      await page.evaluate(() => delete document.documentElement.dataset['suggesting'])
      await run()
      await page.locator('html[data-suggesting]').waitFor({ state: 'attached' })
    }
    return { touch, suggestedAfter }
  }

  it('is added in the settings, signs in by its button and among the suggestions, and is removed', async () => {
    const { touch, suggestedAfter } = await device()
    const { email } = await newcomer(page, running)
    await settings('security')
    await button(page, 'Add a passkey').waitFor()
    await touch(true)
    await press(button(page, 'Add a passkey'), button(page, 'Remove'))
    await touch(false)
    await look(page, 'security')

    // Among the suggestions: from now on this authenticator answers every request, without a press of a button.
    await touch(true)
    const chosen = page.waitForRequest(request => request.url().endsWith('/auth/passkey/sign-in'))
    await account(page).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await chosen
    await isHome()
    await touch(false)
    await suggestedAfter(() => signOut(page))

    // The request of the suggestions is under way by now; this authenticator answers only later requests.
    await touch(true)
    await press(button(page, 'Sign in with a passkey Last used'), account(page, `Account: ${email}`))
    await settings('security')
    await confirm(page, button(page, 'Remove'), 'Remove passkey')
    await button(page, 'Add a passkey').waitFor()
  })

  it('is offered by the browser under the present names, and not after its removal', async () => {
    const device = await authenticatorFor(page)
    const { app, email } = await newcomer(page, running)
    await settings('security')
    await press(button(page, 'Add a passkey'), button(page, 'Remove'))
    await until(device.offered, [[email, email]])
    // By another device, of which this page hears when it loads.
    await app.updateUser({ displayName: 'Countess' })
    await settings('security')
    await until(device.offered, [[email, 'Countess']])
    await confirm(page, button(page, 'Remove'), 'Remove passkey')
    await until(device.offered, [])
  })

  // Promise: saved-sign-in
  it('signs in at one press with what the browser has saved, and says when that is nothing', async () => {
    const { touch, suggestedAfter } = await device()
    const saved = button(page, 'Sign in with what is saved here')
    await page.goto(at('/handler/sign-in'))
    await press(saved, problem(page, 'This browser has nothing saved for this site. Sign in below.'))
    await newcomer(page, running)
    await settings('security')
    await touch(true)
    await press(button(page, 'Add a passkey'), button(page, 'Remove'))
    await touch(false)
    await suggestedAfter(() => signOut(page))
    await touch(true)
    await saved.click()
    await isHome()
  })
})

describe('a provider', () => {
  const begin = async () => {
    await page.goto(at('/handler/sign-in?after_auth_return_to=%2Fhandler%2Faccount-settings'))
    await press(button(page, 'Continue with GitHub'), button(page, 'Refuse'))
  }

  itInLong('has a button with its mark, above the field for the address', async () => {
    await page.goto(at('/handler/sign-in'))
    await field(page, 'E-mail address').waitFor()
    const controls = await page
      .locator('main :is(button, input)')
      .evaluateAll(all => all.map(each => [each.textContent, each.querySelector('svg path') !== null]))
    expect(controls.slice(0, 4)).toEqual([
      ['Sign in with what is saved here', true],
      ['Continue with GitHub', true],
      ['Continue with Google', true],
      ['', false],
    ])
  })

  it('is asked who signs in, and leads back to where the person came from', async () => {
    const email = newEmail()
    await begin()
    await look(page, 'provider')
    await page.getByRole('radio').last().check()
    await page.getByLabel('E-mail address', { exact: true }).fill(email)
    await page.getByLabel('Name (optional)').fill('Grace')
    await press(button(page, 'Continue'), heading(page, 'Profile'))
    await account(page, 'Account: Grace').waitFor()
    expect(page.url()).toBe(at('/handler/account-settings'))
  })

  it('is connected in the settings to the account that is there, and signs in to it', async () => {
    const { email } = await newcomer(page, running)
    await settings('connected-accounts')
    await button(page, 'Connect GitHub').waitFor()
    await look(page, 'connected-accounts')
    await button(page, 'Connect GitHub').click()
    await page.getByRole('radio').last().check()
    await page.getByLabel('E-mail address', { exact: true }).fill(`github-${email}`)
    await press(button(page, 'Continue'), heading(page, 'Connected accounts'))
    await see(page.getByText('Connected', { exact: true }), page.getByText(`github-${email}`))
    await signOut(page)
    await button(page, 'Continue with GitHub').click()
    await page.getByLabel(`github-${email}`).check()
    await press(button(page, 'Continue'), account(page, `Account: ${email}`))
    await signOut(page)
    await button(page, 'Continue with GitHub Last used').waitFor()
    await look(page, 'sign-in-last-used')
    await signIn(page, email)
    await account(page, `Account: ${email}`).waitFor()
    await signOut(page)
    await page.getByText('You signed in with your password last time.').waitFor()
    expect(await page.getByText('Last used').count()).toBe(0)
  })

  itInLong('that refuses browsers inside apps has a notice there, and the others have none', async () => {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) AppleWebKit/605.1.15 Mobile/22F76 Instagram 361.0.0.35.81'
    const other = await otherPerson({ userAgent })
    await other.goto(at('/handler/sign-in'))
    await button(other, 'Continue with Google').waitFor()
    expect(await other.getByRole('note').allTextContents()).toEqual([
      'Google may not work inside another app. Open this page in your browser.',
      'A passkey may not work inside another app. Open this page in your browser.',
    ])
  })
})

describe('a person without an account', () => {
  it.each(['/handler/sign-in', '/handler/team'])('comes home from %s, which is for others', async path => {
    await page.goto(at(path))
    await press(button(page, 'Continue as a guest'), heading(page, 'Welcome, guest'))
    expect(page.url()).toBe(at('/'))
  })

  it('looks around, and is gone after signing out', async () => {
    await page.goto(running.address)
    await press(button(page, 'Continue as a guest'), heading(page, 'Welcome, guest'))
    await look(page, 'guest')
    await signOut(page)
    await page.reload()
    await heading(page, 'Sign in').waitFor()
  })
})

describe('a program', () => {
  it('shows an address, and is signed in when a person has signed in there, compared and approved', async () => {
    const { email } = await newAccount(running)
    const { app } = kitElsewhere(running)
    let show: (url: string) => void = () => undefined
    const shown = new Promise<string>(resolve => (show = resolve))
    const login = promptCliLogin(app, { appUrl: running.address.replace(/\/$/, ''), waitMillis: 50, promptLink: show })
    const url = await shown
    await page.goto(url)
    // The page requires a sign-in, which comes back to it.
    await heading(page, 'Sign in').waitFor()
    await signIn(page, email)
    await heading(page, 'Sign in to a program?').waitFor()
    expect(url.endsWith((await page.getByLabel('End of the address').textContent())!)).toBe(true)
    await look(page, 'cli-auth-confirm')
    expect(await app.accessToken()).toBeNull()
    await press(button(page, 'Sign in'), heading(page, 'The program is signed in'))
    expect((await login).ok).toBe(true)
    expect(await app.user$.get()).toMatchObject({ primaryEmail: email })
    app.dispose()
  })

  it('whose login has ended is told so, and not that something was entered', async () => {
    await newcomer(page, running, at(`/handler/cli-auth-confirm?login_code=${'0'.repeat(45)}`))
    await press(button(page, 'Sign in'), problem(page, 'This address is not valid: it was used already, has expired'))
    await link(page, 'Go to the start page').first().waitFor()
  })

  itInLong('whose address was copied in part shows a message', async () => {
    await newcomer(page, running, at('/handler/cli-auth-confirm'))
    await problem(page, 'This address is incomplete.').waitFor()
  })
})

describe('the sign-out page', () => {
  it('signs out, and the start page says so', async () => {
    await newcomer(page, running, at('/handler/sign-out'))
    await page.getByText('You have signed out.').waitFor()
    expect(page.url()).toBe(at('/'))
  })
})
