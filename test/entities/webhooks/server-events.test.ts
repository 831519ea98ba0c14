import { readWebhook } from 'rxauth/admin'
import { verifyWebhook } from 'rxauth/server'
import type { Webhook } from 'rxauth/platform'
import { scene } from './webhook-world'
import { clock, inTime, opsId } from '../../flows/stage'

describe('an event that is handed on', () => {
  it('equals the verified one, as text and as an object', async () => {
    const one = await scene(() => false)
    const { app, ids, platform } = one.stage
    const requests: Webhook[] = []
    platform.webhooks$.subscribe(webhook => requests.push(webhook))
    await inTime(app.updateUserById({ userId: ids.ada, serverMetadata: { since: '2020-01-01' } }))
    await inTime(app.grantTeamPermission({ userId: ids.ada, teamId: opsId, permissionId: 'team_member' }))
    await clock.advance(0)
    await platform.webhooks.idle()
    expect(requests).toHaveLength(2)
    for (const { request } of requests) {
      const body = JSON.parse(await request.clone().text()) as object
      const event = await verifyWebhook(request, platform.webhooks.secret, { clock })
      const { id, sentAt } = event
      expect(readWebhook({ id, sentAt, ...body })).toEqual(event)
      expect(readWebhook(JSON.stringify({ id, sentAt, ...body }))).toEqual(event)
    }
  })

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

  it.each([
    undefined,
    null,
    '',
    '{',
    '"msg_x"',
    [],
    {},
    { id: 'msg_x', type: 'team.deleted', data: { id: 'x' } },
    { id: 'msg_x', sentAt: 'yesterday', type: 'team.deleted', data: { id: 'x' } },
    { id: 'msg_x', sentAt: '2026-01-01T00:00:00.000Z', type: 'team.deleted', data: {} },
    { id: 1, sentAt: '2026-01-01T00:00:00.000Z', type: 'team.deleted', data: { id: 'x' } },
  ])('is refused if it has another shape: %j', handedOn => {
    expect(() => readWebhook(handedOn)).toThrow(expect.objectContaining({ code: 'INVALID_RESPONSE' }))
  })
})
