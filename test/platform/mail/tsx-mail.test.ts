import { virtualClock, type Seed } from 'rxauth/platform'
import { keptPlatform } from '../../../src/platform/create-platform'
import type { DrawnTemplate, MailProgram, MailRunner, Undrawn } from '../../../src/platform/model/emails'
import type { DataSnapshot } from '../../../src/platform/data/journal'
import { emailConfig } from '../../mail-server'
import { ada, ask } from '../wire-world'

const source = `import { NotificationCategory, Subject } from '@stackframe/emails'
export function EmailTemplate() { for (;;); }`

type Settle = (drawing: DrawnTemplate | Undrawn) => void

const usualSeed = { users: [ada], project: { config: { emailConfig, magicLinkEnabled: true } } }

/** A platform whose mails run elsewhere: each waits until `settle` says what it has drawn. */
function world(seed: Seed = usualSeed, kept?: object) {
  const programs: MailProgram[] = []
  const waiting: Settle[] = []
  let arrived: ((settle: Settle) => void) | undefined
  const clock = virtualClock()
  const runner = { users: 1 }
  const mails: MailRunner = {
    run(program) {
      programs.push(program)
      return new Promise(resolve => {
        if (arrived) arrived(resolve)
        else waiting.push(resolve)
        arrived = undefined
      })
    },
    share() {
      runner.users++
      return mails
    },
    end: () => void runner.users--,
  }
  const platform = keptPlatform({ clock, wire: '2026', seed }, { mails, ...(kept && { kept: kept as DataSnapshot }) })
  const asAdmin = (line: string, body?: object) => ask(platform, line, { access: 'admin', ...(body && { body }) })
  /** The next program that runs. */
  const program = () =>
    new Promise<Settle>(resolve => {
      const [settle] = waiting.splice(0, 1)
      if (settle) resolve(settle)
      else arrived = resolve
    })
  const drawn = { subject: 'Hi', notificationCategory: 'Marketing', html: '<p>Hello</p>' }
  return { clock, platform, asAdmin, programs, program, drawn, runner }
}

async function made({ asAdmin }: Pick<ReturnType<typeof world>, 'asAdmin'>): Promise<string> {
  const { body } = await asAdmin('POST /internal/email-templates', { display_name: 'News' })
  return (body as { readonly id: string }).id
}

