import { grace, oauthWorld, type OAuthWorld } from '../oauth-world'
import { expectPlain } from '../wire-world'
import { issuedBy } from './provider-world'

describe('a code of the local provider', () => {
  it.each<[what: string, change: (world: OAuthWorld, back: URL) => unknown]>([
    ['a minute after it was issued', ({ clock }) => clock.advance(60_000)],
    ['that it has not issued', (_, back) => back.searchParams.set('code', 'x')],
  ])('gives no tokens %s', async (_, change) => {
    const world = oauthWorld()
    await world.signIn(grace)
    const back = new URL(await world.chosen(grace))
    await change(world, back)
    const answer = await world.visit(back.href)
    expectPlain(answer, 400)
    expect(answer.text).toContain('refused its own code')
  })
})

describe('an access token of the local provider', () => {
  it('names its account for an hour; a refresh token and no token name none', async () => {
    const world = oauthWorld()
    await world.signIn(grace)
    const tokenOf = (kind: string) => issuedBy(world).providerGrants.find(each => each.kind === kind)!.id
    const userinfo = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await world.visit(`${world.origin}/oauth-provider/github/userinfo`, { headers })).status
    }
    expect(await Promise.all([tokenOf('access'), tokenOf('refresh'), ''].map(userinfo))).toEqual([200, 401, 401])
    await world.clock.advance(3_599_999)
    expect(await userinfo(tokenOf('access'))).toBe(200)
    await world.clock.advance(1)
    expect(await userinfo(tokenOf('access'))).toBe(401)
  })
})
