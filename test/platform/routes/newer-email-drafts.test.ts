import wire from '../../wire/newer-emails.json'
import { expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './newer-emails-world'

const path = '/internal/email-drafts'

describe('drafts on the newer wire', () => {
  it('are created, listed, read, changed and deleted', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'Launch', theme_id: false })
    const [shape] = wire.drafts.drafts
    const shown = { ...shape, id, tsx_source: expect.any(String) as string }
    expect((await world.asAdmin(`GET ${path}`)).body).toEqual({ drafts: [shown] })
    expect((await world.asAdmin(`GET ${path}/${id}`)).body).toEqual(shown)
    // A draft may be incomplete.
    const changes = { display_name: 'Later', theme_id: null, tsx_source: tsx('<p>{') }
    const changed = await world.asAdmin(`PATCH ${path}/${id}`, changes)
    expect([changed.status, changed.body]).toEqual([200, wire['draft changed']])
    expect((await world.asAdmin(`GET ${path}/${id}`)).body).toEqual({ ...shown, ...changes })
    await world.asAdmin(`PATCH ${path}/${id}`, {})
    expect((await world.asAdmin(`GET ${path}/${id}`)).body).toEqual({ ...shown, ...changes })
    expect((await world.asAdmin(`DELETE ${path}/${id}`)).status).toBe(200)
    expect((await world.asAdmin(`GET ${path}`)).body).toEqual({ drafts: [] })
  })

  it('are refused with an unknown theme, and if they do not exist', async () => {
    const { asAdmin } = withServer()
    expectRefusal(await asAdmin(`POST ${path}`, { display_name: 'x', theme_id: unknownId }), 'SCHEMA_ERROR')
    for (const line of [`GET ${path}/${unknownId}`, `DELETE ${path}/${unknownId}`])
      expectPlain(await asAdmin(line), 404)
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, {}), 404)
  })

  it('do not exist on the reference release', async () => {
    const { asAdmin } = withServer(undefined, '2.8.18')
    expectPlain(await asAdmin(`GET ${path}`), 404)
  })
})
