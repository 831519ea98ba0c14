import { act, fireEvent, screen } from '@testing-library/react'
import { ConfirmIdentity } from '../../react/example/settings/danger-zone/danger-zone'
import { PasswordSection } from '../../react/example/settings/security/security'
import { PasswordStep } from '../../react/example/sign-in/sign-in-steps'
import { SignUpForm } from '../../react/example/sign-in/sign-up-page'
import { EmailForm, NameForm } from '../../react/example/ui/short-forms'
import { reactWorld } from '../react/harness'
import { ada } from '../world'

/** Fills a field as some password managers do: without an event that React hears. */
function fill(label: string, text: string): HTMLInputElement {
  const field = screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  return field
}

const submit = (field: HTMLInputElement) => fireEvent.submit(field.form!)

const idle = { status: 'idle', reset: () => undefined }

describe('fields that are filled without an event', () => {
  it('sign up', async () => {
    const { newApp, pass, show } = await reactWorld()
    const app = newApp()
    show(<SignUpForm />, { app })
    fill('E-mail address', 'new@example.com')
    submit(fill('Password', 'correct horse'))
    await pass(10_000)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(app.auth$.value.status).not.toBe('signed-out')
    expect(await app.user$.get()).toMatchObject({ primaryEmail: 'new@example.com' })
  })

  it('stay when another field is typed, and are the ones that are refused', async () => {
    const { newApp, pass, show } = await reactWorld()
    show(<SignUpForm />, { app: newApp() })
    const password = fill('Password', 'short')
    fireEvent.change(screen.getByLabelText('E-mail address'), { target: { value: 'new@example.com' } })
    expect(password.value).toBe('short')
    submit(password)
    await pass(1000)
    expect(screen.getByRole('alert').textContent).toContain('8')
    expect(password.value).toBe('short')
  })

  it('sign in', async () => {
    const { newApp, pass, show } = await reactWorld()
    const app = newApp()
    const methods = { magicLinkEnabled: true } as never
    show(<PasswordStep email={ada.email} methods={methods} onBack={() => undefined} />, { app })
    const field = fill('Password', 'wrong')
    submit(field)
    await pass(10_000)
    expect([screen.getByRole('alert').textContent, field.value]).toEqual(['Wrong e-mail or password.', 'wrong'])
    submit(fill('Password', ada.password))
    await pass(10_000)
    expect(await app.user$.get()).toMatchObject({ primaryEmail: ada.email })
  })

  it('confirm an identity', async () => {
    const { app, pass, show } = await reactWorld()
    const confirmed: string[] = []
    const user = (await app.user$.get())!
    const keep = async (confirmation: string) => void confirmed.push(confirmation)
    show(<ConfirmIdentity user={user} linkCode={null} answer="Delete" onConfirmed={keep} />)
    await pass(10_000)
    submit(fill('Your password', ada.password))
    await pass(10_000)
    expect(confirmed).toHaveLength(1)
  })

  it('change a password', async () => {
    const { app, newApp, pass, show } = await reactWorld()
    show(<PasswordSection email={ada.email} hasPassword />, { app })
    fill('Current password', ada.password)
    submit(fill('New password', 'battery staple'))
    await pass(10_000)
    const result = await newApp().signInWithPassword({ email: ada.email, password: 'battery staple' })
    expect(result).toMatchObject({ ok: true })
  })

  it.each([
    ['an address', <EmailForm label="E-mail" autoComplete="email" submit="Send" action={{ ...idle, run }} />, 'E-mail'],
    [
      'a full-width address',
      <EmailForm label="E-mail" autoComplete="email" submit="Send" action={{ ...idle, run }} />,
      'E-mail',
    ],
    ['a name', <NameForm label="Name" value="Ada" save={run} />, 'Name'],
  ])('send %s', async (what, form, label) => {
    const text = { 'an address': 'a@example.com', 'a full-width address': 'a＠example.com' }[what] ?? 'Grace'
    const { pass, show } = await reactWorld()
    sent.length = 0
    show(form)
    submit(fill(label, text))
    await act(() => pass(1000))
    expect(sent).toEqual([text])
  })
})

it.each([
  ['nonsense', 'correct horse', 'E-mail address', 'Enter an e-mail address'],
  ['new@example.com', 'short', 'Password', 'Use at least 8 characters.'],
])('a sign-up of %s with "%s" says what is wrong, and moves the focus there', async (email, password, label, said) => {
  const { newApp, pass, show } = await reactWorld()
  show(<SignUpForm />, { app: newApp() })
  const fields = { 'E-mail address': fill('E-mail address', email), Password: fill('Password', password) }
  const wrong = fields[label as keyof typeof fields]
  wrong.blur()
  submit(wrong)
  await pass(10_000)
  expect(screen.getByRole('alert').textContent).toContain(said)
  expect(document.activeElement).toBe(wrong)
})

const sent: string[] = []
async function run(text: string): Promise<void> {
  sent.push(text)
}
