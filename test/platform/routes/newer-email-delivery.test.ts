import wire from '../../wire/newer-emails.json'
import { expectPlain } from '../wire-world'
import { letter, withServer } from './newer-emails-world'

it('how mails arrive is answered as the document describes it', async () => {
  const { ask, send } = withServer()
  await send({ ...letter, emails: ['a@example.com', 'bounced@outcome.test'] })
  const { status, body } = await ask('GET /emails/delivery-info', { access: 'server' })
  expect([status, body]).toEqual([200, wire['delivery info']])
})

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

it('none of them exists on the reference release', async () => {
  const { asAdmin } = withServer(undefined, '2.8.18')
  for (const line of ['GET /emails/delivery-info', 'GET /internal/emails/managed-onboarding/list'])
    expectPlain(await asAdmin(line), 404)
  expectPlain(await asAdmin('POST /internal/send-test-webhook', { endpoint_id: 'ep_1' }), 404)
})
