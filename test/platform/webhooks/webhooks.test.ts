import { createServerApp } from 'rxauth/server'
import { hooked, typesOf } from './webhook-world'

describe('a fork', () => {
  it('sends its own events to the same endpoints', async () => {
    const one = await hooked()
    const fork = one.platform.fork()
    await one.settled(createServerApp(fork.serverOptions).createTeamById({ displayName: 'Ops' }))
    await fork.webhooks.idle()
    expect(typesOf(one.told)).toEqual(['team.created'])
  })
})
