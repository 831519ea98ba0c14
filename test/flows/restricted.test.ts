import { changePrimaryEmail } from 'rxauth'
import type { ClientApp } from 'rxauth'
import type { Wire } from 'rxauth/platform'
import { readAccessToken } from '../../src/transport/access-token'
import { ada, grace } from '../world'
import { codeIn, newerWays } from './way'
import type { Way } from './way'

const callbackUrl = 'http://localhost:3000/handler/email-verification'
const emailNotVerified = { type: 'email_not_verified' }
const address = 'countess@example.com'

describe.each(newerWays)('the way out of a restriction, %s,', (_, open, release) => {
  let way: Way
  let app: ClientApp
  async function start(config: { readonly requireEmailVerification?: boolean } = {}, wire: Wire = release) {
    way = await open({ seed: { users: [ada, grace], project: { config } }, wire })
    app = way.newApp()
    expect(await app.signInWithPassword({ email: ada.email, password: ada.password })).toMatchObject({ ok: true })
    await app.user$.get()
  }
  afterEach(() => way.close())

  /** The restriction by `auth$` and by the access token that the next request would have. */
  async function restriction() {
    const auth = app.auth$.value
    const shown = auth.status === 'signed-in' ? (auth.restriction?.type ?? null) : auth.status
    return [shown, readAccessToken((await app.accessToken())!)?.restriction ?? null]
  }

  /** What a page of addresses shows by now: each address, `*` after a verified one, the primary one first. */
  async function watched() {
    const shown: { channels?: readonly string[]; user?: string | null | undefined } = {}
    const mark = (value: string | null, isVerified: boolean) =>
      value === null ? null : value + (isVerified ? '*' : '')
    app.contactChannels$.subscribe(all => {
      const sorted = [...all].sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
      shown.channels = sorted.map(({ value, isVerified }) => mark(value, isVerified)!)
    })
    app.user$.subscribe(user => (shown.user = user && mark(user.primaryEmail, user.primaryEmailVerified)))
    await app.contactChannels$.get()
    return shown
  }

  // Promise: restriction-ends-by-address
  it('is another address of one’s own, and its verification, without a reload', async () => {
    await start({ requireEmailVerification: true })
    const shown = await watched()
    expect(await restriction()).toEqual([emailNotVerified.type, emailNotVerified.type])
    expect(await changePrimaryEmail(app, { primaryEmail: ' Countess@Example.com' })).toMatchObject({
      ok: true,
      value: { primaryEmail: address, primaryEmailVerified: false, isRestricted: true },
    })
    expect(shown).toEqual({ user: address, channels: [address, ada.email] })
    await app.sendVerificationEmail({ callbackUrl })
    const code = codeIn(await way.platform.mailbox(address).next())
    expect(await app.verifyEmail({ code })).toMatchObject({ ok: true })
    expect(shown).toEqual({ user: `${address}*`, channels: [`${address}*`, ada.email] })
    expect(await restriction()).toEqual([null, null])
  })

  // Promise: restriction-ends-by-address
  it('begins with an address that is not verified, and ends with one that is', async () => {
    await start({ requireEmailVerification: true })
    const server = way.newServerApp()
    const { id: userId } = (await app.user$.get())!
    await server.updateUserById({ userId, primaryEmailVerified: true })
    await app.user$.refresh()
    expect(await restriction()).toEqual([null, null])
    const shown = await watched()
    expect(await changePrimaryEmail(app, { primaryEmail: address })).toMatchObject({ value: { isRestricted: true } })
    expect(await restriction()).toEqual([emailNotVerified.type, emailNotVerified.type])
    expect(shown).toEqual({ user: address, channels: [address, `${ada.email}*`] })
    // An own address with which the user signs in comes back as a contact channel.
    expect(await changePrimaryEmail(app, { primaryEmail: ada.email })).toMatchObject({
      error: { code: 'USER_EMAIL_ALREADY_EXISTS' },
    })
    const older = (await app.contactChannels$.get()).find(({ value }) => value === ada.email)
    await app.updateContactChannel({ contactChannelId: older!.id, isPrimary: true })
    await app.user$.refresh()
    expect(await restriction()).toEqual([null, null])
    expect(shown).toEqual({ user: `${ada.email}*`, channels: [`${ada.email}*`, address] })
  })

  it('null leaves the user without a primary address', async () => {
    await start()
    const shown = await watched()
    expect(await changePrimaryEmail(app, { primaryEmail: null })).toMatchObject({ value: { primaryEmail: null } })
    expect(shown).toEqual({ user: null, channels: [ada.email] })
  })

  it('a text that is no address is INVALID_INPUT, and not sent', async () => {
    await start()
    expect(await changePrimaryEmail(app, { primaryEmail: 'ada' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_INPUT', details: { field: 'primaryEmail' } },
    })
    expect(way.answersTo('PATCH /users/me')).toEqual([])
  })

  it.each([
    ['rejects after a failure of the server, and shows no change', { status: 500 }, ada.email],
    ['whose answer is lost rejects, and shows the change', { loseResponse: true }, address],
  ] as const)('a change %s', async (_name, fault, left) => {
    await start({ requireEmailVerification: true })
    const shown = await watched()
    way.platform.faults.next('PATCH /users/me', fault)
    await expect(changePrimaryEmail(app, { primaryEmail: address })).rejects.toMatchObject({
      code: 'status' in fault ? 'REQUEST_FAILED' : 'NETWORK_ERROR',
    })
    // What may have changed is no longer fresh.
    await Promise.all([app.user$.get(), app.contactChannels$.get()])
    expect([shown.user, shown.channels?.[0]]).toEqual([left, left])
  })

  it('an aborted change is not sent', async () => {
    await start()
    const signal = AbortSignal.abort()
    await expect(changePrimaryEmail(app, { primaryEmail: address }, { signal })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(way.answersTo('PATCH /users/me')).toEqual([])
  })

  // Promise: restriction-ends-by-address
  it('says why an administrator restricts, never the private details, and ends with the next load', async () => {
    await start()
    const server = way.newServerApp()
    const { id: userId } = (await app.user$.get())!
    const reasons = { restrictedByAdminReason: 'Too many invitations.', restrictedByAdminPrivateDetails: 'ticket 17' }
    await server.updateUserById({ userId, restrictedByAdmin: true, ...reasons })
    const user = await app.user$.refresh()
    const told = { type: 'restricted_by_administrator', reason: 'Too many invitations.' }
    expect(user?.restriction).toEqual(told)
    expect(app.auth$.value).toMatchObject({ restriction: told })
    expect(JSON.stringify([user, app.auth$.value, app])).not.toContain('ticket 17')
    await server.updateUserById({ userId, restrictedByAdminReason: null })
    expect((await app.user$.refresh())?.restriction).toEqual({ type: told.type })
    await server.updateUserById({ userId, restrictedByAdmin: false })
    expect(await app.user$.refresh()).not.toHaveProperty('restriction')
    expect(await restriction()).toEqual([null, null])
  })

  // Promise: restriction-ends-by-address
  it('is NOT_ON_THIS_PLATFORM on the reference wire, where another channel can be the primary one', async () => {
    await start({}, '2.8.18')
    await expect(changePrimaryEmail(app, { primaryEmail: address })).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call: 'PATCH /users/me', field: 'primary_email' },
    })
    expect(await app.updateUser({ displayName: 'Countess' })).toMatchObject({ displayName: 'Countess' })
  })

  it('a person who is signed out has no address', async () => {
    await start()
    await app.signOut()
    await expect(changePrimaryEmail(app, { primaryEmail: address })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
  })
})
