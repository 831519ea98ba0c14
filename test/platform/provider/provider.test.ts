import { asClient } from './provider-world'

describe('the local provider', () => {
  it('answers its discovery document', async () => {
    const { visit, issuer } = await asClient()
    const { status, body } = await visit(`${issuer}/.well-known/openid-configuration`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks.json`,
      code_challenge_methods_supported: ['S256'],
    })
  })

  it.each(['/oauth-provider/myspace/authorize', '/oauth-provider/github/nothing', '/oauth-provider/'])(
    'has nothing at %s',
    async path => {
      const { visit, origin } = await asClient()
      expect([404, 308]).toContain((await visit(`${origin}${path}`)).status)
    },
  )
})