describe('where mails run as code', () => {
  // Promise: mails-hold-up-nothing
  it('a preview waits outside of the units of work, which others have meanwhile', async () => {
    const { asAdmin, program, programs, drawn } = world()
    const id = await made({ asAdmin })
    const preview = asAdmin(`PATCH /internal/email-templates/${id}`, { tsx_source: source, theme_id: false })
    const settle = await program()
    expect((await asAdmin('GET /internal/email-templates')).status).toBe(200)
    settle(drawn)
    const { status, body } = await preview
    expect([status, body.rendered_html]).toEqual([200, expect.stringContaining('<p>Hello</p>')])
    expect(programs).toEqual([
      {
        ...{ file: 'template', source, imports: { '@stackframe/emails': ['NotificationCategory', 'Subject'] } },
        props: { variables: undefined, user: { displayName: null }, project: { displayName: expect.any(String) } },
      },
    ])
  })

  it('a preview changes what is there when it is drawn', async () => {
    const { asAdmin, program, drawn } = world()
    const id = await made({ asAdmin })
    const preview = asAdmin(`PATCH /internal/email-templates/${id}`, { tsx_source: source })
    const settle = await program()
    expect((await asAdmin(`DELETE /internal/email-templates/${id}`)).status).toBe(200)
    settle(drawn)
    expect((await preview).status).toBe(404)
  })

  it('a template that fails is refused as the hosted platform does, and changes nothing', async () => {
    const { asAdmin, program } = world()
    const id = await made({ asAdmin })
    const preview = asAdmin(`PATCH /internal/email-templates/${id}`, { tsx_source: source })
    ;(await program())({ error: 'too slow' })
    expect((await preview).body).toMatchObject({ code: 'EMAIL_RENDERING_ERROR', details: { error: 'too slow' } })
    expect((await asAdmin('GET /internal/email-templates')).text).not.toContain('for (;;)')
  })

  // Promise: mails-hold-up-nothing
  it('a mail is drawn after the answer, and sent then', async () => {
    const { asAdmin, program, drawn, platform, programs, clock } = world()
    const id = await made({ asAdmin })
    const body = { emails: ['ada@example.com', 'grace@example.com'], template_id: id, theme_id: false }
    expect((await asAdmin('POST /emails/send-email', body)).status).toBe(200)
    const statuses = async () => {
      const { body } = await asAdmin('GET /emails/outbox')
      return (body as { readonly items: readonly { readonly status: string }[] }).items.map(({ status }) => status)
    }
    const advanced = clock.advance(0)
    const settle = await program()
    expect(await statuses()).toEqual(['preparing', 'preparing'])
    settle(drawn)
    await advanced
    expect(await statuses()).toEqual(['sent', 'sent'])
    expect(platform.mailbox('ada@example.com').messages).toMatchObject([{ subject: 'Hi', html: '<p>Hello</p>' }])
    // The mails are alike, and run once.
    expect(programs).toHaveLength(1)
  })

  // Promise: mails-hold-up-nothing
  it('a source that was stopped does not run for the other receivers', async () => {
    const { asAdmin, program, programs, clock } = world()
    const id = await made({ asAdmin })
    await asAdmin('POST /users', { primary_email: 'eve@example.com', display_name: 'Eve' })
    await asAdmin('POST /emails/send-email', { all_users: true, template_id: id, theme_id: false })
    const advanced = clock.advance(0)
    ;(await program())({ error: 'too slow', isStopped: true })
    await advanced
    expect(programs).toHaveLength(1)
    const { body } = await asAdmin('GET /emails/outbox?status=render-error')
    expect((body as { readonly items: readonly object[] }).items).toHaveLength(2)
  })

  it('a mail that is changed while it runs is drawn again', async () => {
    const { asAdmin, program, drawn, clock, platform } = world()
    const id = await made({ asAdmin })
    await asAdmin('POST /emails/send-email', { emails: ['ada@example.com'], template_id: id, theme_id: false })
    const advanced = clock.advance(0)
    const settle = await program()
    const { items } = (await asAdmin('GET /emails/outbox')).body
    await asAdmin(`PATCH /emails/outbox/${items[0].id}`, { variables: { count: 2 } })
    settle(drawn)
    ;(await program())({ ...drawn, html: '<p>Changed</p>' })
    await advanced
    await clock.advance(0)
    expect(platform.mailbox('ada@example.com').messages).toMatchObject([{ html: '<p>Changed</p>' }])
  })

  // Promise: templates-run-apart
  it('the mail of the platform itself runs in the template of the project, and its code is in no answer', async () => {
    const { asAdmin, program, drawn, platform, programs, clock } = world()
    const magicLink = '822687fe-8d0a-4467-a0d1-416b6e639478'
    const changing = asAdmin(`PATCH /internal/email-templates/${magicLink}`, { tsx_source: source, theme_id: false })
    ;(await program())(drawn)
    await changing
    const body = { email: ada.email, callback_url: 'http://localhost/in' }
    expect((await ask(platform, 'POST /auth/otp/send-sign-in-code', { body })).status).toBe(200)
    const advanced = clock.advance(0)
    const settle = await program()
    const outbox = await asAdmin('GET /emails/outbox')
    settle(drawn)
    await advanced
    const [mail] = platform.mailbox(ada.email).messages
    expect(mail).toMatchObject({ subject: 'Hi', code: expect.stringMatching(/^[\dA-Z]{6}$/) })
    const { variables } = programs.at(-1)!.props as { readonly variables: Readonly<Record<string, string>> }
    expect(variables).toMatchObject({ otp: mail!.code, magicLink: expect.stringContaining('http://localhost/in') })
    for (const { text } of [outbox, await asAdmin('GET /emails/outbox')]) expect(text).not.toContain(mail!.code)
    expect(JSON.stringify(platform.snapshot())).not.toContain(variables['magicLink'])
  })

  it('the process of the mails ends with a platform whose data could not be reset', async () => {
    const before = world().platform
    await before.seed({})
    const { platform, runner } = world({ users: [ada, ada] }, before.snapshot())
    const reset = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const { status } = await platform.fetch(new Request(`${platform.options.baseUrl}/__local__/reset`, reset))
    expect(status).toBe(409)
    platform.dispose()
    expect(runner.users).toBe(0)
  })

  it('the process of the mails ends with the last of a platform and its forks', () => {
    const { platform, runner } = world()
    const fork = platform.fork()
    platform.dispose()
    expect(runner.users).toBe(1)
    fork.dispose()
    expect(runner.users).toBe(0)
  })

  it('HTML that is sent does not run', async () => {
    const { asAdmin, programs, platform, clock } = world()
    await asAdmin('POST /emails/send-email', { emails: [ada.email], html: '<p>x</p>', subject: 'News' })
    await clock.advance(0)
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
    expect(programs).toEqual([])
  })
})

