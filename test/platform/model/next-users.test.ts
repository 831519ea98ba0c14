import { grace, led, oauthWorld } from '../oauth-world'
import { asClient } from '../provider/provider-world'

describe('nextUser', () => {
  it('answers in order, each once, then the page is shown again', async () => {
    const world = await asClient()
    world.platform.oauth.nextUser(grace)
    world.platform.oauth.nextUser('refuses')
    const ends = [
      await world.visit(world.authorizeAt),
      await world.visit(world.authorizeAt),
      await world.visit(world.authorizeAt),
    ]
    expect(ends.map(each => [led(each, 'code') !== null, led(each, 'error')])).toEqual([
      [true, null],
      [false, 'access_denied'],
      [false, null],
    ])
    expect(ends[2]?.text).toContain('<form')
  })

  it('uses one account for the same address', async () => {
    const world = oauthWorld()
    const users = []
    for (const email of ['Grace@example.com', 'grace@example.com'])
      users.push((await world.exchange(led(await world.signIn({ email }), 'code'))).body.is_new_user)
    expect(users).toEqual([true, false])
  })
})
