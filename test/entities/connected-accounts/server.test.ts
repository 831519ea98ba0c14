import { createServerApp } from 'rxauth/server'
import { virtualWeb } from '../../oauth-web'
import type { VirtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { grace } from '../../world'
import { linkedWith, provider } from './connected-account-world'

let web: VirtualWeb
beforeEach(() => (web = virtualWeb()))
afterEach(() => web.close())

describe('a token of a connected account', () => {
  it('is had at a server by the id of the user; its refusals are values there', async () => {
    await linkedWith(web, ['repo'])
    leavePages()
    const server = createServerApp(web.platform.serverOptions)
    const [adas, graces] = (await server.users$().get()).items
    expect(await server.connectedAccountsOf$({ userId: adas!.id }).get()).toMatchObject([{ provider }])
    expect(await server.connectedAccountsOf$({ userId: graces!.id }).get()).toEqual([])
    const ask = async (userId: string, scope: string) =>
      server
        .connectedAccountTokenById({ userId, provider, scope })
        .then(result => (result.ok ? typeof result.value.accessToken : result.error.code))
    expect(await ask(adas!.id, 'repo')).toBe('string')
    expect(await ask(adas!.id, 'gist')).toBe('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE')
    expect(await ask(graces!.id, 'repo')).toBe('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER')
    expect(grace.email).toBe(graces!.primaryEmail)
    server.dispose()
  })
})
