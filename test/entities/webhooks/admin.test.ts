import { inspect } from 'rxauth'
import { createAdminApp, sendTestWebhook } from 'rxauth/admin'
import { answered, intercept } from '../../session/intercept'
import { adminWorld } from '../admin-world'

it('a token for the portal of webhooks is new each time', async () => {
  const { admin, inTime } = await adminWorld()
  const tokens = [await inTime(admin.createWebhookToken()), await inTime(admin.createWebhookToken())]
  expect(tokens.map(({ token }) => token.length)).toEqual([38, 38])
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(2)
  for (const { token } of tokens) expect(JSON.stringify(inspect(admin))).not.toContain(token)
})

it('the address of the portal comes with the token where the release has one', async () => {
  const { platform, inTime } = await adminWorld()
  const url = 'https://portal.example.com/#key=secret-key'
  const admin = createAdminApp({
    ...platform.adminOptions,
    fetch: intercept(platform.adminOptions.fetch, () => answered(201, { token: 'token-1', url })),
  })
  expect(await inTime(admin.createWebhookToken())).toEqual({ token: 'token-1', url })
  expect(JSON.stringify(inspect(admin))).not.toContain('secret-key')
  admin.dispose()
  const older = createAdminApp(platform.adminOptions)
  expect(await inTime(older.createWebhookToken())).not.toHaveProperty('url')
  older.dispose()
})

it('a test webhook fails on the local platform, whose endpoints have no ids', async () => {
  const { admin, inTime } = await adminWorld({ wire: '2026' })
  expect(await inTime(sendTestWebhook(admin, { endpointId: 'ep_1' }))).toEqual({
    success: false,
    errorMessage: 'Endpoint not found. Make sure it still exists.',
  })
})
