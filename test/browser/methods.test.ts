import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createClientApp, memoryTokens } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { launchChromium } from './chromium'
import { artifacts, runExample } from './example'
import type { Program } from './example'

const patience = 30_000
const password = 'correct horse battery'

let program: Program
let browser: Browser
let address: string
let platform: string
let keys: { readonly projectId: string; readonly publishableClientKey: string }
let context: BrowserContext
let page: Page
let people = 0

beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  program = runExample('start.mjs')
  address = (await program.printed(/^Page +(\S+)$/m))[1]!
  platform = (await program.printed(/^Platform +(\S+)$/m))[1]!
  const projectId = (await program.printed(/^Project id +(\S+)$/m))[1]!
  const publishableClientKey = (await program.printed(/^Publishable key +(\S+)$/m))[1]!
  keys = { projectId, publishableClientKey }
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  program.kill('SIGTERM')
  await program.ended
})

beforeEach(async () => {
  context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(patience)
  page = await context.newPage()
})

afterEach(() => context.close())

const at = (path: string) => new URL(path, address).href
const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true })
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
const problem = (text: string | RegExp, on = page) => on.getByRole('alert').filter({ hasText: text })
const newEmail = () => `somebody-${++people}@example.com`
const isSignedIn = (on = page) => heading('Your account', on).waitFor()

/** The page as it is: accessible, no wider than the window, kept as a picture. */
async function look(name: string, on = page): Promise<void> {
  await on.evaluate(axe.source)
  const violations = await on.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as {
      run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
    }
    return (await run.run()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
  })
  expect(violations).toEqual([])
  expect(await on.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await on.screenshot({ path: join(artifacts, `${name}.png`), fullPage: true })
}

async function signUp(on = page): Promise<string> {
  const email = newEmail()
  await on.goto(at('/handler/sign-up'))
  await on.getByLabel('E-mail').fill(email)
  await on.getByLabel('Password').fill(password)
  await button('Create an account', on).click()
  await isSignedIn(on)
  return email
}

async function signIn(email: string, on = page, secret = password): Promise<void> {
  await on.getByLabel('E-mail').fill(email)
  await on.getByLabel('Password').fill(secret)
  await button('Sign in', on).click()
}

async function signOut(on = page): Promise<void> {
  await button('Sign out', on).click()
  await heading('Sign in', on).waitFor()
}

/** The mailbox of one address, in a tab of its own. */
async function mailbox(email: string): Promise<Page> {
  const mails = await context.newPage()
  await mails.goto(`${platform}/mailbox?address=${encodeURIComponent(email)}`)
  return mails
}

/** Opens the link of the newest mail, as a person does. */
async function openMail(email: string): Promise<Page> {
  const mails = await mailbox(email)
  await mails.locator('article').first().getByRole('link').last().click()
  return mails
}

/** What an authenticator shows for the secret on the page. */
const digitsOf = (secret: Uint8Array) => totpCode(secret, Date.now())

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text).map(character =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, byte => parseInt(byte, 2))
}

