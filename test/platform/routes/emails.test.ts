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
})
