import type { Locator } from 'playwright-core'
import { promptCliLogin } from 'rxauth'
import { totpCode } from '../../../src/core/totp'
import { authenticatorFor } from '../authenticator'
import { mailbox } from '../mailbox'
import {
  account,
  button,
  field,
  heading,
  kitElsewhere,
  link,
  newAccount,
  newEmail,
  password,
  plantSession,
  problem,
} from '../person'
import type { Visitor } from './visitor'

/** A way to sign in, gone through as a whole, with the mistakes that people make. */
export interface Method {
  readonly name: string
  /** What happens in it, for the page of the docs. */
  readonly steps: string
  readonly run: (visitor: Visitor) => Promise<void>
}

const wrongPassword = 'wrong horse battery'
const code = ({ page }: Visitor, label = 'Code') =>
  page.getByRole('group', { name: label }).getByRole('textbox').first()
const hasFocus = (control: Locator) => control.and(control.page().locator(':focus')).waitFor()
const item = ({ page }: Visitor, name: string) => page.getByRole('menuitem', { name })

/** The newest mail of an address: its last link, and its code if it has one. */
async function newestMail(email: string): Promise<{ readonly link: string; readonly code: string | undefined }> {
  const mails = await mailbox(email)
  const newest = mails.locator('article').first()
  const href = await newest.getByRole('link').last().getAttribute('href')
  const [text] = await newest.locator('strong').allTextContents()
  await mails.close()
  return { link: href!, code: text }
}

async function toSignIn(visitor: Visitor): Promise<void> {
  await visitor.go('/handler/sign-in')
  await field(visitor.page, 'E-mail address').waitFor()
}

async function enterAddress(visitor: Visitor, email: string): Promise<void> {
  await visitor.fill(field(visitor.page, 'E-mail address'), email)
  await visitor.press(button(visitor.page, 'Continue'))
  await field(visitor.page, 'Password').waitFor()
}

async function enterPassword(visitor: Visitor, text = password): Promise<void> {
  await visitor.fill(field(visitor.page, 'Password'), text)
  await visitor.press(button(visitor.page, 'Sign in'))
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.open(account(visitor.page))
  await visitor.press(item(visitor, 'Sign out'))
  await heading(visitor.page, 'Sign in').waitFor()
  await field(visitor.page, 'E-mail address').waitFor()
}

const isHome = ({ page }: Visitor) => heading(page, /^Welcome/).waitFor()

async function signInWithPassword(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const { email } = await newAccount(visitor.running)
  await toSignIn(visitor)
  await visitor.look('the address')
  await visitor.fill(field(page, 'E-mail address'), 'nonsense')
  const malformed = 'Enter an e-mail address, like ada@example.com.'
  await visitor.refused(malformed, () => page.keyboard.press('Enter'))
  await visitor.refused(malformed, () => visitor.press(button(page, 'Continue')))
  await enterAddress(visitor, email)
  await hasFocus(field(page, 'Password'))
  await visitor.look('the password')
  await visitor.refused('Wrong e-mail or password.', () => enterPassword(visitor, wrongPassword))
  await hasFocus(field(page, 'Password'))
  await enterPassword(visitor)
  await isHome(visitor)
  await visitor.look('the start page')
  await visitor.open(account(page))
  await visitor.look('the menu of the user')
  await visitor.press(item(visitor, 'Sign out'))
  await hasFocus(field(page, 'E-mail address'))
  await visitor.look('signed out')
}

async function signUpWithPassword(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const taken = await newAccount(visitor.running)
  const email = newEmail()
  await visitor.go('/handler/sign-up')
  await field(page, 'Password').waitFor()
  await visitor.look('the form')
  const submit = () => visitor.press(button(page, 'Create account'))
  await visitor.fill(field(page, 'E-mail address'), taken.email)
  await visitor.fill(field(page, 'Password'), 'short')
  await visitor.refused('Use at least 8 characters.', submit)
  await visitor.fill(field(page, 'Password'), password)
  await visitor.refused('An account with this e-mail address already exists.', submit)
  await hasFocus(field(page, 'E-mail address'))
  await visitor.fill(field(page, 'E-mail address'), email)
  await submit()
  await heading(page, 'Check your e-mail').waitFor()
  await visitor.look('the mail is sent')
  const mail = await newestMail(email)
  await visitor.go(mail.link)
  await visitor.press(button(page, 'Verify e-mail address'))
  await heading(page, 'Your e-mail address is verified').waitFor()
  await visitor.look('the address is verified')
}

