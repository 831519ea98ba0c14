import type { Page } from 'playwright-core'

interface Device {
  /** Whether its user agrees to requests from now on. */
  (agrees: boolean): Promise<void>
  /** The names of its passkeys, as the browser offers them. */
  offered(): Promise<(readonly [name: string | undefined, displayName: string | undefined])[]>
}

/** Gives the page a virtual authenticator, which holds passkeys; `agrees`: its user agrees to each request at once. */
export async function authenticatorFor(page: Page, agrees = true): Promise<Device> {
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
  return Object.assign(
    async (enabled: boolean) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    {
      async offered() {
        const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
        return credentials.map(({ userName, userDisplayName }) => [userName, userDisplayName] as const)
      },
    },
  )
}
