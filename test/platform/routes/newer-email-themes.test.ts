import wire from '../../wire/newer-emails.json'
import { light } from '../newer-world'
import { expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './newer-emails-world'

const path = '/internal/email-themes'

describe('themes in TSX on the newer wire', () => {
  it('are two of the platform and those of the project, which are created, read, changed and deleted', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'Own' })
    const { body } = await world.asAdmin(`GET ${path}`)
    expect(body).toEqual({ themes: [...wire.themes.themes.slice(0, 2), { ...wire.themes.themes[2], id }] })
    const read = await world.asAdmin(`GET ${path}/${id}`)
    expect(read.body).toEqual({ ...wire.theme, tsx_source: expect.stringContaining('{children}') })
    const changed = await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<Body>{children}</Body>') })
    expect([changed.status, changed.body]).toEqual([200, wire['theme changed']])
    expect((await world.asAdmin(`DELETE ${path}/${id}`)).status).toBe(200)
    expectPlain(await world.asAdmin(`GET ${path}/${id}`), 404)
  })

  it('surround the mails that name them, and the default one all others', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'Own' })
    await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<main>{children}</main>') })
    await world.asAdmin(`PATCH ${path}/${light}`, { tsx_source: tsx('<article>{children}</article>') })
    const template = await made(world, 'POST /internal/email-templates', { display_name: 'News' })
    const rendered = async (theme_id?: string): Promise<unknown> =>
      (await world.asAdmin(`PATCH /internal/email-templates/${template}`, { tsx_source: tsx('<p>x</p>'), theme_id }))
        .body
    expect(await rendered(id)).toEqual({ rendered_html: '<main><p>x</p></main>' })
    expect(await rendered(light)).toEqual({ rendered_html: '<article><p>x</p></article>' })
  })

  it('are refused if they cannot be rendered, and the platform’s own are not deleted', async () => {
    const { asAdmin } = withServer()
    const change = { tsx_source: tsx('<Body>{children.length}</Body>') }
    expectRefusal(await asAdmin(`PATCH ${path}/${light}`, change), 'EMAIL_RENDERING_ERROR')
    expectPlain(await asAdmin(`DELETE ${path}/${light}`), 400)
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: tsx('<p />') }), 404)
    expectPlain(await asAdmin(`DELETE ${path}/${unknownId}`), 404)
  })

  it('do not exist on the reference release', async () => {
    const { asAdmin } = withServer(undefined, '2.8.18')
    expectPlain(await asAdmin(`GET ${path}`), 404)
  })
})
