import { ada, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'
import { emailConfig } from '../../mail-server'

const grace = { id: '5e0c8f52-3d4f-4a86-9b1e-0a6d1c9f7b22', email: 'grace@example.com' } as const
const silent = { id: '6e0c8f52-3d4f-4a86-9b1e-0a6d1c9f7b23' } as const
const nobody = '00000000-0000-4000-8000-000000000000'
function make(isShared = false) {
  const config = isShared ? {} : { emailConfig }
  const world = wireWorld({ seed: { project: { config }, users: [ada, grace, silent] } })
  const letter = {
    user_ids: [grace.id, nobody, silent.id, ada.id],
    subject: 'News',
    html: '<p>See <a href="https://example.com/?a=1&amp;b=2">what is new</a>&nbsp;&#33;</p>',
    notification_category_name: 'Marketing',
  }
  const send = (changes: object = {}, how: Ask = { access: 'server' }) =>
    world.ask('POST /emails/send-email', { body: { ...letter, ...changes }, ...how })
  return { ...world, send }
}

describe('a mail that a server sends', () => {
  it('that cannot be rendered fails for each user, and is not sent', async () => {
    const { send, platform } = make()
    const { status, body } = await send({ user_ids: [grace.id, nobody], html: '<p>News<br></p>' })
    const error = expect.stringMatching(/^There was an error rendering the email: .*<br \/>/) as string
    const results = [
      { user_id: grace.id, user_email: grace.email, success: false, error },
      { user_id: nobody, success: false, error: expect.stringMatching(/no user/) as string },
    ]
    expect([status, body]).toEqual([200, { results }])
    expect(platform.mailbox(grace.email).messages).toEqual([])
  })

  it('is sent to each user with an address, with the reason for the others, in their order', async () => {
    const { send, platform } = make()
    const answer = await send()
    const error = expect.stringMatching(/./) as string
    const results = [
      { user_id: grace.id, user_email: grace.email, success: true },
      { user_id: nobody, success: false, error },
      { user_id: silent.id, success: false, error },
      { user_id: ada.id, user_email: ada.email, success: true },
    ]
    expect([answer.status, answer.body]).toEqual([200, { results }])
    const mail = await platform.mailbox(grace.email).next()
    const address = `${platform.options.baseUrl}/api/v1/emails/unsubscribe-link?code=`
    const unsubscribe = expect.stringContaining(address) as string
    expect(mail).toMatchObject({
      from: 'Analytical <hello@example.com>',
      to: grace.email,
      subject: 'News',
      links: ['https://example.com/?a=1&b=2', unsubscribe],
      code: null,
    })
    expect(mail.text).toMatch(/^See what is new \(https:\/\/example\.com\/\?a=1&b=2\) !\nUnsubscribe \(/)
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
  })

  it('has a link that unsubscribes from its category only', async () => {
    const { send, platform, ask } = make()
    await send()
    const { links } = await platform.mailbox(grace.email).next()
    const link = new URL(links[1]!)
    expect((await ask(`GET /emails/unsubscribe-link${link.search}`, { access: null })).status).toBe(200)
    const [graces, , , adas] = (await send()).body.results
    expect([graces.success, adas.success]).toEqual([false, true])
    const necessary = await send({ notification_category_name: 'Transactional' })
    expect(necessary.body.results[0]).toEqual({ user_id: grace.id, user_email: grace.email, success: true })
    const mails = platform.mailbox(grace.email).messages
    expect(mails).toHaveLength(2)
    expect(mails[1]!.links).toEqual(['https://example.com/?a=1&b=2'])
  })

  it('needs a mail server of the project, then a category that there is', async () => {
    expectPlain(await make(true).send({ notification_category_name: 'x' }), 400)
    expectPlain(await make().send({ notification_category_name: 'marketing' }), 404)
  })

  it('is for servers, with all fields required', async () => {
    const { send, platform } = make()
    expect((await send({}, { access: 'admin' })).status).toBe(200)
    for (const field of ['user_ids', 'subject', 'html', 'notification_category_name'])
      expectRefusal(await send({ [field]: undefined }), 'SCHEMA_ERROR')
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
  })
})

describe('a preview of HTML in a theme', () => {
  function preview() {
    const { ask, platform } = make(true)
    const render = (body: object, how: Ask = { access: 'admin' }) => ask('POST /emails/render-email', { body, ...how })
    return { render, platform }
  }

  it.each([
    ['default-light', '#FFFFFF'],
    ['default-dark', '#1F2937'],
  ])('%s is a complete page, and not sent', async (theme, color) => {
    const { render, platform } = preview()
    const { status, body } = await render({ theme, preview_html: '<p>Hi</p>' })
    expect([status, Object.keys(body)]).toEqual([200, ['html']])
    expect(body.html).toMatch(/^<!doctype html>[^]*<p>Hi<\/p>/)
    expect(body.html).toContain(color)
    expect(platform.mailbox(ada.email).messages).toEqual([])
  })

  it.each([
    '<br>',
    '<p>Hi',
    '<p style="color: red">Hi</p>',
    '{name}',
    '<!-- Hi -->',
    '<b><i>Hi</b></i>',
    '<P>Hi</P>',
    '1 < 2',
  ])('of invalid JSX fails: %s', async preview_html => {
    const answer = await preview().render({ theme: 'default-dark', preview_html })
    expect(expectRefusal(answer, 'EMAIL_RENDERING_ERROR')).toEqual({ error: expect.any(String) })
  })

  it('renders JSX as HTML', async () => {
    const preview_html = "<p style={{ color: 'red' }}>one<br />two</p>"
    const { body } = await preview().render({ theme: 'default-dark', preview_html })
    expect(body.html).toContain('<p style="color:red">one<br>two</p>')
  })

  it('is rendered without a key, and refused to levels below admin, with other themes and fields', async () => {
    const { render } = preview()
    const body = { theme: 'default-light', preview_html: '<p>Hi</p>' }
    expect((await render(body, { access: null })).text).toBe((await render(body)).text)
    for (const access of ['client', 'server'] as const) {
      const details = expectRefusal(await render(body, { access }), 'INSUFFICIENT_ACCESS_TYPE')
      expect(details).toEqual({ actual_access_type: access, allowed_access_types: ['admin'] })
    }
    for (const change of [{ theme: 'x' }, { html: '' }, { preview_html: undefined }])
      expectRefusal(await render({ ...body, ...change }), 'SCHEMA_ERROR')
  })
})
