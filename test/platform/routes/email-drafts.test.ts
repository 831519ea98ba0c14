import wire from '../../wire/newer-emails.json'
import { expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './emails-world'

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
    const changes = { display_name: 'Later', theme_id: unknownId, tsx_source: tsx('<p>{') }
    const changed = await world.asAdmin(`PATCH ${path}/${id}`, changes)
    expect([changed.status, changed.body]).toEqual([200, wire['draft changed']])
    expect((await world.asAdmin(`GET ${path}/${id}`)).body).toEqual({ ...shown, ...changes })
    await world.asAdmin(`PATCH ${path}/${id}`, {})
    expect((await world.asAdmin(`GET ${path}/${id}`)).body).toEqual({ ...shown, ...changes })
    const nothing = { display_name: 'Never', theme_id: null }
    expect(expectRefusal(await world.asAdmin(`PATCH ${path}/${id}`, nothing), 'SCHEMA_ERROR')['message']).toContain(
      'body.theme_id cannot be null',
    )
    const newest = await made(world, `POST ${path}`, { display_name: 'Newest' })
    const [first, second] = (await world.asAdmin(`GET ${path}`)).body.drafts as Record<string, unknown>[]
    expect([first?.['id'], first && 'theme_id' in first, second]).toEqual([newest, false, { ...shown, ...changes }])
    await world.clock.advance(1000)
    await world.asAdmin(`PATCH ${path}/${id}`, { display_name: 'Last changed' })
    const drafts = (await world.asAdmin(`GET ${path}`)).body.drafts as Record<string, unknown>[]
    expect(drafts.map(draft => draft['id'])).toEqual([id, newest])
    await world.asAdmin(`DELETE ${path}/${newest}`)
    expect((await world.asAdmin(`DELETE ${path}/${id}`)).body).toEqual({ ok: 'ok' })
    expect((await world.asAdmin(`GET ${path}`)).body).toEqual({ drafts: [] })
  })

  it('are refused if they do not exist', async () => {
    const { asAdmin } = withServer()
    for (const line of [`GET ${path}/${unknownId}`, `DELETE ${path}/${unknownId}`])
      expectPlain(await asAdmin(line), 404)
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, {}), 500)
  })
})
