import { account, button, confirm, field, heading, newAccount, newcomer, plantSession, signIn, signOut } from './person'
import { at, page, running, useExample } from './stage'

useExample({ mode: 'development' })

const draft = () => field(page, 'Text of the note')

/** Whether a text is in the storage that all pages of the browser share. */
const isStored = (text: string) =>
  page.evaluate(wanted => Object.values(localStorage).some(value => String(value).includes(wanted)), text)

describe('what one user has left in the browser', () => {
  it('is still typed after a reload, and gone for the next user, also for the first one later', async () => {
    const { email } = await newcomer(page, running, at('/notes'))
    await draft().fill('Half a thought')
    await page.reload()
    await heading(page, 'Notes').waitFor()
    expect(await draft().inputValue()).toBe('Half a thought')
    expect(await isStored('Half a thought')).toBe(true)

    await signOut(page)
    expect(await isStored('Half a thought')).toBe(false)
    const next = await newAccount(running)
    for (const user of [next.email, email]) {
      await signIn(page, user)
      await account(page, `Account: ${user}`).waitFor()
      await page.goto(at('/notes'))
      expect(await draft().inputValue()).toBe('')
      await signOut(page)
    }
  })

  it('leaves the open page when another user signs in in another tab, and what is refused late does too', async () => {
    await newcomer(page, running, at('/notes'))
    await page.getByText('No notes yet.').waitFor()
    let refuse: () => void = () => undefined
    const isRefused = new Promise<void>(resolve => (refuse = resolve))
    await page.route('**/api/notes', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      await isRefused
      await route.abort()
    })
    await draft().fill('My secret')
    await page.keyboard.press('Enter')
    await page.getByText('Saving…').waitFor()
    await draft().fill('Half a thought')
    const next = await newAccount(running)
    await plantSession(page, next.tokens, running)
    await account(page, `Account: ${next.email}`).waitFor()
    refuse()
    await page.getByText('No notes yet.').waitFor()
    expect(await draft().inputValue()).toBe('')
    expect([await isStored('My secret'), await isStored('Half a thought')]).toEqual([false, false])
  })

  it('also leaves with the notifications on the screen', async () => {
    const { app } = await newcomer(page, running)
    const { id: selectedTeamId } = await app.createTeam({ displayName: 'Secret plans' })
    await app.updateUser({ selectedTeamId })
    await page.goto(at('/handler/team/danger-zone'))
    await confirm(page, button(page, 'Delete team'), 'Delete team for good')
    const told = page.getByRole('status').filter({ hasText: 'Secret plans' })
    // It does not go by itself then.
    await told.hover()
    const next = await newAccount(running)
    await plantSession(page, next.tokens, running)
    await account(page, `Account: ${next.email}`).waitFor()
    await told.waitFor({ state: 'detached' })
  })
})
