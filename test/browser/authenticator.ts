import type { Page } from 'playwright-core'

/**
 * Gives the page a virtual authenticator, which holds passkeys. Its user agrees to each request at once, or only after a call of the
 * returned function, which says whether the user does.
 */
export async function authenticatorFor(page: Page, agrees = true): Promise<(agrees: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: agrees,
    },
  })
  return async enabled => {
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
}