async function useMagicLink(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const email = newEmail()
  const send = async () => {
    await enterAddress(visitor, email)
    await visitor.press(button(page, 'E-mail me a sign-in link'))
    await heading(page, 'Check your e-mail').waitFor()
    return newestMail(email)
  }
  await toSignIn(visitor)
  const first = await send()
  await visitor.look('the code')
  await visitor.refused('Wrong code. Check it, or ask for a new e-mail.', () => visitor.code(code(visitor), '000000'))
  await visitor.code(code(visitor), first.code!)
  await isHome(visitor)
  await signOut(visitor)
  const second = await send()
  await visitor.go(second.link)
  await button(page, 'Continue').waitFor()
  await visitor.look('the link')
  await visitor.press(button(page, 'Continue'))
  await isHome(visitor)
  await signOut(visitor)
  await visitor.go(second.link)
  // The page ends with the message: another press needs another visit.
  await visitor.refused(
    'This link has been used already. Ask for a new one.',
    () => visitor.press(button(page, 'Continue')),
    1,
  )
  await visitor.press(link(page, 'Ask for a new e-mail'))
  await field(page, 'E-mail address').waitFor()
}

async function usePasskey(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const planted = await newAccount(visitor.running)
  await authenticatorFor(page)
  await page.addInitScript(() => {
    // The suggestions are a part of the browser, and this authenticator would answer at once.
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    const { get } = CredentialsContainer.prototype
    CredentialsContainer.prototype.get = function (options) {
      if (!Reflect.get(globalThis, 'isCancelled')) return get.call(this, options)
      return Promise.reject(new DOMException('The operation was cancelled.', 'NotAllowedError'))
    }
  })
  const cancel = (isCancelled: boolean) =>
    page.evaluate(value => void Reflect.set(globalThis, 'isCancelled', value), isCancelled)
  const security = async () => {
    await visitor.go('/handler/account-settings/security')
    await heading(page, 'Security').waitFor()
    await page.getByRole('heading', { name: 'Passkey', exact: true }).waitFor()
  }

  await plantSession(page, planted.tokens, visitor.running)
  await security()
  await visitor.press(button(page, 'Add a passkey'))
  await button(page, 'Remove').waitFor()
  await visitor.look('the passkey is added')
  await signOut(visitor)
  const start = button(page, /^Sign in with a passkey/)
  await cancel(true)
  await visitor.refused('No passkey was used. You can try again.', () => visitor.press(start))
  await cancel(false)
  await visitor.press(start)
  await isHome(visitor)
  await security()
  await visitor.open(button(page, 'Remove'))
  await visitor.look('the question')
  await visitor.press(button(page, 'Remove passkey'))
  await button(page, 'Add a passkey').waitFor()
}

async function useProvider(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const email = newEmail()
  const begin = async () => {
    await visitor.press(button(page, 'Continue with GitHub'))
    await button(page, 'Refuse').waitFor()
  }
  await toSignIn(visitor)
  await visitor.refused(
    'You cancelled, so you have not been signed in.',
    async () => {
      await begin()
      await visitor.press(button(page, 'Refuse'))
      await heading(page, 'Something went wrong').waitFor()
    },
    1,
  )
  await visitor.press(link(page, 'Back to sign-in'))
  await field(page, 'E-mail address').waitFor()
  await begin()
  await visitor.press(page.getByRole('radio').last())
  await visitor.fill(page.getByLabel('E-mail address', { exact: true }), email)
  await visitor.press(button(page, 'Continue'))
  await isHome(visitor)
  await visitor.look('the start page')
}

async function beGuest(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await toSignIn(visitor)
  const anonymous = '**/auth/anonymous/sign-up'
  await page.route(anonymous, route => route.abort())
  const stay = () => visitor.press(button(page, 'Continue as a guest'))
  await visitor.refused('The server cannot be reached. Please try again.', stay)
  await page.unroute(anonymous)
  await stay()
  await isHome(visitor)
  await visitor.look('the guest')
  await visitor.open(account(page))
  await visitor.look('the menu of the guest')
  await visitor.press(item(visitor, 'Create an account'))
  await field(page, 'Password').waitFor()
  await visitor.fill(field(page, 'E-mail address'), newEmail())
  await visitor.fill(field(page, 'Password'), password)
  await visitor.press(button(page, 'Create account'))
  await heading(page, 'Check your e-mail').waitFor()
  await visitor.press(link(page, 'Continue'))
  await heading(page, 'Welcome').waitFor()
  await visitor.look('the account')
}

