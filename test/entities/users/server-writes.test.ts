import { createUser, updateUserById } from 'rxauth/server'
import { orThrow } from 'rxauth'
import { ask } from '../../platform/wire-world'
import { ada } from '../../world'
import { backend, restrictedBackend } from './users-world'

const spam = { reason: 'Too many invitations.', details: 'ticket 17' }
const reasons = { restrictedByAdminReason: spam.reason, restrictedByAdminPrivateDetails: spam.details }
const set = { restrictedByAdmin: true, ...reasons }

describe('a user whom a backend makes', () => {
  const everything = {
    displayName: 'Eve',
    profileImageUrl: 'https://example.com/eve.png',
    clientMetadata: { theme: 'dark' },
    clientReadOnlyMetadata: { plan: 'pro' },
    serverMetadata: { crm: 17 },
    primaryEmail: 'Eve@Example.com ',
    primaryEmailVerified: true,
    primaryEmailAuthEnabled: true,
    password: 'correct horse',
    totpSecretBase64: 'AAAAAAAAAAAAAAAAAAAAAA==',
    otpAuthEnabled: true,
    passkeyAuthEnabled: false,
    isAnonymous: false,
    oauthProviders: [{ id: 'github', accountId: '583231', email: 'eve@example.com' }],
  }

  it('has everything that was said of it', async () => {
    const { server, settled } = await backend()
    // Every field but the hash, which stands in the place of the password, and those of newer releases.
    const newer = ['restrictedByAdmin', 'restrictedByAdminReason', 'restrictedByAdminPrivateDetails']
    const others = ['passwordHash', ...newer, 'countryCode', 'riskScores']
    expect([...Object.keys(everything), ...others].sort()).toEqual(
      Object.keys(createUser.endpoint?.places ?? {}).sort(),
    )
    const created = await settled(server.createUser(everything))
    if (!created.ok) throw created.error
    const { password: _, totpSecretBase64: __, ...shown } = everything
    const flags = { hasPassword: true, authWithEmail: true, requiresTotpMfa: false }
    const without = { selectedTeamId: null, selectedTeam: null }
    expect(created.value).toMatchObject({ ...shown, primaryEmail: 'eve@example.com', ...flags, ...without })
    expect(await settled(server.userById$({ userId: created.value.id }).get())).toEqual(created.value)
  })

  it('may have the sign-in address of another user, unless it is to sign in with it too', async () => {
    const { server, settled } = await backend()
    const primaryEmail = ada.email
    expect(await settled(server.createUser({ primaryEmail }))).toMatchObject({ ok: true })
    const taken = { code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: ada.email } }
    const signingIn = await settled(server.createUser({ primaryEmail, primaryEmailAuthEnabled: true }))
    expect(signingIn).toMatchObject({ ok: false, error: taken })
  })

  it('keeps its id when a backend turns an anonymous user into a normal one', async () => {
    const { server, settled, newApp } = await backend()
    const app = newApp()
    await settled(app.signUpAnonymously())
    const userId = (await settled(app.anyUser$.get()))?.id ?? ''
    const change = { primaryEmail: 'eve@example.com', primaryEmailAuthEnabled: true, password: 'correct horse' }
    const updated = await settled(server.updateUserById({ userId, isAnonymous: false, ...change }))
    expect(updated).toMatchObject({ ok: true, value: { id: userId, isAnonymous: false, hasPassword: true } })
    const other = newApp()
    await settled(other.signInWithPassword({ email: 'eve@example.com', password: 'correct horse' }))
    expect((await settled(other.user$.get()))?.id).toBe(userId)
  })

  it('may be changed in whatever it was made with, and in the team that it has selected', () => {
    const [made, changed] = [createUser, updateUserById].map(each => Object.keys(each.endpoint?.places ?? {}))
    const onlyChanged = changed?.filter(name => !made?.includes(name)).sort()
    expect(onlyChanged).toEqual(['selectedTeamId', 'userId'])
    expect(made?.filter(name => !changed?.includes(name))).toEqual(['oauthProviders'])
  })
})

