import wire from '../../wire/newer-emails.json'
import { light } from '../world-2026'
import { expectAnswer, expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './emails-world'

const path = '/internal/email-themes'

describe('themes in TSX on the newer wire', () => {
  it('are three of the platform and those of the project, which are created, read, changed and deleted', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'Own' })
    const { body } = await world.asAdmin(`GET ${path}`)
    expect(body).toEqual({ themes: [...wire.themes.themes.slice(0, 3), { ...wire.themes.themes[3], id }] })
    const read = await world.asAdmin(`GET ${path}/${id}`)
    expect(read.body).toEqual({ id, ...wire.theme, tsx_source: expect.stringContaining('{children}') })
    expectAnswer(
      await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<Body>{children}</Body>') }),
      200,
      wire['theme changed'],
    )
    expect((await world.asAdmin(`DELETE ${path}/${id}`)).status).toBe(200)
    expectPlain(await world.asAdmin(`GET ${path}/${id}`), 404)
  })

  it('surround the mails that name them, and the default one all others', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'Own' })
    await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<main>{children}</main>') })
    await world.asAdmin(`PATCH ${path}/${light}`, { tsx_source: tsx('<article>{children}</article>') })
    const rendered = async (theme_id?: string): Promise<unknown> => {
      const body = { template_tsx_source: tsx('<p>x</p>'), ...(theme_id && { theme_id }) }
      return (await world.asAdmin('POST /emails/render-email', body)).body.html
    }
    expect([await rendered(id), await rendered()]).toEqual(['<main><p>x</p></main>', '<article><p>x</p></article>'])
    const select = { config_override_string: JSON.stringify({ 'emails.selectedThemeId': id }) }
    await world.asAdmin('PATCH /internal/config/override/environment', select)
    expect(await rendered()).toBe('<main><p>x</p></main>')
    expect((await world.asAdmin('GET /internal/projects/current')).body.config.email_theme).toBe(id)
    await world.asAdmin('PATCH /internal/projects/current', { config: { email_theme: light } })
    expect(await rendered()).toBe('<article><p>x</p></article>')
    const { emails } = JSON.parse((await world.asAdmin('GET /internal/config')).body.config_string as string)
    expect([emails.selectedThemeId, Object.keys(emails.themes as object)]).toEqual([
      light,
      expect.arrayContaining([id, light]),
    ])
    expect(Object.keys(emails.templates as object)).toHaveLength(7)
  })

  it('are refused if they cannot be rendered, and the platform’s own are not deleted', async () => {
    const { asAdmin } = withServer()
    const change = { tsx_source: tsx('<Body>{children.nope()}</Body>') }
    expectRefusal(await asAdmin(`PATCH ${path}/${light}`, change), 'EMAIL_RENDERING_ERROR')
    expectPlain(await asAdmin(`DELETE ${path}/${light}`), 400)
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: tsx('<p />') }), 404)
    expectPlain(await asAdmin(`DELETE ${path}/${unknownId}`), 404)
  })
})
