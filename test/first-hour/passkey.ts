import type { Page } from 'playwright-core'

/** Gives the page an authenticator whose user agrees at once. */
export async function device(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Runs it with the app of the page: "ok", or what it says. A string, because jiti would rewrite the import. */
export function ceremony(page: Page, name: 'registerPasskey' | 'signInWithPasskey'): Promise<string> {
  return page.evaluate(`import('/src/auth.ts')
    .then(({ auth }) => auth.${name}())
    .then(result => (result.ok ? 'ok' : result.error.message), error => error.message)`)
}