describe('a restriction by an administrator', () => {
  // Promise: server-restrictions
  it('can be read, set with its reasons, and ended by a server', async () => {
    const { server, adaId, graceId, inTime } = await restrictedBackend()
    const unsaid = { restrictedByAdminReason: null, restrictedByAdminPrivateDetails: null }
    const free = { isRestricted: false, restrictedReason: null, restrictedByAdmin: false, ...unsaid }
    const restricted = { isRestricted: true, restrictedReason: { type: 'restricted_by_administrator' } }
    const read = (userId: string) => inTime(server.userById$({ userId }).refresh())
    expect(await read(adaId)).toMatchObject(free)
    expect(await read(graceId)).toMatchObject({ ...restricted, restrictedByAdmin: true })
    const updated = await inTime(server.updateUserById({ userId: adaId, ...set }))
    expect(updated).toMatchObject({ value: { ...restricted, ...set } })
    expect(await read(adaId)).toMatchObject({ ...restricted, ...set })
    // What is left out stays.
    await inTime(server.updateUserById({ userId: adaId, displayName: 'A.', restrictedByAdminReason: null }))
    expect(await read(adaId)).toMatchObject({ ...restricted, ...set, displayName: 'A.', restrictedByAdminReason: null })
    await inTime(server.updateUserById({ userId: adaId, restrictedByAdmin: false }))
    expect(await read(adaId)).toMatchObject(free)
  })

  it('has reasons only while it lasts', async () => {
    const { server, adaId, inTime } = await restrictedBackend()
    for (const reason of [{ restrictedByAdminReason: 'x' }, { restrictedByAdminPrivateDetails: 'x' }]) {
      // Whether the user is restricted already, the platform knows.
      const updating = inTime(server.updateUserById({ userId: adaId, ...reason }))
      await expect(updating).rejects.toMatchObject({ code: 'SCHEMA_ERROR' })
      const ended = await inTime(server.updateUserById({ userId: adaId, restrictedByAdmin: false, ...reason }))
      expect(ended).toMatchObject({ error: { code: 'INVALID_INPUT', details: { field: 'restrictedByAdmin' } } })
    }
    expect(await inTime(server.userById$({ userId: adaId }).refresh())).toMatchObject({ restrictedByAdmin: false })
  })

  // Promise: server-only-fields
  it('is shown to the user, without its private details', async () => {
    const { server, adaId, inTime, platform } = await restrictedBackend()
    await inTime(server.updateUserById({ userId: adaId, ...set }))
    const there = server.withTokens(await platform.tokensFor(ada.email))
    const restriction = { type: 'restricted_by_administrator', reason: spam.reason }
    expect(await inTime(there.user$.get())).toMatchObject({ restriction })
    expect(JSON.stringify([there.user$.snapshot, there.auth$.value])).not.toContain(spam.details)
    expect(await inTime(there.ownUser$.get())).toMatchObject({ restrictedByAdminPrivateDetails: spam.details })
    const accessToken = await inTime(there.accessToken())
    const headers = { 'x-stack-allow-anonymous-user': 'true' }
    const { body, text } = await ask(platform, 'GET /users/me', { accessToken, headers })
    expect(body).toMatchObject({ restricted_by_admin: true, restricted_by_admin_reason: spam.reason })
    expect(text).not.toContain(spam.details)
  })

  // Promise: restriction-ends-by-address
  it('that a request of the user sets on itself shows in the same kit at once', async () => {
    const { server, inTime, platform } = await restrictedBackend()
    const there = server.withTokens(await platform.tokensFor(ada.email))
    expect(await inTime(there.user$.get())).not.toHaveProperty('restriction')
    await inTime(there.updateOwnUser({ restrictedByAdmin: true }))
    expect(await inTime(there.user$.refresh())).toMatchObject({ restriction: { type: 'restricted_by_administrator' } })
    await inTime(there.updateOwnUser({ restrictedByAdmin: false }))
    expect(await inTime(there.user$.refresh())).not.toHaveProperty('restriction')
  })

  // Promise: server-restrictions
  it('does not exist in the reference release, which leaves it out', async () => {
    const { server, adaId, inTime } = await restrictedBackend('2.8.18')
    const user = await inTime(server.userById$({ userId: adaId }).get())
    expect(Object.keys(user!).filter(key => /restrict|country|risk/i.test(key))).toEqual([])
  })
})

describe('the country and the risk of a user', () => {
  // Promise: server-restrictions
  it('can be read, and replaced by a server', async () => {
    const { server, adaId, inTime } = await restrictedBackend()
    const read = async () => {
      const user = await inTime(server.userById$({ userId: adaId }).refresh())
      return [user?.countryCode, user?.riskScores]
    }
    expect(await read()).toEqual([null, { signUp: { bot: 0, freeTrialAbuse: 0 } }])
    const riskScores = { signUp: { bot: 80, freeTrialAbuse: 100 } }
    await inTime(server.updateUserById({ userId: adaId, countryCode: 'de', riskScores }))
    expect(await read()).toEqual(['DE', riskScores])
    await inTime(server.updateUserById({ userId: adaId, countryCode: null }))
    expect(await read()).toEqual([null, riskScores])
    const french = { countryCode: 'FR', riskScores }
    expect(orThrow(await inTime(server.createUser(french)))).toMatchObject(french)
  })

  it.each([
    ['a name for a country', { countryCode: 'Germany' }],
    ['a score above 100', { riskScores: { signUp: { bot: 101, freeTrialAbuse: 0 } } }],
    ['a score below 0', { riskScores: { signUp: { bot: 0, freeTrialAbuse: -1 } } }],
  ])('cannot be %s', async (_, changes) => {
    const { server, adaId, inTime, requests } = await restrictedBackend()
    const before = requests.length
    const updating = inTime(server.updateUserById({ userId: adaId, ...changes }))
    await expect(updating).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(requests).toHaveLength(before)
  })
})
