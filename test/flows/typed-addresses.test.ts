import { createAdminApp, type AdminApp } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { createServerApp, updateOutboxEmail, type ServerApp } from 'rxauth/server'
import { changePrimaryEmail, isAuthError, type ClientApp } from 'rxauth'
import { ada, grace, world } from '../world'
import { mailServer } from './stage'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const callbackUrl = 'http://localhost:3000/handler/page'
const seed = {
  users: [ada, grace],
  teams: [{ id: teamId, displayName: 'Ops', members: [{ ...ada, permissions: ['team_admin'] }] }],
  project: { config: { magicLinkEnabled: true, clientTeamCreationEnabled: true } },
}

interface Apps {
  readonly app: ClientApp
  readonly server: ServerApp
  /** A server with Ada's tokens. */
  readonly own: ReturnType<ServerApp['withTokens']>
  readonly admin: AdminApp
  readonly userId: string
  readonly contactChannelId: string
}
type Call = (apps: Apps, address: string) => Promise<unknown>
type Row = readonly [name: string, field: string, call: Call]

/** A call of the app of that name, with the address in that field. */
const of = (kit: 'app' | 'server' | 'own' | 'admin', name: string, field: string, more: object = {}): Row => [
  name,
  field,
  ({ userId, contactChannelId, ...apps }, address) => {
    const given = {
      ...(/(User|Channel)ById$/.test(name) && { userId }),
      ...(/^updateContact/.test(name) && { contactChannelId }),
    }
    const call = Reflect.get(apps[kit], name) as (input: object) => Promise<unknown>
    return call({ ...given, ...more, [field]: address })
  },
]

/** Calls with fields that the reference release does not have. */
const newer = ['changePrimaryEmail', 'sendEmail', 'updateOutboxEmail']
const wireOf = (name: string): Wire => (newer.includes(name) ? '2026' : '2.8.18')

const password = 'correct horse'
const letter = { html: '<p>Hello.</p>', subject: 'Hello', notificationCategoryName: 'Transactional' }
const emailId = '00000000-0000-4000-8000-000000000000'

/** How the call ends if the text is no address. */
const returned: readonly Row[] = [
  of('app', 'createContactChannel', 'value'),
  of('app', 'updateContactChannel', 'value'),
  of('server', 'createContactChannelById', 'value'),
  of('server', 'updateContactChannelById', 'value'),
  of('server', 'createUser', 'primaryEmail'),
  of('server', 'updateUserById', 'primaryEmail'),
  of('own', 'updateOwnUser', 'primaryEmail'),
  ['changePrimaryEmail', 'primaryEmail', ({ app }, primaryEmail) => changePrimaryEmail(app, { primaryEmail })],
  of('app', 'sendPasswordResetEmail', 'email', { callbackUrl }),
  of('admin', 'sendSignInInvitation', 'email', { callbackUrl }),
]
/** Calls that may create a user require a domain with a dot. */
const dotted: readonly Row[] = [
  of('app', 'sendMagicLinkEmail', 'email', { callbackUrl }),
  of('app', 'signUpWithPassword', 'email', { password, verificationCallbackUrl: callbackUrl }),
]
const thrown: readonly Row[] = [
  of('app', 'sendTeamInvitation', 'email', { teamId, callbackUrl }),
  of('server', 'sendTeamInvitationById', 'email', { teamId, callbackUrl }),
  of('admin', 'sendTestEmail', 'recipientEmail', { emailConfig: mailServer }),
  [
    'sendTestEmail',
    'emailConfig.senderEmail',
    ({ admin }, senderEmail) =>
      admin.sendTestEmail({ recipientEmail: ada.email, emailConfig: { ...mailServer, senderEmail } }),
  ],
  ['sendEmail', 'emails.1', ({ server }, email) => server.sendEmail({ ...letter, emails: [ada.email, email] })],
  [
    'updateOutboxEmail',
    'to.emails.0',
    ({ server }, email) => updateOutboxEmail(server, { emailId, to: { type: 'custom-emails', emails: [email] } }),
  ],
  [
    'updateOutboxEmail',
    'to.emails.1',
    ({ server, userId }, email) =>
      updateOutboxEmail(server, { emailId, to: { type: 'user-custom-emails', userId, emails: [ada.email, email] } }),
  ],
]
/** An empty one counts as missing, like any empty field of a mail server. */
const sender: readonly Row[] = [
  [
    'updateProject',
    'config.emailConfig.senderEmail',
    ({ admin }, senderEmail) =>
      admin.updateProject({ config: { emailConfig: { type: 'standard', ...mailServer, senderEmail } } }),
  ],
]