describe('a password', () => {
  it('is set by signing up, and the address verified by the link in the mailbox', async () => {
    const email = await signUp()
    await page.getByText('not verified yet').waitFor()
    const mails = await openMail(email)
    await heading('Verify your address', mails).waitFor()
    await look('email-verification', mails)
    await button('Verify it', mails).click()
    await heading('Your address is verified', mails).waitFor()
    await page.reload()
    await page.getByText('verified', { exact: true }).waitFor()
  })

  it('is forgotten, and given anew', async () => {
    const email = await signUp()
    await signOut()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await heading('Forgot your password?').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await button('Send a reset link').click()
    await page.getByText('If there is an account with this address, a mail is on its way.').waitFor()
    await look('forgot-password')
    const mails = await openMail(email)
    await heading('A new password', mails).waitFor()
    await look('password-reset', mails)
    await mails.getByLabel('New password').fill('another horse battery')
    await button('Change it', mails).click()
    await heading('Your password is changed', mails).waitFor()
    await mails.getByRole('link', { name: 'Sign in with it' }).click()
    await signIn(email, mails)
    await problem('Wrong e-mail or password.', mails).waitFor()
    await signIn(email, mails, 'another horse battery')
    await isSignedIn(mails)
  })

  it('is changed in the settings, if the present one is right', async () => {
    const email = await signUp()
    await page.getByRole('link', { name: 'Settings' }).click()
    const change = async (present: string, again: string) => {
      await page.getByLabel('Present password').fill(present)
      await page.getByLabel('New password', { exact: true }).fill('another horse battery')
      await page.getByLabel('New password again').fill(again)
      await button('Change password').click()
    }
    await change(password, 'another cat battery')
    await problem('The two new passwords are not the same.').waitFor()
    await change('wrong horse battery', 'another horse battery')
    await problem('The present password is not right.').waitFor()
    await change(password, 'another horse battery')
    await page.getByText('Done. Your other sessions have ended.').waitFor()
    await button('Sign out').click()
    await heading('Sign in').waitFor()
    await signIn(email, page, 'another horse battery')
    await heading('Settings').waitFor()
  })
})

describe('a magic link', () => {
  const send = async (email: string) => {
    await page.goto(at('/handler/sign-in?after_auth_return_to=%2F%3Ffrom%3Dlink'))
    await page.getByLabel('Send a sign-in link to').fill(email)
    await button('Send me a link').click()
    await page.getByText('A link is on its way to').waitFor()
  }

  it('signs in when its button is pressed, and leads back', async () => {
    const email = newEmail()
    await send(email)
    const mails = await openMail(email)
    await heading('Welcome back', mails).waitFor()
    await look('magic-link-callback', mails)
    await button('Continue', mails).click()
    await isSignedIn(mails)
    expect(mails.url()).toBe(at('/?from=link'))
    // The page that asked for it is of the same browser.
    await page.goto(address)
    await isSignedIn()
  })

  it('has six characters, which may be mistyped once and typed after a reload', async () => {
    const email = newEmail()
    await send(email)
    const mails = await mailbox(email)
    const code = (await mails.locator('article strong').first().textContent())!
    await page.getByLabel('Six characters').fill('000000')
    await button('Continue').click()
    await problem('This code does not exist.').waitFor()
    await page.reload()
    await page.getByText('A link is on its way to').waitFor()
    await look('magic-link-code')
    await page.getByLabel('Six characters').fill(code.toLowerCase())
    await button('Continue').click()
    await isSignedIn()
  })

  it('says what is wrong with an address without its code, and with a code used twice', async () => {
    await page.goto(at('/handler/magic-link-callback'))
    await problem('This address has no code in it.').waitFor()
    const email = newEmail()
    await send(email)
    const mails = await openMail(email)
    const link = mails.url()
    await button('Continue', mails).click()
    await isSignedIn(mails)
    await page.goto(link)
    await button('Continue').click()
    await problem('This code has been used already.').waitFor()
  })
})

it('a mail scanner that opens every link, and runs what is on the page, uses up no code', async () => {
  const scan = async (email: string) => {
    const mails = await mailbox(email)
    const links = mails.locator('article').first().getByRole('link')
    const urls = await links.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).href))
    expect(urls.some(url => new URL(url).searchParams.has('code'))).toBe(true)
    await mails.close()
    const scanner = await browser.newContext()
    for (const url of urls) {
      const opened = await scanner.newPage()
      await opened.goto(url)
      await opened.waitForLoadState('networkidle')
    }
    await scanner.close()
  }

  const email = await signUp()
  await scan(email)
  const verifying = await openMail(email)
  await button('Verify it', verifying).click()
  await heading('Your address is verified', verifying).waitFor()

  await page.reload()
  await signOut()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail').fill(email)
  await button('Send a reset link').click()
  await page.getByText('If there is an account with this address, a mail is on its way.').waitFor()
  await scan(email)
  const resetting = await openMail(email)
  await resetting.getByLabel('New password').fill('another horse battery')
  await button('Change it', resetting).click()
  await heading('Your password is changed', resetting).waitFor()

  await page.goto(at('/handler/sign-in'))
  await page.getByLabel('Send a sign-in link to').fill(email)
  await button('Send me a link').click()
  await page.getByText('A link is on its way to').waitFor()
  await scan(email)
  const entering = await openMail(email)
  await button('Continue', entering).click()
  await isSignedIn(entering)
})

