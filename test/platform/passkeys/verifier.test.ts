import { createClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'

jest.mock('@simplewebauthn/server', () => {
  throw new Error('Cannot find package')
})

it('refuses a registration without the optional package, and says to install it and to start again', async () => {
  const platform = createPlatform({
    seed: { project: { config: { passkeyEnabled: true } }, users: [{ email: 'ada@example.com' }] },
  })
  const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor('ada@example.com') })
  const registering = app.registerPasskey({ hostname: 'localhost', authenticator: platform.authenticator() })
  await expect(registering).rejects.toMatchObject({
    status: 501,
    message: expect.stringMatching(/npm install --save-dev @simplewebauthn\/server, then start it again\.$/) as string,
  })
})
