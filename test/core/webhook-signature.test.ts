import { createHmac } from 'node:crypto'
import { hasWebhookSignature, webhookKey, webhookSignature } from '../../src/core/webhook-signature'

const secret = `whsec_${btoa('a key of twenty-four byt')}`
const content = {
  id: 'msg_1',
  timestamp: '1614265330',
  body: new TextEncoder().encode('{"type":"user.created"}'),
}
/** By Node's own implementation, as the scheme of Standard Webhooks describes it. */
const signature = `v1,${createHmac('sha256', 'a key of twenty-four byt').update('msg_1.1614265330.{"type":"user.created"}').digest('base64')}`

const keyOf = async (text: string) => (await webhookKey(text))!

describe('the signature of a webhook', () => {
  it('is that of Standard Webhooks, with and without the prefix of the secret', async () => {
    expect(await webhookSignature(await keyOf(secret), content)).toBe(signature)
    expect(await webhookSignature(await keyOf(secret.slice('whsec_'.length)), content)).toBe(signature)
  })

  it.each([
    ['alone', true, signature],
    ['among those of a secret that is being replaced', true, `v1,${btoa('another')} ${signature}`],
    ['of another version', false, signature.replace('v1', 'v2')],
    ['that is no base64', false, 'v1,%%%'],
    ['that is empty', false, ''],
    ['cut short', false, signature.slice(0, -5)],
  ])('%s in the header, counts: %p', async (_, counts, header) => {
    expect(await hasWebhookSignature(await keyOf(secret), content, header)).toBe(counts)
  })

  it('is computed once, however many there are in the header', async () => {
    const key = await keyOf(secret)
    const computed = (['sign', 'verify'] as const).map(name => jest.spyOn(crypto.subtle, name))
    expect(await hasWebhookSignature(key, content, `${'v1, '.repeat(5000)}${signature}`)).toBe(true)
    expect(computed.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1)
  })

  it.each([
    ['id', { ...content, id: 'msg_2' }],
    ['time', { ...content, timestamp: '1614265331' }],
    ['body', { ...content, body: new TextEncoder().encode('{"type":"user.deleted"}') }],
  ])('does not count with another %s', async (_, changed) => {
    expect(await hasWebhookSignature(await keyOf(secret), changed, signature)).toBe(false)
  })

  it.each(['whsec_', '', 'whsec_%%%'])('needs a secret in base64, which "%s" is not', async text => {
    expect(await webhookKey(text)).toBeNull()
  })
})
