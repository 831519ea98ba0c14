import { grace, light } from '../world-2026'
import wire from '../../wire/newer-owners.json'
import { ada, expectPlain, expectRefusal } from '../wire-world'
import { letter, withServer } from './emails-world'

describe('mails of an owner on the newer wire', () => {
  it('are answered with the ids only, sent or not', async () => {
    const { send, mailsTo, ask } = withServer()
    const sent = await send({ ...letter, user_ids: [ada.id] })
    expect([sent.status, sent.body]).toEqual([200, wire['mails sent']])
    expect(mailsTo(ada.email)).toMatchObject([{ subject: 'News' }])
    const { body } = await ask('GET /internal/emails', { access: 'admin' })
    expect({ ...body, items: (body.items as object[]).map(each => ({ ...each, id: 'string' })) }).toEqual({
      items: [wire['sent email']],
      is_paginated: false,
    })
    const unwritable = await send({ ...letter, html: '<p>Hi<!-- </p>', user_ids: [ada.id] })
    expect(unwritable.body).toEqual(wire['mails sent'])
    expect(mailsTo(ada.email)).toHaveLength(1)
    const [failed] = (await ask('GET /internal/emails', { access: 'admin' })).body.items
    expect(failed.error).toMatch(/^Render error: .*comment/)
  })

  it.each([
    '<p>Please return <b>the form</b></p>',
    '<p>return\n<a href="https://x.example">home</a></p>',
    '<p>() =&gt; => <i></i></p>',
  ])('are sent with text that looks like code: %s', async html => {
    const { send, mailsTo } = withServer()
    await send({ ...letter, html, user_ids: [ada.id] })
    expect(mailsTo(ada.email)).toMatchObject([{ subject: 'News', html: expect.stringContaining(html) as string }])
  })

  it('go to all users on request, except those that unsubscribed', async () => {
    const { send, mailsTo, ask } = withServer()
    const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'
    const off = { access: 'server', body: { enabled: false } } as const
    await ask(`PATCH /emails/notification-preference/${ada.id}/${marketing}`, off)
    const { body } = await send({ ...letter, all_users: true })
    const results = body.results as { readonly user_id: string }[]
    expect(results.map(({ user_id }) => user_id).sort()).toEqual([ada.id, grace.id].sort())
    expect([mailsTo(ada.email).length, mailsTo(grace.email).length]).toEqual([0, 1])
  })

  it('have no unsubscribe link if they name no category', async () => {
    const { send, mailsTo } = withServer()
    for (const notification_category_name of [undefined, 'Marketing'])
      await send({ ...letter, notification_category_name, user_ids: [ada.id] })
    const ways = mailsTo(ada.email).map(({ html }) => html.includes('/emails/unsubscribe-link'))
    expect(ways).toEqual([false, true])
  })

  it('need a mail server of the project, and a category that there is', async () => {
    expectRefusal(await withServer({}).send({ ...letter, user_ids: [ada.id] }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
    const { send } = withServer()
    expectPlain(await send({ ...letter, user_ids: [ada.id], notification_category_name: 'News' }), 400)
  })

  it.each<[what: string, body: object]>([
    ['neither ids nor all users', letter],
    ['both ids and all users', { ...letter, user_ids: [ada.id], all_users: true }],
    ['no HTML', { subject: 'News', user_ids: [ada.id] }],
  ])('are refused with %s', async (_, body) => {
    expectRefusal(await withServer().send(body), 'SCHEMA_ERROR')
  })

  it.each<[what: string, body: object, code: string]>([
    ['a template without a theme', { template_tsx_source: 'x' }, 'EMAIL_RENDERING_ERROR'],
    ['a theme without a template', { theme_id: light }, 'SCHEMA_ERROR'],
    ['two themes', { template_tsx_source: 'x', theme_id: light, theme_tsx_source: 'x' }, 'SCHEMA_ERROR'],
    ['a template and a theme', { template_tsx_source: 'x', theme_id: light }, 'EMAIL_RENDERING_ERROR'],
  ])('are not rendered from %s', async (_, body, code) => {
    expectRefusal(await withServer().ask('POST /emails/render-email', { access: 'admin', body }), code)
  })
})
