import { fireEvent, screen } from '@testing-library/react'
import { useSavedSignIn } from 'rxauth/react'
import { ada } from '../world'
import { reactWorld } from './harness'

function SavedButton() {
  const saved = useSavedSignIn()
  if (!saved.isOffered) return <p>a form</p>
  return <button onClick={() => void saved.run()}>{saved.status === 'failed' ? saved.error.code : saved.status}</button>
}

/** A browser with or without the dialog, and a device with this password. */
async function browser(immediateGet: boolean, savedPassword?: { readonly id: string; readonly password: string }) {
  Object.defineProperty(navigator, 'credentials', { value: {}, configurable: true })
  Object.defineProperty(window, 'PublicKeyCredential', {
    value: Object.assign(() => undefined, { getClientCapabilities: () => Promise.resolve({ immediateGet }) }),
    configurable: true,
  })
  const seed = { project: { config: { passkeyEnabled: true } }, users: [ada] }
  const inner = await reactWorld({ platform: { seed } })
  const authenticator = inner.platform.authenticator(savedPassword && { savedPassword })
  const app = inner.newApp({ passkeys: { hostname: 'localhost', authenticator } })
  inner.show(<SavedButton />, { app, strict: true })
  await inner.pass(0)
  return { ...inner, app }
}

afterEach(() => {
  Reflect.deleteProperty(window, 'PublicKeyCredential')
  Reflect.deleteProperty(navigator, 'credentials')
})

describe('useSavedSignIn', () => {
  // Promise: saved-sign-in
  it('signs in with what is saved, at one press', async () => {
    const { pass, app } = await browser(true, { id: ada.email, password: ada.password })
    fireEvent.click(screen.getByText('idle'))
    await pass(0)
    expect(screen.getByText('done')).toBeTruthy()
    expect(await app.user$.get()).toMatchObject({ primaryEmail: ada.email })
  })

  it('says that nothing is saved', async () => {
    const { pass } = await browser(true)
    fireEvent.click(screen.getByText('idle'))
    await pass(0)
    expect(screen.getByText('NOTHING_SAVED')).toBeTruthy()
  })

  it('offers no button where the browser has no such dialog', async () => {
    await browser(false)
    expect(screen.getByText('a form')).toBeTruthy()
  })
})
