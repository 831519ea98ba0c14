import type { AdminApp } from 'rxauth/admin'
import { createAdminApp } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import type { ServerApp } from 'rxauth/server'
import { createServerApp, updateOutboxEmail } from 'rxauth/server'
import { changePrimaryEmail, isAuthError } from 'rxauth'
import type { ClientApp } from 'rxauth'
import { ada, grace, world } from '../world'

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

/** Calls with fields that the reference release does not have. */
const newer = ['changePrimaryEmail', 'sendEmail', 'updateOutboxEmail']
const wireOf = (name: string): Wire => (newer.includes(name) ? '2026' : '2.8.18')

const password = 'correct horse'
const emailConfig = {
  host: 'mail.local',
  port: 25,
  username: 'u',
  password: 'p',
  senderName: 's',
  senderEmail: 's@x.de',
}

const letter = { html: '<p>Hello.</p>', subject: 'Hello', notificationCategoryName: 'Transactional' }
const emailId = '00000000-0000-4000-8000-000000000000'

/** How the call ends if the text is no address. */
const returned: readonly Row[] = [
  ['createContactChannel', 'value', ({ app }, value) => app.createContactChannel({ value })],
  [
    'updateContactChannel',
    'value',
    ({ app, contactChannelId }, value) => app.updateContactChannel({ contactChannelId, value }),
  ],
  [
    'createContactChannelById',
    'value',
    ({ server, userId }, value) => server.createContactChannelById({ userId, value }),
  ],
  [
    'updateContactChannelById',
    'value',
    ({ server, userId, contactChannelId }, value) =>
      server.updateContactChannelById({ userId, contactChannelId, value }),
  ],
  ['createUser', 'primaryEmail', ({ server }, primaryEmail) => server.createUser({ primaryEmail })],
  [
    'updateUserById',
    'primaryEmail',
    ({ server, userId }, primaryEmail) => server.updateUserById({ userId, primaryEmail }),
  ],
  ['updateOwnUser', 'primaryEmail', ({ own }, primaryEmail) => own.updateOwnUser({ primaryEmail })],
  ['changePrimaryEmail', 'primaryEmail', ({ app }, primaryEmail) => changePrimaryEmail(app, { primaryEmail })],
  ['sendPasswordResetEmail', 'email', ({ app }, email) => app.sendPasswordResetEmail({ email, callbackUrl })],
  ['sendSignInInvitation', 'email', ({ admin }, email) => admin.sendSignInInvitation({ email, callbackUrl })],
]
/** Calls that may create a user require a domain with a dot. */
const dotted: readonly Row[] = [
  ['sendMagicLinkEmail', 'email', ({ app }, email) => app.sendMagicLinkEmail({ email, callbackUrl })],
  [
    'signUpWithPassword',
    'email',
    ({ app }, email) => app.signUpWithPassword({ email, password, verificationCallbackUrl: callbackUrl }),
  ],
]
const thrown: readonly Row[] = [
  ['sendTeamInvitation', 'email', ({ app }, email) => app.sendTeamInvitation({ teamId, email, callbackUrl })],
  [
    'sendTeamInvitationById',
    'email',
    ({ server }, email) => server.sendTeamInvitationById({ teamId, email, callbackUrl }),
  ],
  [
    'sendTestEmail',
    'recipientEmail',
    ({ admin }, recipientEmail) => admin.sendTestEmail({ recipientEmail, emailConfig }),
  ],
  [
    'sendTestEmail',
    'emailConfig.senderEmail',
    ({ admin }, senderEmail) =>
      admin.sendTestEmail({ recipientEmail: ada.email, emailConfig: { ...emailConfig, senderEmail } }),
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
      admin.updateProject({ config: { emailConfig: { type: 'standard', ...emailConfig, senderEmail } } }),
  ],
]

const noAddresses = ['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'ä@example.com', `a@${'x'.repeat(64)}.de`]
const undotted = ['ada@localhost', '.ada@example.com', 'a..b@example.com', 'ada@example.c', 'a.bc@localhost']
const addresses = [' New@Example.com ', "o'hara+x@sub.example.museum", 'a@example.xn--p1ai', 'a@10.0.0.12']

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
  it.each(thrown)('is thrown by %s as INVALID_INPUT, without a request', async (name, field, call) => {
    const one = await make(wireOf(name))
    for (const address of noAddresses) await expect(one.inTime(call(one, address))).rejects.toMatchObject(wrong(field))
    expect(one.requests).toEqual([])
  })

  // Promise: email-input
  it.each(sender)('is thrown by %s as INVALID_INPUT, without a request', async (name, field, call) => {
    const one = await make(wireOf(name))
    for (const address of noAddresses.filter(text => text !== ''))
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
    for (const address of undotted) await expectTaken(name, call, address)
  })
})

describe('an address that the platform takes', () => {
  // Promise: email-input
  it.each([...returned, ...dotted, ...thrown, ...sender])('is refused by no check of %s', async (name, _, call) => {
    for (const address of addresses) await expectTaken(name, call, address)
  })
})

/** The platform has accepted the form of the request. */
async function expectTaken(name: string, call: Call, address: string): Promise<void> {
  const one = await make(wireOf(name))
  const outcome = await one.inTime(call(one, address)).catch((error: unknown) => ({ error }))
  expect(one.requests.length).toBeGreaterThan(0)
  const { error } = outcome as { error?: unknown }
  expect({ address, wrong: isAuthError(error, 'SCHEMA_ERROR', 'INVALID_INPUT') }).toEqual({ address, wrong: false })
}

describe('an empty picture', () => {
  it.each<[name: string, call: (apps: Apps) => Promise<unknown>]>([
    ['updateUser', ({ app }) => app.updateUser({ profileImageUrl: '' })],
    ['updateTeam', ({ app }) => app.updateTeam({ teamId, profileImageUrl: '' })],
    ['updateOwnTeamProfile', ({ app }) => app.updateOwnTeamProfile({ teamId, profileImageUrl: '' })],
    ['updateTeamById', ({ server }) => server.updateTeamById({ teamId, profileImageUrl: '' })],
  ])('is thrown by %s as INVALID_INPUT, without a request', async (_, call) => {
    const one = await make()
    await expect(one.inTime(call(one))).rejects.toMatchObject({
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
  const byUsers: readonly [name: string, call: (apps: Apps, picture: string) => Promise<unknown>][] = [
    ['updateUser', ({ app }, profileImageUrl) => app.updateUser({ profileImageUrl })],
    ['createTeam', ({ app }, profileImageUrl) => app.createTeam({ displayName: 'Lab', profileImageUrl })],
    ['updateTeam', ({ app }, profileImageUrl) => app.updateTeam({ teamId, profileImageUrl })],
    ['updateOwnTeamProfile', ({ app }, profileImageUrl) => app.updateOwnTeamProfile({ teamId, profileImageUrl })],
  ]

  it.each(byUsers)('is thrown by %s as INVALID_INPUT, without a request, unless it is a data URL', async (_, call) => {
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
  })

  it.each(byUsers)('is sent by %s as a data URL of each kind that the platform takes', async (_, call) => {
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