describe('a second factor', () => {
  const enrol = async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await button('Set it up').click()
    const secret = fromBase32((await page.locator('code.secret').textContent())!)
    await page.getByLabel('The six digits that it shows').fill('000000')
    await button('Switch it on').click()
    await problem('These digits are not right.').waitFor()
    await look('second-factor-enrolment')
    await page.getByLabel('The six digits that it shows').fill(await digitsOf(secret))
    await button('Switch it on').click()
    await page.getByText('Signing in asks for six digits').waitFor()
    return secret
  }

  it('is enrolled by its secret, asked for at the next sign-in, and survives a reload', async () => {
    const email = await signUp()
    const secret = await enrol()
    await button('Sign out').click()
    await heading('Sign in').waitFor()
    await signIn(email)
    await heading('One more step').waitFor()
    await page.reload()
    await heading('One more step').waitFor()
    await look('mfa')
    await page.getByLabel('Six digits of your authenticator').fill('000000')
    await button('Continue').click()
    await problem('These digits are not right.').waitFor()
    await page.getByLabel('Six digits of your authenticator').fill(await digitsOf(secret))
    await button('Continue').click()
    // Where the person was when the session ended.
    await heading('Settings').waitFor()
    await button('Switch it off').click()
    await button('Set it up').waitFor()
  })

  it('has nothing to continue in a tab that began nothing', async () => {
    await page.goto(at('/handler/mfa'))
    await problem('There is no sign-in to continue here.').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await heading('Sign in').waitFor()
  })
})

describe('a passkey', () => {
  const device = async () => {
    const session = await context.newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    })
    const touch = (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    return { touch }
  }

  it('is added in the settings, signs in by its button and among the suggestions, and is removed', async () => {
    const { touch } = await device()
    const email = await signUp()
    await page.getByRole('link', { name: 'Settings' }).click()
    await touch(true)
    await button('Add a passkey').click()
    await button('Remove the passkey').waitFor()
    await touch(false)
    await look('settings')

    // Among the suggestions: this authenticator answers what asks from now on, without anybody pressing a button.
    await touch(true)
    const chosen = page.waitForRequest(request => request.url().endsWith('/auth/passkey/sign-in'))
    await button('Sign out').click()
    await chosen
    await heading('Settings').waitFor()
    await touch(false)
    await button('Sign out').click()
    await heading('Sign in').waitFor()

    await touch(true)
    await button('Use a passkey').click()
    await heading('Settings').waitFor()
    await page.getByRole('navigation').getByText(email).waitFor()
    await button('Remove the passkey').click()
    await button('Add a passkey').waitFor()
  })

  it('that the person refuses is told in words', async () => {
    await page.goto(address)
    await heading('Sign in').waitFor()
    // A browser without any authenticator that could answer.
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await button('Use a passkey').click()
    await problem('The passkey was not used. You can try again.').waitFor()
  })
})

