import wire from '../../wire/newer-emails.json'
import { expectPlain, expectRefusal } from '../wire-world'
import { letter, withServer } from './emails-world'

it('how mails arrive is answered as the document describes it', async () => {
  const { ask, send } = withServer()
  await send({ ...letter, emails: ['a@example.com', 'bounced@outcome.test'] })
  const { status, body } = await ask('GET /emails/delivery-info', { access: 'server' })
  expect([status, body]).toEqual([200, wire['delivery info']])
})

describe('mails sent faster for a time', () => {
  const boost = 'POST /emails/capacity-boost'

  it('are twice as many, until the answered instant', async () => {
    const { ask, clock } = withServer()
    const capacity = async () => (await ask('GET /emails/delivery-info', { access: 'server' })).body.capacity as object
    const { status, body } = await ask(boost, { access: 'server', body: {} })
    expect([status, body]).toEqual([200, { expires_at: '2026-01-01T04:00:00.000Z' }])
    expect(await capacity()).toEqual({
      ...wire['delivery info'].capacity,
      rate_per_second: 2 * wire['delivery info'].capacity.rate_per_second,
      boost_multiplier: 2,
      is_boost_active: true,
      boost_expires_at: body.expires_at,
    })
    await clock.advance(4 * 3_600_000)
    expect(await capacity()).toEqual(wire['delivery info'].capacity)
    expect((await ask(boost, { access: 'server' })).body).toEqual({ expires_at: '2026-01-01T08:00:00.000Z' })
  })

  it('are refused while they last, and to a client', async () => {
    const { ask } = withServer()
    const { body } = await ask(boost, { access: 'admin' })
    const refused = await ask(boost, { access: 'server' })
    const code = 'EMAIL_CAPACITY_BOOST_ALREADY_ACTIVE'
    expect([refused.status, refused.headers.get('x-stack-known-error')]).toEqual([409, code])
    expect(refused.body).toEqual({ code, error: expect.any(String), details: { expires_at: body.expires_at } })
    expectRefusal(await ask(boost), 'INSUFFICIENT_ACCESS_TYPE')
  })
})

// Promise: mail-delivery
it.each<[line: string, body: object | undefined]>([
  ['POST /internal/emails/managed-onboarding/setup', { subdomain: 'mail', sender_local_part: 'hello' }],
  ['POST /internal/emails/managed-onboarding/check', { domain_id: 'd', subdomain: 'mail', sender_local_part: 'hello' }],
  ['GET /internal/emails/managed-onboarding/list', undefined],
  ['POST /internal/emails/managed-onboarding/apply', { domain_id: 'd' }],
])('%s is 501, and says what is missing', async (line, body) => {
  const refused = await withServer().asAdmin(line, body)
  expectPlain(refused, 501)
  expect(refused.text).toContain('no DNS')
})
