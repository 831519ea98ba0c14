import { grace } from '../oauth-world'
import { asClient } from './provider-world'

describe('the local provider', () => {
  it.each([
    { client_id: 'unknown' },
    { redirect_uri: 'https://evil.example/' },
    { response_type: 'token' },
    { code_challenge: '' },
    { code_challenge_method: 'plain' },
  ])('shows an error and does not redirect with %j', async changes => {
    const world = await asClient(changes)
    world.platform.oauth.nextUser(grace)
    const answer = await world.visit(world.authorizeAt)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.text).toContain('role="alert"')
  })
})
