import { openMail } from './mailbox'
import {
  account,
  button,
  confirm,
  field,
  heading,
  look,
  newcomer,
  newEmail,
  password,
  problem,
  signIn,
  signOut,
  signUp,
  press,
  submit,
  visit,
} from './person'
import { at, page, running, useExample } from './stage'

/* The screens as `rxauth add` copies them into a new app: what a user of rxauth does first. `npm run nightly -- screens` has every row. */

useExample({ screens: 'copied' })

const isHome = () => heading(page, /^Welcome/).waitFor()

describe('the copied screens', () => {
  // Promise: add-command
  it('sign up, verify the address, sign out and in', async () => {
    const email = await signUp(page, running.address)
    const mails = await openMail(email)
    await press(button(mails, 'Verify e-mail address'), heading(mails, 'Your e-mail address is verified'))
    await signOut(page)
    await look(page, 'copied-sign-in')
    await signIn(page, email, 'wrong horse battery')
    await problem(page, 'Wrong e-mail or password.').waitFor()
    await submit(page, { Password: password }, 'Sign in')
    await isHome()
  })

  // Promise: add-command
  it('create a team and invite a member', async () => {
    await newcomer(page, running, at('/'))
    await button(page, 'No team').click()
    await page.getByRole('menuitem', { name: 'Create a team' }).click()
    await submit(page, { 'Team name': 'Ops' }, 'Create team', heading(page, 'Members'))
    const email = newEmail()
    await submit(page, { 'E-mail address to invite': email }, 'Send invitation')
    await page.getByRole('listitem').filter({ hasText: email }).waitFor()
    await look(page, 'copied-team')
    await page.goto(at('/handler/team/danger-zone'))
    await confirm(page, button(page, 'Leave team'), 'Leave team')
    await button(page, 'No team').waitFor()
  })

  it('look the same in an app with the reset of Tailwind and the classes of Bootstrap', async () => {
    const looksTheSame = async () => {
      const [own, reset] = await page.evaluate(looks, resetOfTailwind + classesOfFrameworks)
      expect(reset).toEqual(own)
    }
    await page.goto(at('/handler/sign-in'))
    await submit(page, { 'E-mail address': newEmail() }, 'Continue', button(page, 'E-mail me a sign-in link'))
    await looksTheSame()
    await newcomer(page, running)
    for (const [path, title] of [
      ['account-settings', 'Profile'],
      ['account-settings/security', 'Security'],
      ['account-settings/emails', 'E-mail addresses'],
      ['account-settings/notifications', 'Notifications'],
    ] as const) {
      await visit(page, at(`/handler/${path}`), title)
      await looksTheSame()
    }
    await press(account(page), page.getByRole('menuitem', { name: 'Sign out' }))
    await looksTheSame()
    await page.goto(at('/handler/account-settings/emails'))
    await button(page, /^Actions for/)
      .first()
      .click()
    await looksTheSame()
    await page.goto(at('/'))
    await button(page, 'No team').click()
    await page.getByRole('menuitem', { name: 'Create a team' }).click()
    await field(page, 'Team name').fill('Ops')
    await looksTheSame()
    await press(button(page, 'Create team'), heading(page, 'Members'))
    await looksTheSame()
  })

  it('have a page for an address that does not exist', async () => {
    await visit(page, at('/handler/nothing'), 'Page not found')
  })
})

/** What the reset of Tailwind 4 sets for elements. */
const resetOfTailwind = `
  *, ::after, ::before, ::backdrop, ::file-selector-button { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid; }
  hr { height: 0; color: inherit; border-top-width: 1px; }
  h1, h2, h3, h4, h5, h6 { font-size: inherit; font-weight: inherit; }
  a { color: inherit; text-decoration: inherit; }
  b, strong { font-weight: bolder; }
  code, kbd, samp, pre { font-family: monospace; font-size: 1em; }
  small { font-size: 80%; }
  table { text-indent: 0; border-color: inherit; border-collapse: collapse; }
  summary { display: list-item; }
  ol, ul, menu { list-style: none; }
  img, svg, video, canvas { display: block; vertical-align: middle; }
  img, video { max-width: 100%; height: auto; }
  button, input, select, textarea { font: inherit; color: inherit; border-radius: 0; background-color: transparent; opacity: 1; }
  ::placeholder { opacity: 1; color: color-mix(in oklab, currentcolor 50%, transparent); }
  textarea { resize: vertical; }`

/** What Bootstrap, Bulma and daisyUI style under such names. */
const classesOfFrameworks = `
  .row { margin: -8px -12px; } .row > * { flex-shrink: 0; width: 100%; max-width: 100%; padding: 0 12px; margin-top: 8px; }
  .btn, .button, .card, .badge, .alert, .input, .field, .menu, .steps, .stack, .skeleton, .switch, .box, .container {
    display: inline-grid; padding: 1em; margin-bottom: 1rem; border: 2px solid red; border-radius: 1em; color: red; }
  .toast:not(.show), .collapse, .hidden { display: none; }
  .small { font-size: 0.5em; } .close { float: right; font-size: 2em; opacity: 0.5; }
  code { color: deeppink; } p, ul { margin-bottom: 1rem; } label { display: inline-block; }`

/** How each element of the page looks without these styles before its own, and with them; the line of `hr` has its own colour. */
function looks(styles: string): readonly [own: readonly string[], reset: readonly string[]] {
  const all = () =>
    [...document.querySelectorAll('.auth :not(hr)')].map(each => {
      const { x, y, width, height } = each.getBoundingClientRect()
      const { color, backgroundColor, textDecorationLine, fontSize, fontWeight, borderWidth, borderRadius } =
        getComputedStyle(each)
      const place = [x, y, width, height].map(Math.round).join(' ')
      const look = [color, backgroundColor, textDecorationLine, fontSize, fontWeight, borderWidth, borderRadius].join(
        ' ',
      )
      return `${each.tagName} ${each.getAttribute('class') ?? ''}: ${place} ${look}`
    })
  const own = all()
  const style = document.createElement('style')
  style.textContent = styles
  document.head.prepend(style)
  const reset = all()
  style.remove()
  return [own, reset]
}
