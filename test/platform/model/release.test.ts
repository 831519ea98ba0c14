import { newer } from '../world-2026'
import { expectRefusal, wireWorld } from '../wire-world'

describe('an unknown release', () => {
  it('is none', () => {
    expect(() => wireWorld({ wire: '2025' as never })).toThrow('wire "2025" is unknown')
  })
})

describe('the release of April 2026', () => {
  // Promise: platform-of-2026
  it.each([
    ['GET /teams?limit=1&order_by=created_at', 'query contains unknown properties: limit, order_by'],
    ['GET /team-permission-definitions?query=a', 'query contains unknown properties: query'],
    ['GET /users?excluded_email_domains=a.com', 'query contains unknown properties: excluded_email_domains'],
    ['GET /users?order_by=last_active_at', 'query.order_by must be one of the following values: signed_up_at'],
    ['GET /emails/outbox?user_id=me', 'query contains unknown properties: user_id'],
  ])('does not know the fields of %s', async (line, said) => {
    const access = line.includes('definitions') ? 'admin' : 'server'
    const refused = await newer({ wire: '2.8.86' }).ask(line, { access })
    expect(expectRefusal(refused, 'SCHEMA_ERROR')['message']).toContain(said)
    const { status } = await newer().ask(line.replace('user_id=me', ''), { access })
    expect(status).toBe(200)
  })

  it('has no second names of headers', async () => {
    const { ask } = newer({ wire: '2.8.86' })
    const { headers } = await ask('GET /users/me')
    expect([headers.get('x-stack-known-error'), headers.get('x-hexclave-known-error')]).toEqual([
      expect.any(String),
      null,
    ])
    expect(headers.get('access-control-allow-headers')).not.toContain('hexclave')
  })

  it('accepts an invitation by its code for a user with another address', async () => {
    for (const [wire, status] of [
      ['2.8.86', 200],
      ['2026', 403],
    ] as const) {
      const { ask, platform } = newer({ wire })
      const { id } = (await ask('POST /teams', { access: 'server', body: { display_name: 'Ops' } })).body
      const body = { team_id: id, email: 'guest@example.com', callback_url: 'http://localhost/join' }
      await ask('POST /team-invitations/send-code', { access: 'server', body })
      const { code } = await platform.mailbox('guest@example.com').next()
      const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
      expect((await ask('POST /team-invitations/accept', { accessToken, body: { code } })).status).toBe(status)
    }
  })
})
