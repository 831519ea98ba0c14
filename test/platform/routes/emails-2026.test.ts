import wire from '../../wire/newer-owners.json'
import { ada, expectPlain, expectRefusal } from '../wire-world'
import { brokenDraft, letter, withServer } from './emails-world'

describe('mails of an owner on the newer wire', () => {
  it('are answered with the ids only, sent or not', async () => {
    const world = withServer()
    const { send, mailsTo, ask } = world
    const sent = await send({ ...letter, user_ids: [ada.id] })
    expect([sent.status, sent.body]).toEqual([200, wire['mails sent']])
    expect(mailsTo(ada.email)).toMatchObject([{ subject: 'News' }])
    const { body } = await ask('GET /internal/emails', { access: 'admin' })
    expect({ ...body, items: (body.items as object[]).map(each => ({ ...each, id: 'string' })) }).toEqual({
      items: [wire['sent email']],
      is_paginated: false,
    })
    const unwritable = await send({ draft_id: await brokenDraft(world), user_ids: [ada.id] })
    expect(unwritable.body).toEqual(wire['mails sent'])
    expect(mailsTo(ada.email)).toHaveLength(1)
    const [failed] = (await ask('GET /internal/emails', { access: 'admin' })).body.items
    expect(failed.error).toMatch(/^Render error: Build failed/)
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

  it('need a mail server of the project, and a category that there is', async () => {
    expectRefusal(await withServer({}).send({ ...letter, user_ids: [ada.id] }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
    const { send } = withServer()
    expectPlain(await send({ ...letter, user_ids: [ada.id], notification_category_name: 'News' }), 400)
  })
})
