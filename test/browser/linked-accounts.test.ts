import { orThrow } from 'rxauth'
import { createOAuthProviderById, oauthProvidersOf$ } from 'rxauth/server'
import { server, useServer } from './owner'
import { account, button, confirm, heading, look, newAccount, plantSession, press, see } from './person'
import { at, page, running, useExample } from './stage'

useExample({ options: ['--wire=2026'] })
useServer()

it('accounts at providers are listed, several of one too, switched, and disconnected after a question', async () => {
  const { app, tokens } = await newAccount(running)
  const { id: userId } = (await app.anyUser$.get())!
  await server.updateUserById({ userId, primaryEmailVerified: true })
  for (const name of ['work', 'home'])
    orThrow(
      await createOAuthProviderById(server, {
        userId,
        providerConfigId: 'github',
        accountId: name,
        email: `${name}@example.com`,
        allowSignIn: true,
        allowConnectedAccounts: name === 'work',
      }),
    )
  await plantSession(page, tokens, running)
  await page.goto(at('/handler/account-settings/connected-accounts'))
  await see(button(page, 'Connect another account of GitHub'), button(page, 'Connect Acme Staff'))
  const home = page.getByRole('group', { name: 'home@example.com' })
  expect(await home.getByLabel('Use it for sign-in').isChecked()).toBe(true)
  expect(await home.getByLabel('Let this app use it').isChecked()).toBe(false)
  await look(page, 'linked-accounts')

  await press(home.getByLabel('Use it for sign-in'), home.locator('input:not(:checked):not(:disabled)').nth(1))
  const links = oauthProvidersOf$(server, { userId })
  expect((await links.get()).map(({ accountId, allowSignIn }) => [accountId, allowSignIn])).toEqual([
    ['work', true],
    ['home', false],
  ])

  await confirm(page, button(page, 'Disconnect home@example.com'), 'Disconnect')
  await home.waitFor({ state: 'detached' })
  expect((await links.refresh()).map(({ accountId }) => accountId)).toEqual(['work'])
})

it('a provider of the project’s own has a button, and signs a user in', async () => {
  await page.goto(at('/handler/sign-in'))
  await button(page, 'Continue with Acme Staff').waitFor()
  await look(page, 'custom-provider')
  await press(button(page, 'Continue with Acme Staff'), heading(page, 'Sign in with Acme Staff'))
  await page.getByRole('radio').first().check()
  await press(button(page, 'Continue'), account(page))
})