describe('a provider', () => {
  const begin = async () => {
    await page.goto(at('/handler/sign-in?after_auth_return_to=%2Fhandler%2Faccount-settings'))
    await button('Continue with GitHub').click()
    await page.getByRole('button', { name: 'Refuse' }).waitFor()
  }

  it('is asked who signs in, and leads back to where the person came from', async () => {
    const email = newEmail()
    await begin()
    await look('provider')
    await page.getByRole('radio').last().check()
    await page.getByLabel('E-mail address', { exact: true }).fill(email)
    await page.getByLabel('Name (optional)').fill('Grace')
    await button('Continue').click()
    await heading('Settings').waitFor()
    await page.getByRole('navigation').getByText('Grace').waitFor()
    expect(page.url()).toBe(at('/handler/account-settings'))
  })

  it('is connected in the settings to the account that is there, and signs in to it', async () => {
    const email = await signUp()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Connect GitHub' }).click()
    await page.getByRole('radio').last().check()
    await page.getByLabel('E-mail address', { exact: true }).fill(`github-${email}`)
    await button('Continue').click()
    await heading('Settings').waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('navigation').getByText(email).waitFor()
    await button('Sign out').click()
    await button('Continue with GitHub').click()
    await page.getByLabel(`github-${email}`).check()
    await button('Continue').click()
    await page.getByRole('navigation').getByText(email).waitFor()
  })

  it('is told no, and the app says so in words', async () => {
    await begin()
    await button('Refuse').click()
    await heading('That did not work').waitFor()
    await problem('You have not been signed in: the provider was told no.').waitFor()
    await look('error')
  })

  it('is never asked by an address that ends no sign-in of this browser', async () => {
    await page.goto(at('/handler/oauth-callback?code=abc&state=never'))
    await problem('This address ends no sign-in that was begun in this browser.').waitFor()
    await look('oauth-callback')
  })
})

describe('a person without a name', () => {
  it('looks around, and is gone after signing out', async () => {
    await page.goto(address)
    await button('Look around first').click()
    await page.getByText('You are looking around without an account.').waitFor()
    await look('anonymous')
    await signOut()
    await page.reload()
    await heading('Sign in').waitFor()
  })
})

describe('a program', () => {
  it('shows an address, and is signed in when a person has signed in there and approved', async () => {
    const email = await signUp()
    await signOut()
    const app = createClientApp({ ...keys, baseUrl: platform, tokens: memoryTokens() })
    let show: (url: string) => void = () => undefined
    const shown = new Promise<string>(resolve => (show = resolve))
    const login = app.promptCliLogin({ appUrl: address.replace(/\/$/, ''), waitMillis: 50, promptLink: show })
    await page.goto(await shown)
    // The page is for signed-in people, and comes back.
    await heading('Sign in').waitFor()
    await signIn(email)
    await heading('Sign a program in?').waitFor()
    await look('cli-auth-confirm')
    expect(await app.accessToken()).toBeNull()
    await button('Sign it in').click()
    await heading('The program is signed in').waitFor()
    expect((await login).ok).toBe(true)
    expect(await app.user$.get()).toMatchObject({ primaryEmail: email })
    app.dispose()
  })
})

describe('the sessions list', () => {
  it('shows where a person is signed in, and ends another one', async () => {
    const email = await signUp()
    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    await other.goto(address)
    await signIn(email, other)
    await isSignedIn(other)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('This one').waitFor()
    await page.getByRole('button', { name: /^End the session/ }).click()
    await page.getByRole('button', { name: /^End the session/ }).waitFor({ state: 'detached' })
    await elsewhere.close()
  })
})

describe('every page of the sign-in', () => {
  it.each(['light', 'dark'] as const)('is accessible and fits on a telephone, %s', async colorScheme => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['sign-in', 'sign-up', 'forgot-password', 'mfa', 'error', 'email-verification?code=1']) {
      await page.goto(at(`/handler/${path}`))
      await page.getByRole('heading').first().waitFor()
      await page.waitForLoadState('networkidle')
      await look(`${path.replace(/\?.*/, '')}-${colorScheme}-narrow`)
    }
    await signUp()
    await page.goto(at('/handler/account-settings'))
    await page.getByText('This one').waitFor()
    await look(`settings-${colorScheme}-narrow`)
  })

  it('says so when there is no such page', async () => {
    await page.goto(at('/handler/nonsense'))
    await heading('There is no such page').waitFor()
  })
})