describe('mails that cannot be sent, because the process that draws them fails', () => {
  /** A platform whose mails fail until `repair`; each second more than one attempt would be a loop. */
  async function failing() {
    const reports = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const clock = virtualClock()
    const drawn = { subject: 'Hi', notificationCategory: 'Marketing', html: '<p>Hello</p>' }
    const fault = { message: 'the process is gone', isThere: false, attempts: 0 }
    const mails: MailRunner = {
      run() {
        // A loop must not hang the test.
        if (++fault.attempts > 99) fault.isThere = false
        return fault.isThere ? Promise.reject(new Error(fault.message)) : Promise.resolve(drawn)
      },
      share: () => mails,
      end: () => undefined,
    }
    const platform = keptPlatform({ clock, wire: '2026', seed: usualSeed }, { mails })
    const got: string[] = []
    platform.mail$.subscribe(({ subject }) => got.push(subject))
    const asAdmin = (line: string, body?: object) => ask(platform, line, { access: 'admin', ...(body && { body }) })
    const template_id = await made({ asAdmin })
    await asAdmin(`PATCH /internal/email-templates/${template_id}`, { tsx_source: source, theme_id: false })
    const send = () => asAdmin('POST /emails/send-email', { user_ids: [ada.id], template_id, theme_id: false })
    Object.assign(fault, { isThere: true, attempts: 0 })
    expect((await send()).status).toBe(200)
    return { reports, clock, platform, fault, got, send }
  }
  afterEach(() => jest.restoreAllMocks())

  it('are tried again every 5 s, and reported once', async () => {
    const { reports, clock, fault, got } = await failing()
    await clock.advance(0)
    await clock.advance(4999)
    expect(fault.attempts).toBe(1)
    await clock.advance(5001)
    expect(fault.attempts).toBe(3)
    expect(reports.mock.calls).toEqual([[expect.stringMatching(/mails.*5 s.*: the process is gone/)]])
    fault.isThere = false
    await clock.advance(5000)
    expect(got).toHaveLength(1)
    await clock.advance(60_000)
    expect(fault.attempts).toBe(4)
  })

  it('are tried again at once when another mail comes, and reported when the error is another one', async () => {
    const { reports, clock, fault, got, send } = await failing()
    await clock.advance(1000)
    fault.message = 'the disk is full'
    await send()
    await clock.advance(0)
    expect(reports).toHaveBeenCalledTimes(2)
    fault.isThere = false
    await send()
    await clock.advance(0)
    expect(got).toHaveLength(3)
  })

  it('are not tried again after the end of the platform', async () => {
    const { clock, platform, fault } = await failing()
    await clock.advance(0)
    platform.dispose()
    await clock.advance(60_000)
    expect(fault.attempts).toBe(1)
  })
})