async function useSecondFactor(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const { email, tokens } = await newAccount(visitor.running)
  await plantSession(page, tokens, visitor.running)
  await visitor.go('/handler/account-settings/security')
  await visitor.press(button(page, 'Set up'))
  await visitor.look('the key')
  const key = (await page.getByRole('code').or(page.locator('code.copied')).first().textContent())!
  await visitor.press(button(page, 'Next'))
  const label = 'Code that the app shows'
  const enter = async (name: string, done: () => Promise<void>) => {
    for (;;) {
      const digits = await totpCode(fromBase32(key), Date.now())
      await visitor.code(code(visitor, name), digits)
      // The half minute of the code may end before it arrives.
      const isIn = await Promise.race([
        done().then(() => true),
        problem(page, 'Wrong code.')
          .waitFor()
          .then(() => false),
      ])
      if (isIn) return
      if (digits === (await totpCode(fromBase32(key), Date.now()))) throw new Error('the code was refused')
    }
  }
  const wrong = (name: string) => async () => visitor.code(code(visitor, name), await wrongDigits(key))
  await visitor.refused('Wrong code. Codes change every 30 seconds.', wrong(label))
  await enter(label, () => button(page, 'Turn off').waitFor())
  await visitor.look('it is on')
  await signOut(visitor)
  await enterAddress(visitor, email)
  await enterPassword(visitor)
  await heading(page, 'Two-step verification').waitFor()
  await visitor.look('the second step')
  await visitor.refused('Wrong code. Codes change every 30 seconds.', wrong('Code'))
  await enter('Code', () => isHome(visitor))
}

/** No code of the last, this or the next half minute. */
async function wrongDigits(key: string): Promise<string> {
  const near = await Promise.all([-1, 0, 1].map(step => totpCode(fromBase32(key), Date.now() + step * 30_000)))
  return ['000000', '111111', '222222', '333333'].find(each => !near.includes(each))!
}

function fromBase32(text: string): Uint8Array {
  const bits = text.replace(/./gsu, letter => {
    const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter)
    return value < 0 ? '' : value.toString(2).padStart(5, '0')
  })
  return Uint8Array.from(bits.match(/\d{8}/g) ?? [], byte => parseInt(byte, 2))
}

async function confirmProgram(visitor: Visitor): Promise<void> {
  const { page, running } = visitor
  const { email } = await newAccount(running)
  const { app } = kitElsewhere(running)
  let show: (url: string) => void = () => undefined
  const shown = new Promise<string>(resolve => (show = resolve))
  const appUrl = running.address.replace(/\/$/, '')
  const login = promptCliLogin(app, { appUrl, waitMillis: 50, promptLink: show })
  await visitor.go(await shown)
  await field(page, 'E-mail address').waitFor()
  await enterAddress(visitor, email)
  await enterPassword(visitor)
  await heading(page, 'Sign in to a program?').waitFor()
  await visitor.look('the question')
  await visitor.press(button(page, 'Sign in'))
  await heading(page, 'The program is signed in').waitFor()
  await visitor.look('the program is signed in')
  expect((await login).ok).toBe(true)
  app.dispose()
  await visitor.go(`/handler/cli-auth-confirm?login_code=${'0'.repeat(45)}`)
  await visitor.refused(
    'This address is not valid: it was used already, has expired, or is incomplete. Start the sign-in of the program again.',
    () => visitor.press(button(page, 'Sign in')),
    1,
  )
}

export const methods: readonly Method[] = [
  {
    name: 'password',
    steps: 'the address, a malformed one, the password, a wrong one, the start page, its menu, the sign-out',
    run: signInWithPassword,
  },
  {
    name: 'sign-up with a password',
    steps: 'the form, a password that is too short, an address that is taken, the mail, its link',
    run: signUpWithPassword,
  },
  {
    name: 'magic link',
    steps: 'the mail, a wrong code, the code, then the link of another mail, and once more',
    run: useMagicLink,
  },
  {
    name: 'passkey',
    steps: 'one is added with a virtual authenticator, cancelled, used, and removed after a question in a dialog',
    run: usePasskey,
  },
  { name: 'OAuth provider', steps: 'the provider refuses, then signs in', run: useProvider },
  {
    name: 'anonymous user',
    steps: 'a guest without a connection, then with one, the menu, the account made of it',
    run: beGuest,
  },
  {
    name: 'second factor (TOTP)',
    steps: 'it is set up, with a wrong code, then asked for at the sign-in, with a wrong code',
    run: useSecondFactor,
  },
  {
    name: 'login of a command line program',
    steps: 'the sign-in, the question, the answer, and an address that was used already',
    run: confirmProgram,
  },
]
