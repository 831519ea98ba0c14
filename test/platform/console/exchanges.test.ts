import { ada, wireWorld } from '../wire-world'
import { askLocal } from './local-world'

describe('the log of requests', () => {
  it('has bodies and headers of both sides, without secrets', async () => {
    const { platform, ask } = wireWorld()
    await ask('POST /auth/password/sign-in', { body: { email: ada.email, password: ada.password } })
    await ask('POST /auth/password/sign-in', { body: { email: ada.email, password: 'wrong' } })
    const { items } = (await askLocal(platform, 'GET /requests')).body
    expect(items).toMatchObject([
      { method: 'POST', status: 400, errorCode: 'EMAIL_PASSWORD_MISMATCH', access: 'client', fault: null },
      { path: '/api/v1/auth/password/sign-in', status: 200, errorCode: null, at: '2026-01-01T00:00:00.000Z' },
    ])
    const [refused, signedIn] = items
    const detail = (await askLocal(platform, `GET /requests/${signedIn.id}`)).body
    expect(JSON.parse(detail.requestBody.text)).toEqual({ email: ada.email, password: '••••••' })
    expect(JSON.parse(detail.responseBody.text)).toMatchObject({ access_token: '••••••', refresh_token: '••••••' })
    expect(detail.requestHeaders['x-stack-project-id']).toBe(platform.options.projectId)
    expect(JSON.stringify(detail)).not.toContain(ada.password)
    const other = (await askLocal(platform, `GET /requests/${refused.id}`)).body
    expect(JSON.parse(other.responseBody.text).code).toBe('EMAIL_PASSWORD_MISMATCH')
  })

  it('keeps the last 200, no body and no path that is too long, and nothing of the console', async () => {
    const { platform, ask } = wireWorld()
    await ask('GET /projects/current', { headers: { 'x-rxauth-console': '1' } })
    await ask(`GET /projects/current?a=${'a'.repeat(70_000)}`)
    expect((await askLocal(platform, 'GET /requests')).body.items[0].path.length).toBeLessThan(10_000)
    await askLocal(platform, 'DELETE /requests')
    await ask('POST /auth/password/sign-in', { body: { email: 'a'.repeat(70_000), password: 'x' } })
    const [long] = (await askLocal(platform, 'GET /requests')).body.items as [{ id: number }]
    expect((await askLocal(platform, `GET /requests/${long.id}`)).body.requestBody).toEqual({
      text: null,
      length: expect.any(Number),
    })
    for (let count = 0; count < 200; count++) await ask('GET /projects/current')
    const { items } = (await askLocal(platform, 'GET /requests')).body
    expect([items.length, items[199].path]).toEqual([200, '/api/v1/projects/current'])
    expect((await askLocal(platform, `GET /requests/${long.id}`)).status).toBe(404)
    await askLocal(platform, 'DELETE /requests')
    expect((await askLocal(platform, 'GET /requests')).body).toEqual({ items: [] })
  })
})
