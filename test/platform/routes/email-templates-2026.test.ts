import wire from '../../wire/newer-emails.json'
import { light } from '../world-2026'
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

  it('keep their theme and source if the change cannot be rendered, which says why', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const refused = await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source: tsx('<p>{now()}</p>'), theme_id: light })
    expect(expectRefusal(refused, 'EMAIL_RENDERING_ERROR')).toEqual({
      error: expect.stringContaining('now is not defined'),
    })
    expect((await world.asAdmin(`GET ${path}`)).body.templates[7]).not.toHaveProperty('theme_id')
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

  it('are shown with the values of their preview', async () => {
    const world = withServer()
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const { tsx_source } = (await world.asAdmin(`GET ${path}`)).body.templates[7]
    expect(tsx_source).toContain("count: 'number'")
    const { body } = await world.asAdmin(`PATCH ${path}/${id}`, { tsx_source })
    expect(body.rendered_html).toContain('The count is <!-- -->10')
    for (const { id: each, tsx_source: source } of (await world.asAdmin(`GET ${path}`)).body.templates)
      expect((await world.asAdmin(`PATCH ${path}/${each}`, { tsx_source: source })).status).toBe(200)
  })

  it('need a mail server of the project', async () => {
    const { asAdmin } = withServer({})
    expectRefusal(await asAdmin(`POST ${path}`, { display_name: 'News' }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
    const unknown = await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: 'x' })
    expectRefusal(unknown, 'REQUIRES_CUSTOM_EMAIL_SERVER')
    expect((await asAdmin(`GET ${path}`)).status).toBe(200)
  })

  it('are refused without a name; any theme is stored', async () => {
    const world = withServer()
    expectRefusal(await world.asAdmin(`POST ${path}`, {}), 'SCHEMA_ERROR')
    const id = await made(world, `POST ${path}`, { display_name: 'News' })
    const change = { tsx_source: tsx('<p />'), theme_id: unknownId }
    expect((await world.asAdmin(`PATCH ${path}/${id}`, change)).status).toBe(200)
    expect((await world.asAdmin(`GET ${path}`)).body.templates[7].theme_id).toBe(unknownId)
  })

  it('that do not exist are a plain 404', async () => {
    const { asAdmin } = withServer()
    expectPlain(await asAdmin(`PATCH ${path}/${unknownId}`, { tsx_source: tsx('<p />') }), 404)
    expectPlain(await asAdmin(`DELETE ${path}/${unknownId}`), 404)
  })
})

describe('a mail of the platform itself', () => {
  const verification = 'e7d009ce-8d47-4528-b245-5bf119f2ffa3'
  const signUp = {
    body: { email: 'new@example.com', password: 'correct horse', verification_callback_url: 'http://localhost/verify' },
  }
  const outbox = async ({ ask }: ReturnType<typeof withServer>) =>
    (await ask('GET /emails/outbox?limit=1', { access: 'server' })).body.items[0] as object

  it('has the words of the template that the project has changed', async () => {
    const world = withServer()
    const tsx_source = tsx('<p>Please <Link href={variables.emailVerificationLink}>confirm</Link></p>')
    await world.asAdmin(`PATCH /internal/email-templates/${verification}`, { tsx_source })
    expect((await world.ask('POST /auth/password/sign-up', signUp)).status).toBe(200)
    const [mail] = world.mailsTo('new@example.com')
    expect(mail).toMatchObject({ subject: 'A subject', text: expect.stringContaining('Please confirm') as string })
    expect(mail?.links).toEqual([`http://localhost/verify?code=${mail?.code}`])
    expect(await outbox(world)).toMatchObject({ status: 'sent', subject: 'A subject', tsx_source, html: mail?.html })
    await world.asAdmin(`DELETE /internal/email-templates/${verification}`)
    await world.ask('POST /auth/password/sign-up', { body: { ...signUp.body, email: 'other@example.com' } })
    expect(world.mailsTo('other@example.com')[0]?.subject).toContain('Verify')
  })

  it('that cannot be rendered does not fail the call, and the outbox says why', async () => {
    const world = withServer()
    const tsx_source = `${tsx('<p>{variables.nope}</p>')}
export const variablesSchema = type({ nope: 'string' })
EmailTemplate.PreviewVariables = { nope: 'x' }`
    expect((await world.asAdmin(`PATCH /internal/email-templates/${verification}`, { tsx_source })).status).toBe(200)
    expect((await world.ask('POST /auth/password/sign-up', signUp)).status).toBe(200)
    expect(world.mailsTo('new@example.com')).toEqual([])
    expect(await outbox(world)).toMatchObject({ status: 'render-error', render_error: 'variables.nope has no value' })
  })
})
