import { ada, expectAnswer, expectRefusal, wireWorld } from '../wire-world'
import { withProject } from '../owner-world'

const server = {
  ...{ host: 'localhost', port: 2500, username: 'u', password: 'secret' },
  ...{ sender_name: 'Try', sender_email: 'try@example.com' },
}

function make(config: object = {}) {
  const world = wireWorld({ seed: { project: { displayName: 'Shop', config }, users: [ada] } })
  const asAdmin = (line: string, body?: unknown) =>
    world.ask(line, { access: 'admin', ...(body !== undefined && { body }) })
  const reset = async () => {
    const body = { email: ada.email, callback_url: 'http://localhost:3000/r' }
    expect((await world.ask('POST /auth/password/send-reset-code', { body })).status).toBe(200)
  }
  const tryOut = (changes: object = {}, recipient_email: string = ada.email) =>
    asAdmin('POST /internal/send-test-email', { recipient_email, email_config: { ...server, ...changes } })
  return { ...world, asAdmin, reset, tryOut }
}

describe('the mails that a project has sent', () => {
  it('name their sender, without its password', async () => {
    const { asAdmin, reset, clock } = make()
    await reset()
    const { status, body } = await asAdmin('GET /internal/emails')
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
    const sender_config = {
      ...{ type: 'shared', host: '127.0.0.1', port: 2500, username: 'none' },
      ...{ sender_name: 'Shop', sender_email: 'noreply@localhost' },
    }
    const mail = { id, subject: 'Reset your password at Shop', sent_at_millis: clock.now(), to: [ada.email] }
    expect([status, body]).toEqual([200, { items: [{ ...mail, sender_config, error: null }], is_paginated: false }])
  })

  it('are the newest 100, newest first, also within one instant', async () => {
    const { asAdmin } = make()
    const addresses = Array.from({ length: 103 }, (_, index) => `user${index}@example.com`)
    for (const email of addresses) {
      const body = { email, callback_url: 'http://localhost/' }
      expect((await asAdmin('POST /internal/send-sign-in-invitation', body)).status).toBe(200)
    }
    const { items } = (await asAdmin('GET /internal/emails')).body as { items: { to: string[] }[] }
    expect(items.flatMap(({ to }) => to)).toEqual(addresses.slice(3).reverse())
  })

  it('are those of this project only', async () => {
    const { on, project, ask } = await withProject()
    const body = { email: 'new@example.com', callback_url: 'http://localhost/' }
    await on(project.id, 'POST /internal/send-sign-in-invitation', body)
    expect((await on(project.id, 'GET /internal/emails')).body.items).toHaveLength(1)
    expect((await ask('GET /internal/emails', { access: 'admin' })).body.items).toEqual([])
  })
})

describe('a test mail', () => {
  it('arrives in the mailbox by the platform’s own server', async () => {
    const { tryOut, platform, asAdmin } = make()
    const { status, body } = await tryOut()
    expect([status, body]).toEqual([200, { success: true }])
    expect(await platform.mailbox(ada.email).next()).toMatchObject({ from: 'Try <try@example.com>', code: null })
    expect((await asAdmin('GET /internal/emails')).body.items).toMatchObject([{ to: [ada.email], error: null }])
  })
})

describe('an invitation to sign in', () => {
  it.each(['server', 'admin'] as const)('is sent for a %s, with the given link', async access => {
    const { ask, platform } = make()
    const callback_url = 'http://localhost:3000/welcome?a=1'
    const body = { email: 'New@example.com', callback_url }
    expectAnswer(await ask('POST /internal/send-sign-in-invitation', { access, body }), 200, { success: true })
    const mail = await platform.mailbox('new@example.com').next()
    expect([mail.to, mail.links, mail.code]).toEqual(['new@example.com', [callback_url], null])
  })

  it.each([
    ['https://evil.example/', 'REDIRECT_URL_NOT_WHITELISTED'],
    ['/welcome', 'SCHEMA_ERROR'],
  ])('needs a trusted link, not %s: %s', async (callback_url, code) => {
    const body = { email: 'new@example.com', callback_url }
    expectRefusal(await make().asAdmin('POST /internal/send-sign-in-invitation', body), code)
  })
})

it('a token for the webhook portal is created with 201 and has 38 characters', async () => {
  const { asAdmin } = make()
  const { status, body } = await asAdmin('POST /webhooks/svix-token', {})
  expect([status, body]).toEqual([201, { token: expect.stringMatching(/^.{38}$/) as string }])
  expect((await asAdmin('POST /webhooks/svix-token', {})).body.token).not.toBe(body.token)
  expectRefusal(await asAdmin('POST /webhooks/svix-token'), 'SCHEMA_ERROR')
})
