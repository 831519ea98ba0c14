import keySet from '../../wire/internal-api-keys.json'
import { withProject } from '../owner-world'
import { expectRefusal } from '../wire-world'

describe('the keys of a project', () => {
  const forms = (body: Readonly<Record<string, unknown>>) => ({
    ...body,
    id: typeof body['id'],
    ...Object.fromEntries(
      Object.entries(body)
        .filter(([name]) => name.endsWith('_key'))
        .map(([name, key]) => [name, typeof key === 'string' ? 'string' : { last_four: 'string' }]),
    ),
  })

  it('are shown once, and work', async () => {
    const { on, project, ask } = await withProject()
    const { status, body } = await on(project.id, 'POST /internal/api-keys', keySet.request)
    expect([status, forms(body)]).toEqual([200, keySet.created])
    expect(body.publishable_client_key).toMatch(/^pck_[0-9a-z]{45}$/)
    expect(body.secret_server_key).toMatch(/^ssk_[0-9a-z]{45}$/)
    const headers = {
      'x-stack-access-type': 'server',
      'x-stack-project-id': project.id,
      'x-stack-secret-server-key': body.secret_server_key,
    }
    expect((await ask('GET /users', { access: null, headers })).status).toBe(200)
    const read = (await on(project.id, `GET /internal/api-keys/${body.id}`)).body
    expect(forms(read)).toEqual(keySet.read)
    expect(read.secret_server_key).toEqual({ last_four: String(body.secret_server_key).slice(-4) })
    expect((await on(project.id, 'GET /internal/api-keys')).body).toEqual({ items: [read], is_paginated: false })
  })

  it('are revoked for good, at the time of the last request for it, and expire', async () => {
    const { on, project, ask, clock } = await withProject()
    const makeKey = async (expires_at_millis: number) =>
      (await on(project.id, 'POST /internal/api-keys', { ...keySet.request, expires_at_millis })).body as {
        id: string
        secret_server_key: string
      }
    const [key, expired] = [await makeKey(4_102_444_800_000), await makeKey(clock.now())]
    const use = ({ secret_server_key }: { secret_server_key: string }) =>
      ask('GET /users', {
        access: null,
        headers: {
          'x-stack-access-type': 'server',
          'x-stack-project-id': project.id,
          'x-stack-secret-server-key': secret_server_key,
        },
      })
    expectRefusal(await use(expired), 'INVALID_SECRET_SERVER_KEY')
    expect((await use(key)).status).toBe(200)
    const change = (body: object) => on(project.id, `PATCH /internal/api-keys/${key.id}`, body)
    const revoked = (await change({ revoked: true, description: 'gone' })).body
    expect(revoked).toMatchObject({ description: 'gone', manually_revoked_at_millis: clock.now() })
    await clock.advance(1000)
    expect((await change({ revoked: true })).body).toEqual({ ...revoked, manually_revoked_at_millis: clock.now() })
    expectRefusal(await use(key), 'INVALID_SECRET_SERVER_KEY')
    expectRefusal(await change({ revoked: false }), 'SCHEMA_ERROR')
  })

  it('are valid for that project only', async () => {
    const { ask, on, project } = await withProject()
    const { id } = (await on(project.id, 'POST /internal/api-keys', keySet.request)).body
    for (const [line, how] of [
      [`GET /internal/api-keys/${id}`, {}],
      [`PATCH /internal/api-keys/${id}`, { body: {} }],
    ] as const)
      expectRefusal(await ask(line, { access: 'admin', ...how }), 'API_KEY_NOT_FOUND')
    expectRefusal(await ask('GET /internal/api-keys/x', { access: 'admin' }), 'SCHEMA_ERROR')
  })
})
