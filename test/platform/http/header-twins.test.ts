import { localProject } from '../../../src/core/defaults'
import { accessTokenOf, ada, expectPlain, expectRefusal, wireWorld, type Ask, type World } from '../wire-world'
import { newer, projectId } from '../world-2026'

describe('a header', () => {
  it('may be sent under either name, and the newer one wins', async () => {
    const { ask } = newer()
    const key = { 'x-hexclave-publishable-client-key': localProject.publishableClientKey }
    const newNames = { ...key, 'x-hexclave-access-type': 'client', 'x-hexclave-project-id': projectId }
    expect((await ask('GET /projects/current', { access: null, headers: newNames })).status).toBe(200)
    const both = { 'x-hexclave-publishable-client-key': 'x' }
    expectRefusal(await ask('GET /projects/current', { headers: both }), 'INVALID_PUBLISHABLE_CLIENT_KEY')
    expectRefusal(
      await wireWorld().ask('GET /projects/current', { access: null, headers: newNames }),
      'ACCESS_TYPE_REQUIRED',
    )
  })

  it('keeps the body of a request with newer names', async () => {
    const body = { email: ada.email, password: ada.password }
    const headers = { 'x-hexclave-override-error-status': 'true' }
    const right = await newer().ask('POST /auth/password/sign-in', { body, headers })
    expect([right.status, right.body.user_id]).toEqual([200, ada.id])
  })

  it('of an answer is sent under both names', async () => {
    const how: Ask = { headers: { 'x-stack-override-error-status': 'true' } }
    const { status, headers } = await newer().ask('GET /users/me', how)
    expect(status).toBe(200)
    expect(headers.get('x-hexclave-request-id')).toMatch(/^[a-z0-9]{16}$/)
    expect(headers.get('x-hexclave-request-id')).toBe(headers.get('x-stack-request-id'))
    for (const brand of ['stack', 'hexclave']) {
      expect(headers.get(`x-${brand}-actual-status`)).toBe('400')
      expect(headers.get(`x-${brand}-known-error`)).toBe('CANNOT_GET_OWN_USER_WITHOUT_USER')
      for (const name of ['access-token', 'allow-anonymous-user', 'allow-restricted-user'])
        expect(headers.get('access-control-allow-headers')?.split(', ')).toContain(`x-${brand}-${name}`)
      for (const name of ['actual-status', 'known-error'])
        expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(`x-${brand}-${name}`)
    }
    const reference = await wireWorld().ask('GET /users/me', how)
    expect([...reference.headers.entries()].flat().join()).not.toMatch(/hexclave|allow-anonymous/)
  })

  it.each([
    ['2.8.18', 200],
    ['2026', 500],
  ] as const)('cannot have a failure of the platform %s sent as success', async (wire, status) => {
    const world = wireWorld({ wire })
    const headers = { 'x-stack-override-error-status': 'true' }
    const answer = await world.ask('POST /auth/passkey/register', {
      headers,
      accessToken: await accessTokenOf(world),
      body: { credential: {}, code: await passkeyCode(world) },
    })
    expect(answer.status).toBe(status)
    if (status === 500) expectPlain(answer, 500)
  })

  async function passkeyCode(world: World): Promise<string> {
    const accessToken = await accessTokenOf(world)
    const config = { passkeyEnabled: true }
    await world.platform.seed({ project: { config } })
    const { body } = await world.ask('POST /auth/passkey/initiate-passkey-registration', { accessToken })
    return body.code as string
  }
})
