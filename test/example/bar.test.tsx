import { fireEvent, screen } from '@testing-library/react'
import { accountTokens, impersonate, memoryTokens, otherAccounts$ } from 'rxauth'
import { useValue } from 'rxauth/react'
import { AccountItems, UserMenu } from '../../react/example/shell/user-menu'
import { AppNameProvider, Brand } from '../../react/example/shell/brand'
import { ImpersonationBar } from '../../react/example/shell/impersonation-bar'
import { SessionLimitDialog } from '../../react/example/shell/session-limit-dialog'
import { de } from '../../react/example/words/de'
import { en } from '../../react/example/words/en'
import { WordsProvider } from '../../react/example/words/use-words'
import { keyStorage } from '../key-storage'
import { reactWorld } from '../react/harness'
import { ada, grace } from '../world'

it('offers a visitor the sign-in, which returns to the present page', async () => {
  const opened: string[] = []
  const navigate = (url: string) => void opened.push(url.replace(location.origin, ''))
  const { newApp, pass, show } = await reactWorld({ app: { navigate } })
  history.replaceState(null, '', '/prices')
  show(<UserMenu />, { app: newApp({ navigate }) })
  await pass(1000)
  const link = screen.getByRole('link', { name: 'Sign in' })
  expect(link.getAttribute('href')).toBe('/handler/sign-in')
  fireEvent.click(link)
  await pass(1000)
  expect(opened).toEqual(['/handler/sign-in?after_auth_return_to=%2Fprices'])
})

it('has the name of the project, or another one, for which it asks nothing', async () => {
  const { pass, requests, show } = await reactWorld({
    platform: { seed: { project: { displayName: 'Analytical Engines' }, users: [ada] } },
  })
  const asked = () => requests.filter(each => each.includes('/projects/current')).length
  const named = show(
    <AppNameProvider value="Acme">
      <Brand />
    </AppNameProvider>,
  )
  await pass(1000)
  expect(screen.getByRole('link', { name: 'Acme' }).textContent).toBe('Acme')
  expect(asked()).toBe(0)
  named.unmount()
  show(<Brand />)
  expect(screen.getByRole('link', { name: 'Start page' }).textContent).toBe('')
  await pass(1000)
  expect(screen.getByRole('link', { name: 'Analytical Engines' }).textContent).toBe('Analytical Engines')
  expect(asked()).toBe(1)
})

// Promise: accounts
it('lists the other people of the browser, switches, adds one, and signs out of all', async () => {
  const opened: string[] = []
  const navigate = (url: string) => void opened.push(url.replace(location.origin, ''))
  const { newApp, pass, show } = await reactWorld()
  const app = newApp({ tokens: accountTokens(memoryTokens(), { storage: keyStorage() }), navigate })
  history.replaceState(null, '', '/prices')
  jest.spyOn(window, 'scrollTo').mockImplementation()
  const Accounts = () => <AccountItems others={useValue(otherAccounts$(app))} />
  show(<Accounts />, { app })
  const texts = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  const press = async (name: string) => {
    fireEvent.click(screen.getByRole('menuitem', { name }))
    await pass(1000)
  }
  await pass(1000)
  expect(texts()).toEqual(['Add another account'])
  for (const { email, password } of [ada, grace]) {
    void app.signInWithPassword({ email, password })
    await pass(1000)
  }
  const ends = ['Add another account', 'Sign out of all accounts']
  expect(texts()).toEqual(['ASwitch to Ada', ...ends])
  await press('Switch to Ada')
  expect(texts()).toEqual(['GSwitch to Grace', ...ends])
  await press('Add another account')
  expect(opened).toEqual(['/handler/sign-in?after_auth_return_to=%2Fprices&add_account=true'])
  await press('Sign out of all accounts')
  expect(texts()).toEqual(['Add another account'])
  expect(await app.user$.get()).toBeNull()
})

// Promise: impersonation, impersonation-end
it.each([
  [en, 'You are acting as Grace.', 'Stop'],
  [de, 'Sie handeln als Grace.', 'Beenden'],
])('says whom the page acts as, and returns at a press: %#', async (words, text, stop) => {
  const { newApp, pass, platform, settled, show } = await reactWorld()
  const app = newApp({ tokens: accountTokens(memoryTokens(), { storage: keyStorage() }) })
  const Page = () => (
    <WordsProvider value={words}>
      <ImpersonationBar />
    </WordsProvider>
  )
  show(<Page />, { app })
  void app.signInWithPassword({ email: ada.email, password: ada.password })
  await pass(1000)
  expect(screen.queryByRole('status')).toBeNull()
  void impersonate(app, (await platform.tokensFor(grace.email)).read()!)
  await pass(1000)
  expect(screen.getByRole('status').textContent).toBe(text + stop)
  fireEvent.click(screen.getByRole('button', { name: stop }))
  await pass(1000)
  expect([screen.queryByRole('status'), (await settled(app.user$.get()))?.displayName]).toEqual([null, 'Ada'])
})

describe('the dialog before the end of a session', () => {
  const minute = 60_000

  beforeEach(() => {
    localStorage.clear()
    // jsdom has no modal dialogs.
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true
      },
      close(this: HTMLDialogElement) {
        this.open = false
      },
    })
  })

  async function ending(afterMillis: number, activeUntil = 0) {
    const { app, show, pass } = await reactWorld()
    show(<SessionLimitDialog />)
    for (let at = 0; at < activeUntil; at += 29 * minute) {
      await pass(29 * minute)
      fireEvent.keyDown(document.body, { key: 'a' })
    }
    await pass(afterMillis)
    const press = async (name: string) => {
      fireEvent.click(screen.getByRole('button', { name }))
      await pass(1000)
    }
    return { app, pass, press }
  }

  it('keeps an idle session at a press, and says when it ends', async () => {
    const { press, pass, app } = await ending(29 * minute)
    expect(screen.getByRole('dialog', { name: 'Are you still there?' }).textContent).toMatch(/signed out at .*\d:\d\d/)
    await press('Stay signed in')
    expect(screen.queryByRole('dialog')).toBeNull()
    await pass(30 * minute)
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'idle' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('signs out at a press', async () => {
    const { press, app } = await ending(29 * minute)
    await press('Sign out now')
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  })

  it('of a session that is too old closes, and the session ends all the same', async () => {
    const { press, pass, app } = await ending(23 * minute, 24 * 29 * minute)
    await press('Got it')
    expect(screen.queryByRole('dialog')).toBeNull()
    await pass(minute)
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'limit' })
  })
})
