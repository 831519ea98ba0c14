import type { PlatformOptions } from 'rxauth/platform'
import { emailConfig } from '../../mail-server'
import {
  accessTokenOf,
  ada,
  expectPlain,
  expectRefusal,
  isAlive,
  signInAda,
  team,
  wireWorld,
  type Answer,
  type World,
} from '../wire-world'

const line = 'GET /projects/current'

describe('a fault', () => {
  it('applies to `times` requests, in the order in which faults were set', async () => {
    const { ask, platform } = wireWorld()
    platform.faults.next(line, { status: 500, times: 2 })
    platform.faults.next('*', { status: 502 })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await ask(line)).status)
    expect(statuses).toEqual([500, 500, 502, 200])
  })

  it('with a status ignores the override, does no work and is readable across origins', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    world.platform.faults.next('DELETE /users/me', { status: 502 })
    const answer = await world.ask('DELETE /users/me', { headers: { 'x-stack-override-error-status': 'true' } })
    expect([answer.status, answer.headers.has('x-stack-request-id')]).toEqual([502, false])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await isAlive(world, refresh_token)).toBe(true)
  })

  it('cuts a body in half, or replaces it by text that is not JSON', async () => {
    const { ask, platform } = wireWorld()
    const whole = (await ask(line)).text
    platform.faults.next(line, { body: 'truncated' })
    const { status, text, headers } = await ask(line)
    expect([status, text]).toEqual([200, whole.slice(0, whole.length / 2)])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    platform.faults.next(line, { body: 'garbage' })
    expect((await ask(line)).text).toMatch(/^<!doctype html>/)
  })

  it.each([
    ['GET /users/me', 'CANNOT_GET_OWN_USER_WITHOUT_USER', 'SCHEMA_ERROR'],
    ['PATCH /users/me', 'SCHEMA_ERROR', 'BODY_PARSING_ERROR'],
  ])('gives the refusal of %s the header of another code', async (route, code, other) => {
    const { ask, platform } = wireWorld()
    expectRefusal(await ask(route), code)
    platform.faults.next(route, { body: 'wrong-code' })
    const { body, headers } = await ask(route)
    expect([body.code, headers.get('x-stack-known-error')]).toEqual([code, other])
  })

  it('for an unknown route throws, with a list of the routes', () => {
    const { platform } = wireWorld()
    expect(() => platform.faults.next('GET /user/me', { status: 500 })).toThrow(
      /"GET \/user\/me" is no route.*\n[^]*GET \/users\/me/,
    )
  })
})