const noAddresses = ['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'ä@example.com', `a@${'x'.repeat(64)}.de`]
const undotted = ['ada@localhost', '.ada@example.com', 'a..b@example.com', 'ada@example.c', 'a.bc@localhost']
/** As they are copied: from a page, a mail, a list, and typed with a full-width keyboard. */
const copied = [
  '\u200Bnew@example.com',
  'New＠example．com',
  'mailto:new@example.com',
  'New <new@example.com>',
  'new@example.com.',
]
const addresses = [...copied, ' New@Example.com ', "o'hara+x@sub.example.museum", 'a@example.xn--p1ai', 'a@10.0.0.12']

async function make(wire: Wire = '2.8.18') {
  const inner = await world({ platform: { seed, wire } })
  const server = createServerApp(inner.platform.serverOptions)
  const own = server.withTokens(await inner.tokensOf(ada))
  const admin = createAdminApp(inner.platform.adminOptions)
  const { id: userId } = (await inner.settled(inner.app.user$.get()))!
  const [channel] = await inner.settled(inner.app.contactChannels$.get())
  inner.requests.length = 0
  return { ...inner, server, own, admin, userId, contactChannelId: channel!.id }
}

const wrong = (field: string) => ({
  code: 'INVALID_INPUT',
  details: { field, reason: expect.stringContaining('is no e-mail address') as string },
})

describe('a text that is no e-mail address', () => {
  // Promise: email-input
  it.each([...returned, ...dotted])(
    'is returned by %s as INVALID_INPUT, without a request',
    async (name, field, call) => {
      const one = await make(wireOf(name))
      for (const address of noAddresses) {
        const outcome = await one.inTime(call(one, address))
        expect({ address, outcome }).toMatchObject({ address, outcome: { ok: false, error: wrong(field) } })
      }
      expect(one.requests).toEqual([])
    },
  )

  // Promise: email-input
  it.each([...thrown, ...sender])('is thrown by %s as INVALID_INPUT, without a request', async (name, field, call) => {
    const one = await make(wireOf(name))
    for (const address of noAddresses.filter(text => text !== '' || name !== 'updateProject'))
      await expect(one.inTime(call(one, address))).rejects.toMatchObject(wrong(field))
    expect(one.requests).toEqual([])
  })

  it('is the wrong one to sign in with, without a request', async () => {
    const { app, inTime, requests } = await make()
    for (const email of noAddresses)
      expect(await inTime(app.signInWithPassword({ email, password }))).toMatchObject({
        error: { code: 'EMAIL_PASSWORD_MISMATCH' },
      })
    expect(requests).toEqual([])
  })

  it('says at a sign-in what is wrong, which a screen cannot show', async () => {
    const { app, inTime } = await make()
    expect(await inTime(app.signInWithPassword({ email: 'ad\u200Ba@example.com', password }))).toMatchObject({
      error: {
        code: 'EMAIL_PASSWORD_MISMATCH',
        message: 'email is no e-mail address: it contains "\u200B" (U+200B), so this sign-in is wrong',
      },
    })
  })

  it('is thrown if it is no text at all', async () => {
    for (const [name, field, call] of [...returned.slice(0, 8), ...thrown, ...dotted.slice(1)]) {
      // A kit with loaded stores, which some calls look into.
      const one = await make(wireOf(name))
      await expect(one.inTime(call(one, 7 as never))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field },
      })
      expect(one.requests).toEqual([])
    }
  })
})

describe('an address without a dotted domain', () => {
  it.each(dotted)('is returned by %s, which may create a user', async (name, field, call) => {
    const one = await make(wireOf(name))
    for (const address of undotted) {
      const outcome = await one.inTime(call(one, address))
      expect({ address, outcome }).toMatchObject({ address, outcome: { ok: false, error: wrong(field) } })
    }
    expect(one.requests).toEqual([])
  })

  it.each([...returned, ...thrown, ...sender])('is left to the platform by %s', async (name, _, call) => {
    await expectTaken(name, call, undotted)
  })
})

