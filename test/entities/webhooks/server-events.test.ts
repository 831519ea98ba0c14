import { readWebhook } from 'rxauth/admin'

describe('an event that is handed on', () => {
  it('may be of a type that this version does not know', () => {
    const event = { id: 'msg_x', sentAt: '2026-01-01T00:00:00.000Z', type: 'payment.created', data: { amount: 1 } }
    expect(readWebhook(event)).toEqual({
      id: 'msg_x',
      sentAt: new Date('2026-01-01'),
      type: 'unknown',
      name: 'payment.created',
      data: { amount: 1 },
    })
  })
})
