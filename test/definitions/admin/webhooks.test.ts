import { inspect } from 'rxauth'
import { adminWorld } from './admin-world'

it('a token for the portal of webhooks is new each time', async () => {
  const { admin, inTime } = await adminWorld()
  const tokens = [await inTime(admin.createWebhookToken()), await inTime(admin.createWebhookToken())]
  expect(tokens.map(({ token }) => token.length)).toEqual([38, 38])
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(2)
  for (const { token } of tokens) expect(JSON.stringify(inspect(admin))).not.toContain(token)
})
