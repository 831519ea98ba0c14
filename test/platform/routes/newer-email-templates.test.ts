import wire from '../../wire/newer-emails.json'
import { light } from '../newer-world'
import { expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './newer-emails-world'

const path = '/internal/email-templates'

describe('templates in TSX on the newer wire', () => {
  it('are created, listed, changed and deleted', async () => {
    const world = withServer()
    const created = await world.asAdmin(`POST ${path}`, { display_name: 'News' })
    expect([created.status, { id: typeof created.body.id }]).toEqual([200, wire.created])
    const { body } = await world.asAdmin(`GET ${path}`)
    expect(body).toEqual({
      templates: [{ ...wire.templates.templates[0], id: created.body.id, tsx_source: expect.any(String) }],
    })
    const changed = await world.asAdmin(`PATCH ${path}/${created.body.id}`, {
      tsx_source: tsx('<p>Hi {variables.name}</p>'),
      theme_id: false,
    })
    expect([changed.status, changed.body]).toEqual([200, { rendered_html: '<p>Hi </p>' }])
    const [listed] = (await world.asAdmin(`GET ${path}`)).body.templates
    expect(listed).toMatchObject({ tsx_source: expect.stringContaining('Hi {variables.name}'), theme_id: false })
    expect((await world.asAdmin(`DELETE ${path}/${created.body.id}`)).status).toBe(200)
    expect((await world.asAdmin(`GET ${path}`)).body).toEqual({ templates: [] })
  })

  it('keep their theme and source if the change cannot be rendered, which says why', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const refused = await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<p>{now()}</p>'), theme_id: light })
    expect(expectRefusal(refused, 'EMAIL_RENDERING_ERROR')).toEqual({ error: expect.stringContaining('{now}') })
    expect((await world.asAdmin(`GET ${path}`)).body.templates[0]).not.toHaveProperty('theme_id')
  })

  it('need a mail server of the project', async () => {
    const { asAdmin } = withServer({})
    expectRefusal(await asAdmin(`POST ${path}`, { display_name: 'News' }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
  })

  it('are refused without a name, with an unknown theme, and for servers', async () => {
    const world = withServer()
    expectRefusal(await world.asAdmin(`POST ${path}`, {}), 'SCHEMA_ERROR')
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const change = { tsx_source: tsx('<p />'), theme_id: unknownId }
    expectRefusal(await world.asAdmin(`PATCH ${path}/${id}`, change), 'SCHEMA_ERROR')
    expectRefusal(await world.ask(`GET ${path}`, { access: 'server' }), 'INSUFFICIENT_ACCESS_TYPE')
  })

  it('that do not exist are a plain 404', async () => {
    const { asAdmin } = withServer()
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: tsx('<p />') }), 404)
    expectPlain(await asAdmin(`DELETE ${path}/${unknownId}`), 404)
  })

  it('do not exist on the reference release', async () => {
    const { asAdmin } = withServer(undefined, '2.8.18')
    expectPlain(await asAdmin(`GET ${path}`), 404)
  })
})
