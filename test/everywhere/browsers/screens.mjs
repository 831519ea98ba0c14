import { button, fill, press, text, until } from './pages.mjs'

const shown = wanted => `document.body.innerText.includes(${text(wanted)})`

/** A program of the site that prints, and an app in a frame of the page. */
export async function siteRunner({ open }, { printing, app }) {
  const one = await open(printing.address)
  await press(one, `Run ${printing.heading}`)
  await until(one, 'a program that prints', `/^Finished/.test(document.querySelector('.run-status')?.textContent)`)
  const lines = `[...document.querySelectorAll('.run-output > div')].map(each => each.innerText).join('\\n')`
  await until(one, 'its output', `${lines} === ${text(printing.output.join('\n'))}`)

  const other = await open(app.address)
  await press(other, `Run ${app.heading}`)
  const inFrame = expression => `(document => ${expression})(document.querySelector('iframe')?.contentDocument)`
  const pressInFrame = async name => {
    await until(other, `a button "${name}" of the app`, inFrame(button(name)))
    await other.evaluate(inFrame(`${button(name)}.click()`))
  }
  await pressInFrame('Sign in as Ada')
  await until(other, 'the user of the app', inFrame(shown('Hello Ada Lovelace')))
  await pressInFrame('Call me Countess')
  await until(other, 'the changed user of the app', inFrame(shown('Hello Countess')))
  await pressInFrame('Sign out')
  await until(other, 'the app after a sign-out', inFrame(button('Sign in as Ada')))
}

/** The screens that `rxauth add` copies: a user signs in, changes the account and signs out, which another tab shows. */
export async function copiedScreens({ open }, { address, email, password }) {
  const [one, other] = [await open(`${address}handler/account-settings`), await open(address)]
  const named = (tab, name) => until(tab, `the account of ${name}`, button(`Account: ${name}`))
  await fill(one, 'E-mail address', email)
  await press(one, 'Continue')
  await fill(one, 'Password', 'wrong horse battery')
  await press(one, 'Sign in')
  await until(one, 'a wrong password', shown('Wrong e-mail or password.'))
  await fill(one, 'Password', password)
  await press(one, 'Sign in')
  await named(other, email)
  await fill(one, 'Display name', 'Countess')
  await press(one, 'Save')
  await named(one, 'Countess')
  await named(other, 'Countess')
  await press(one, 'Account: Countess')
  await press(one, 'Sign out')
  for (const tab of [one, other]) await until(tab, 'a sign-out', shown('Sign in'))
}
