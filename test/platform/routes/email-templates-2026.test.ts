import wire from '../../wire/newer-emails.json'
import { expectPlain, expectRefusal } from '../wire-world'
import { made, tsx, unknownId, withServer } from './emails-world'

const path = '/internal/email-templates'

describe('templates in TSX on the newer wire', () => {
  it('are created, listed, changed and deleted', async () => {
    const world = withServer()
    const created = await world.asAdmin(`POST ${path}`, { display_name: 'News' })
    expect([created.status, { id: typeof created.body.id }]).toEqual([200, wire.created])
    const { body } = await world.asAdmin(`GET ${path}`)
    const templates = body.templates as { readonly display_name: string }[]
    expect(templates.map(each => each.display_name)).toEqual([
      ...['Email Verification', 'Password Reset', 'Magic Link/OTP', 'Team Invitation', 'Sign In Invitation'],
      ...['Payment Receipt', 'Payment Failed', 'News'],
    ])
    expect(body.templates[7]).toEqual({
      ...{ ...wire.templates.templates[0], id: created.body.id, tsx_source: expect.any(String) },
    })
    const changed = await world.asAdmin(`PATCH ${path}/${created.body.id}`, {
      tsx_source: tsx('<p>Hi {variables.name}</p>'),
      theme_id: false,
    })
    // The preview is in the theme of the project.
    expect([changed.status, changed.body.rendered_html]).toEqual([200, expect.stringContaining('#FFFFFF')])
    const listed = (await world.asAdmin(`GET ${path}`)).body.templates[7]
    expect(listed).toMatchObject({ tsx_source: expect.stringContaining('Hi {variables.name}'), theme_id: false })
    expect((await world.asAdmin(`DELETE ${path}/${created.body.id}`)).body).toEqual({})
    expectPlain(await world.asAdmin(`DELETE ${path}/${created.body.id}`), 404)
    expect((await world.asAdmin(`GET ${path}`)).body.templates).toHaveLength(7)
  })

  const bare = (jsx: string) => `export function EmailTemplate() { return ${jsx} }`
  const subject = "import { Subject } from '@stackframe/emails'\n"
  it.each([
    ['no subject', bare('<p>x</p>'), 'Subject is required, import it from @stackframe/emails'],
    [
      'no category',
      `${subject}${bare('<p><Subject value="x" /></p>')}`,
      'NotificationCategory is required, import it from @stackframe/emails',
    ],
    ['no import of the subject', bare('<p><Subject value="x" /></p>'), '"message":"Subject is not defined"'],
    ['no import of a component', `${subject}${bare('<Text><Subject value="x" /></Text>')}`, 'Text is not defined'],
  ])('are refused with %s', async (_, tsx_source, said) => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const refused = await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source })
    const { error } = expectRefusal(refused, 'EMAIL_RENDERING_ERROR')
    expect(error).toContain(said)
    expect(refused.body.error).toBe(`Failed to render email with theme: ${String(error)}`)
  })

  it('need a mail server of the project', async () => {
    const { asAdmin } = withServer({})
    expectRefusal(await asAdmin(`POST ${path}`, { display_name: 'News' }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
    const unknown = await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: 'x' })
    expectRefusal(unknown, 'REQUIRES_CUSTOM_EMAIL_SERVER')
    expect((await asAdmin(`GET ${path}`)).status).toBe(200)
  })

  it('that do not exist are a plain 404', async () => {
    const { asAdmin } = withServer()
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: tsx('<p />') }), 404)
    expectPlain(await asAdmin(`DELETE ${path}/${unknownId}`), 404)
  })
})