describe('a mail server that refuses connections', () => {
  const callback_url = 'http://localhost:3000/handler'
  const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' }
  const to = { email: ada.email, callback_url }
  const invitation = { team_id: team.id, ...to }
  const message: unknown = expect.stringMatching(/^(Send error: )?The mail server at smtp\.example\.com, port 587/)
  const refused = { message, code: 'ECONNREFUSED', host: emailConfig.host, port: emailConfig.port }

  function refusing(options: PlatformOptions = {}) {
    const project = { config: { emailConfig, magicLinkEnabled: true } }
    const users = [ada, grace]
    const world = wireWorld({ ...options, seed: { project, users, teams: [team] } })
    const repair = world.platform.faults.mail('refused')
    const asAdmin = (line: string, body?: unknown) =>
      world.ask(line, { access: 'admin', ...(body !== undefined && { body }) })
    const sent = async () => (await asAdmin('GET /internal/emails')).body.items as { to: string[]; error: unknown }[]
    const send = (user_ids: readonly string[] = [ada.id]) => {
      const body = { user_ids, subject: 'News', html: '<p>Hi</p>', notification_category_name: 'Transactional' }
      return world.ask('POST /emails/send-email', { access: 'server', body })
    }
    return { ...world, asAdmin, sent, send, repair }
  }

  /** The calls that wait for a mail, with the address that it is for. */
  const waiting: readonly [name: string, address: string, call: (world: World) => Promise<Answer>][] = [
    ['a sign-in code', ada.email, ({ ask }) => ask('POST /auth/otp/send-sign-in-code', { body: to })],
    ['a reset code', ada.email, ({ ask }) => ask('POST /auth/password/send-reset-code', { body: to })],
    [
      'a team invitation',
      ada.email,
      ({ ask }) => ask('POST /team-invitations/send-code', { access: 'server', body: invitation }),
    ],
    [
      'a sign-in invitation',
      ada.email,
      ({ ask }) => ask('POST /internal/send-sign-in-invitation', { access: 'admin', body: to }),
    ],
    [
      'a verification code',
      grace.email,
      async world => {
        const { ask } = world
        const accessToken = await accessTokenOf(world, grace.email)
        const [channel] = (await ask('GET /contact-channels?user_id=me', { accessToken })).body.items
        const line = `POST /contact-channels/me/${channel.id}/send-verification-code`
        return ask(line, { accessToken, body: { callback_url } })
      },
    ],
    [
      'a verification code of the primary address',
      grace.email,
      async world => {
        const accessToken = await accessTokenOf(world, grace.email)
        const body = { email: grace.email, callback_url }
        return world.ask('POST /contact-channels/send-verification-code', { accessToken, body })
      },
    ],
  ]

  // Promise: mail-server-down
  it.each(waiting)('fails the call that mails %s, and lists the error', async (_, address, call) => {
    const world = refusing()
    expectPlain(await call(world), 500)
    expect(await world.sent()).toMatchObject([{ to: [address], error: refused }])
    expect(world.platform.mailbox(address).messages).toEqual([])
  })

  it('fails no sign-up with a password, whose mail is sent in the background', async () => {
    const { ask, sent, platform } = refusing()
    const body = { email: 'new@example.com', password: 'correct horse', verification_callback_url: callback_url }
    expect((await ask('POST /auth/password/sign-up', { body })).status).toBe(200)
    expect(await sent()).toMatchObject([{ to: ['new@example.com'], error: refused }])
    expect(platform.mailbox('new@example.com').messages).toEqual([])
  })

  // Promise: mail-server-down
  it('gives each user the error of a mail of a server, and the call succeeds', async () => {
    const { send, sent } = refusing()
    const { status, body } = await send([ada.id, grace.id])
    const failed = { success: false, error: refused.message }
    const results = [ada, grace].map(({ id, email }) => ({ user_id: id, user_email: email, ...failed }))
    expect([status, body]).toEqual([200, { results }])
    expect((await sent()).map(({ error }) => error)).toEqual([refused, refused])
  })

  it('fails a test mail', async () => {
    const { asAdmin } = refusing()
    const server = { host: 'localhost', port: 2500, username: 'u', password: 's3cret' }
    const email_config = { ...server, sender_name: 'Try', sender_email: 'try@example.com' }
    const test = { recipient_email: ada.email, email_config }
    const { status, body } = await asAdmin('POST /internal/send-test-email', test)
    expect([status, body.success]).toEqual([200, false])
    expect(body.error_message).toMatch(/localhost, port 2500/)
  })

  // Promise: mail-server-down
  it.each(['the function of each fault', 'clear'])('works again after %s was called', async how => {
    const { ask, sent, platform, repair } = refusing()
    const other = platform.faults.mail('refused')
    const call = () => ask('POST /auth/otp/send-sign-in-code', { body: to })
    repair()
    repair()
    expectPlain(await call(), 500)
    if (how === 'clear') platform.faults.clear()
    else other()
    expect((await call()).status).toBe(200)
    expect((await sent())[0]).toMatchObject({ error: null })
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
  })

  it('is the only fault of a mail server', () => {
    const { platform } = wireWorld()
    expect(() => platform.faults.mail('lost' as 'refused')).toThrow(/"refused" only, not "lost"/)
  })
})
