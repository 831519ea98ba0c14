import { asClient } from './provider-world'

describe('the local provider', () => {
  it.each([
    '/oauth-provider/myspace/authorize',
    '/oauth-provider/github/nothing',
    '/oauth-provider/github/native-token',
    '/oauth-provider/',
  ])('has nothing at %s', async path => {
    const { visit, origin } = await asClient()
    expect([404, 308]).toContain((await visit(`${origin}${path}`)).status)
  })
})