describe('an address that the platform takes', () => {
  // Promise: email-input
  it.each([...returned, ...dotted, ...thrown, ...sender])('is refused by no check of %s', async (name, _, call) => {
    await expectTaken(name, call, addresses)
  })
})

describe('an address that was copied', () => {
  const forms = ['\u200BAda@example.com', 'ada＠example.com', 'mailto:ada@example.com', '<ada@example.com>']
  // Promise: email-input
  it.each([...forms, 'ada@example.com,'])('is the one that signs in: %j', async email => {
    const { newApp, inTime } = await make()
    const app = newApp()
    expect(await inTime(app.signInWithPassword({ email, password: ada.password }))).toMatchObject({ ok: true })
    await inTime(app.sendMagicLinkEmail({ email: email.replace(/ada/i, 'new'), callbackUrl }))
    expect(app.flow$.value).toMatchObject({ status: 'code-sent', email: 'new@example.com' })
  })
})

/** The platform has accepted the form of each request. */
async function expectTaken(name: string, call: Call, given: readonly string[]): Promise<void> {
  const one = await make(wireOf(name))
  for (const address of given) {
    one.requests.length = 0
    const outcome = await one.inTime(call(one, address)).catch((error: unknown) => ({ error }))
    const { error } = outcome as { error?: unknown }
    const wrong = isAuthError(error, 'SCHEMA_ERROR', 'INVALID_INPUT')
    expect({ address, wrong, isSent: one.requests.length > 0 }).toEqual({ address, wrong: false, isSent: true })
  }
}

describe('an empty picture', () => {
  it.each([
    of('app', 'updateUser', 'profileImageUrl'),
    of('app', 'updateTeam', 'profileImageUrl', { teamId }),
    of('app', 'updateOwnTeamProfile', 'profileImageUrl', { teamId }),
    of('server', 'updateTeamById', 'profileImageUrl', { teamId }),
  ])('is thrown by %s as INVALID_INPUT, without a request', async (_, __, call) => {
    const one = await make()
    await expect(one.inTime(call(one, ''))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^profileImageUrl is .*; null takes the picture away$/),
      details: { field: 'profileImageUrl' },
    })
    expect(one.requests).toEqual([])
  })
})

describe('a picture of a user', () => {
  const url = 'https://example.com/ada.png'
  const png = 'data:image/png;base64,'
  const byUsers = [
    of('app', 'updateUser', 'profileImageUrl'),
    of('app', 'createTeam', 'profileImageUrl', { displayName: 'Lab' }),
    of('app', 'updateTeam', 'profileImageUrl', { teamId }),
    of('app', 'updateOwnTeamProfile', 'profileImageUrl', { teamId }),
  ]

  it.each(byUsers)(
    'is thrown by %s as INVALID_INPUT, without a request, unless it is a data URL',
    async (_, __, call) => {
      const one = await make()
      const svg = 'data:image/svg+xml;base64,AAAA'
      for (const picture of [url, svg, png, `${png}A A=`, `x${png}AAAA`, `${png}${'A'.repeat(1_000_000)}`])
        await expect(one.inTime(call(one, picture))).rejects.toMatchObject({
          code: 'INVALID_INPUT',
          message:
            'profileImageUrl is no picture as a base64 data URL of at most 1,000,000 characters; null takes the picture away',
          details: { field: 'profileImageUrl' },
        })
      expect(one.requests).toEqual([])
    },
  )

  it.each(byUsers)('is sent by %s as a data URL of each kind that the platform takes', async (_, __, call) => {
    const one = await make()
    for (const kind of ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp'])
      await one.inTime(call(one, `data:image/${kind};base64,AAA=`))
    await one.inTime(call(one, `${png}${'A'.repeat(1_000_000 - png.length)}`))
    expect(one.requests.length).toBeGreaterThan(6)
  })

  it('may be any URL where a server sets it', async () => {
    const { server, inTime, userId } = await make()
    await inTime(server.updateTeamById({ teamId, profileImageUrl: url }))
    await inTime(server.updateUserById({ userId, profileImageUrl: url }))
    await inTime(server.updateTeamMemberProfileById({ teamId, userId, profileImageUrl: url }))
  })
})
