import { wireWorld } from '../wire-world'
import { askLocal } from './local-world'

describe('the address', () => {
  it('has no other routes', async () => {
    const { platform } = wireWorld()
    for (const path of ['', '/', '/nothing', '/requests/1/x', '/mails/x', '/constructor', '/__proto__'])
      expect([path, (await askLocal(platform, `GET ${path}`)).status]).toEqual([path, 404])
    expect((await askLocal(platform, 'POST /mails', {})).status).toBe(405)
    expect((await askLocal(platform, 'OPTIONS /session')).status).toBe(405)
  })

  it('takes JSON only, and lets no other origin read', async () => {
    const { platform } = wireWorld()
    const url = `${platform.options.baseUrl}/__local__/session`
    const asForm = await platform.fetch(new Request(url, { method: 'POST', body: '{}' }))
    expect(asForm.status).toBe(415)
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
    expect((await platform.fetch(new Request(url, broken))).status).toBe(400)
    const { headers } = await askLocal(platform, 'GET /mails')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})
