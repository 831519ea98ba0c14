import fc from 'fast-check'
import { memoryTokens, orThrow } from 'rxauth'
import { createServerApp, createUser, updateUserById } from 'rxauth/server'
import { runs } from '../../runs'
import { answered, intercept } from '../../session/intercept'
import { ada, grace, world } from '../../world'

const bcryptOfUStarU = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

/** A backend on a platform where every method is on. */
async function backend() {
  const config = { magicLinkEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] }
  const one = await world({ platform: { seed: { project: { config }, users: [ada, grace] } } })
  const server = createServerApp(one.platform.serverOptions)
  const [adaId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  return { ...one, server, adaId }
}

describe('a page of users', () => {
  it('is the requested one, by search, order, length and place', async () => {
    const { server, settled } = await backend()
    for (const name of ['Lin', 'Lina', 'Linus']) orThrow(await settled(server.createUser({ displayName: name })))
    const ask = { query: 'lin', orderBy: 'signedUpAt', desc: true, limit: 2 } as const
    const names = ({ items }: { readonly items: readonly { readonly displayName: string | null }[] }) =>
      items.map(({ displayName }) => displayName)
    const first = await settled(server.users$(ask).get())
    expect(names(first)).toEqual(['Linus', 'Lina'])
    const { nextCursor } = first
    if (nextCursor === null) throw new Error('there is no next page')
    expect(names(await settled(server.users$({ ...ask, cursor: nextCursor }).get()))).toEqual(['Lin'])
  })

  it('rejects an order unknown to the platform', async () => {
    const { server, settled, requests } = await backend()
    const before = requests.length
    const wrong = { orderBy: 'signed_up_at' as 'signedUpAt' }
    await expect(settled(server.users$(wrong).get())).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(requests).toHaveLength(before)
  })
})

it('a user of an unknown id is null', async () => {
  const { server, settled } = await backend()
  expect(await settled(server.userById$({ userId: '00000000-0000-4000-8000-000000000000' }).get())).toBeNull()
})

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
    // Every field but the hash, which stands in the place of the password, and restrictions (restricted-users.test.ts).
    const others = ['passwordHash', 'restrictedByAdmin', 'restrictedByAdminReason', 'restrictedByAdminPrivateDetails']
    expect([...Object.keys(everything), ...others].sort()).toEqual(
      Object.keys(createUser.endpoint?.places ?? {}).sort(),
    )
    const created = await settled(server.createUser(everything))
    if (!created.ok) throw created.error
    const { password: _, totpSecretBase64: __, ...shown } = everything
    const expected = {
      ...shown,
      primaryEmail: 'eve@example.com',
      hasPassword: true,
      authWithEmail: true,
      requiresTotpMfa: false,
      selectedTeamId: null,
      selectedTeam: null,
    }
    expect(created.value).toMatchObject(expected)
    expect(await settled(server.userById$({ userId: created.value.id }).get())).toEqual(created.value)
  })

  it('may bring the hash of its password', async () => {
    const { server, settled, newApp } = await backend()
    const primaryEmail = 'eve@example.com'
    await settled(server.createUser({ primaryEmail, primaryEmailAuthEnabled: true, passwordHash: bcryptOfUStarU }))
    const signIn = (password: string) => settled(newApp().signInWithPassword({ email: primaryEmail, password }))
    expect(await signIn('U*U')).toMatchObject({ ok: true })
    expect(await signIn('U*V')).toMatchObject({ ok: false, error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
  })

  it('may have the sign-in address of another user, unless it is to sign in with it too', async () => {
    const { server, settled } = await backend()
    const primaryEmail = ada.email
    expect(await settled(server.createUser({ primaryEmail }))).toMatchObject({ ok: true })
    expect(await settled(server.createUser({ primaryEmail, primaryEmailAuthEnabled: true }))).toMatchObject({
      ok: false,
      error: { code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: ada.email } },
    })
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

describe('a session that a backend starts', () => {
  it('signs the user in for a year, or for the given time', async () => {
    const { server, settled, adaId, newApp, clock } = await backend()
    const start = async (options: { readonly expiresInMillis?: number } = {}) => {
      const session = await settled(server.createSession({ userId: adaId, ...options }))
      if (!session.ok) throw session.error
      return newApp({ tokens: memoryTokens(session.value) })
    }
    const [year, hour] = [await start(), await start({ expiresInMillis: 3_600_000 })]
    for (const app of [year, hour]) expect((await settled(app.user$.get()))?.primaryEmail).toBe(ada.email)
    await clock.advance(3_600_001)
    expect((await settled(year.user$.refresh()))?.primaryEmail).toBe(ada.email)
    expect(await settled(hour.user$.refresh().catch(() => null))).toBeNull()
    expect(hour.auth$.value).toMatchObject({ status: 'signed-out' })
    await clock.advance(31_536_000_000 - 3_600_001)
    expect(await settled(year.user$.refresh().catch(() => null))).toBeNull()
  })

  it('to impersonate the user acts as the user, is in no list of sessions, and ends when it is revoked', async () => {
    const { server, settled, inTime, adaId, app, newApp, clock } = await backend()
    const session = await settled(server.createSession({ userId: adaId, isImpersonation: true }))
    if (!session.ok) throw session.error
    const support = newApp({ tokens: memoryTokens(session.value) })
    expect((await settled(support.user$.get()))?.id).toBe(adaId)
    for (const sessions$ of [app.sessions$, server.sessionsOf$({ userId: adaId })])
      expect((await settled(sessions$.get())).map(({ isImpersonation }) => isImpersonation)).toEqual([false])
    // By its token it can be found and ended all the same.
    const { sessionId } = await server.verifyAccessToken(session.value.accessToken)
    if (sessionId === null) throw new Error('the token names no session')
    await inTime(server.revokeSessionById({ userId: adaId, sessionId }))
    await clock.advance(700_000)
    expect(await settled(support.user$.refresh().catch(() => null))).toBeNull()
    expect(support.auth$.value).toMatchObject({ status: 'signed-out' })
    expect(await settled(server.createSession({ userId: sessionId }))).toMatchObject({
      ok: false,
      error: { code: 'USER_ID_DOES_NOT_EXIST' },
    })
  })
})

describe('whether a user may', () => {
  it.each([
    [undefined, 5000, false],
    [undefined, 5001, true],
    [1000, 1000, false],
    [1000, 1001, true],
    [60_000, 60_000, false],
    [0, 1, true],
  ])('with an answer that may be %p ms old is, %i ms after it was granted elsewhere: %s', async (maxAge, age, may) => {
    const { server, platform, settled, clock, adaId } = await backend()
    await platform.seed({ permissions: [{ id: 'publish', scope: 'project' }] })
    const granted = { userId: adaId, permissionId: 'publish' }
    const check = { ...granted, ...(maxAge !== undefined && { maxAgeMillis: maxAge }) }
    // Watched, so that it is not dropped before it is too old.
    server.projectPermissionsOf$({ userId: adaId }).subscribe({ error: () => undefined })
    expect(await settled(server.isPermitted(check))).toBe(false)
    await settled(createServerApp(platform.serverOptions).grantProjectPermission(granted))
    await clock.advance(age)
    const answer = server.isPermitted(check)
    await clock.advance(300)
    expect(await settled(answer)).toBe(may)
  })
})

describe('whether a user is permitted something', () => {
  it('rejects a caller that aborts, before or during the check', async () => {
    const { server, settled, adaId, clock, platform, requests } = await backend()
    await platform.seed({ permissions: [{ id: 'publish', scope: 'project' }] })
    const check = { userId: adaId, permissionId: 'publish' }
    const { signal } = new AbortController()
    const before = requests.length
    await expect(settled(server.isPermitted(check, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(requests).toHaveLength(before)
    platform.faults.next('GET /project-permissions', { delayMillis: 1000 })
    const caller = new AbortController()
    const [left, stayed] = [server.isPermitted(check, { signal: caller.signal }), server.isPermitted(check, { signal })]
    left.catch(() => undefined)
    await clock.advance(500)
    caller.abort()
    await expect(settled(left)).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(500)
    expect(await settled(stayed)).toBe(false)
    expect(requests.slice(before)).toEqual(['GET /project-permissions'])
  })
})

/** What happens while the consumer looks at one user: another is created or deleted. */
const happenings = fc.array(fc.oneof(fc.constant('create' as const), fc.nat(60), fc.constant('nothing' as const)), {
  maxLength: 60,
})

describe('going over all users of a platform that repeats itself', () => {
  type Row = Readonly<Record<'id', string>>

  it.each<[what: string, answer: (rows: readonly Row[], turn: number) => { items: readonly Row[]; next: Row }]>([
    ['one page', ([first]) => ({ items: [first!], next: first! })],
    ['two pages by turns', (rows, turn) => ({ items: [rows[turn % 2]!], next: rows[(turn + 1) % 2]! })],
    ['an empty page', ([first]) => ({ items: [], next: first! })],
  ])('ends with an error where it gives %s again and again', async (_, answer) => {
    const { platform, settled, clock } = await world()
    let turn = 0
    const server = createServerApp({
      ...platform.serverOptions,
      fetch: intercept(platform.options.fetch, async request => {
        const whole = await platform.options.fetch(request.url.replace(/\?.*$/, ''), { headers: request.headers })
        const { items: rows } = (await whole.json()) as { items: readonly Row[] }
        const { items, next } = answer(rows, turn++)
        return answered(200, { items, is_paginated: true, pagination: { next_cursor: next.id } })
      }),
    })
    const given: string[] = []
    const run = (async () => {
      for await (const { id } of server.listUsers({ pageSize: 1 })) given.push(id)
    })()
    run.catch(() => undefined)
    await clock.advance(10_000)
    await expect(settled(run)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(given.length).toBeLessThan(4)
  })
})

describe('going over all users while others are made and deleted', () => {
  it('gives every user who stays once, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 7 }),
        happenings,
        async (count, pageSize, happening) => {
          const { platform, clock } = await world({ platform: { seed: { users: [ada] } } })
          const users = Array.from({ length: count - 1 }, (_, index) => ({ displayName: `#${index}` }))
          await platform.seed({ users })
          const [server, elsewhere] = [createServerApp(platform.serverOptions), createServerApp(platform.serverOptions)]
          const started = new Set((await clock.settled(elsewhere.users$().get())).items.map(({ id }) => id))
          const stays = new Set(started)
          const there = new Set(started)
          const given: string[] = []
          let isDone = false
          const run = (async () => {
            let step = 0
            for await (const { id } of server.listUsers({ pageSize })) {
              given.push(id)
              const what = happening[step++] ?? 'nothing'
              if (what === 'create') {
                const created = await elsewhere.createUser({ displayName: 'late' })
                if (created.ok) there.add(created.value.id)
              } else if (what !== 'nothing') {
                // The one that is being looked at stays: where a whole page is gone, the list cannot go on.
                const others = [...there].filter(other => other !== id)
                const gone = others[what % Math.max(1, others.length)]
                if (gone === undefined) continue
                await elsewhere.deleteUserById({ userId: gone })
                there.delete(gone)
                stays.delete(gone)
              }
            }
          })().finally(() => (isDone = true))
          run.catch(() => undefined)
          for (let tries = 0; !isDone && tries < 1000; tries++) await clock.advance(300)
          await run
          expect(new Set(given).size).toBe(given.length)
          expect([...stays].filter(id => !given.includes(id))).toEqual([])
          // In the order of their sign-up, which is that of the list.
          expect(given.filter(id => started.has(id))).toEqual([...started].filter(id => given.includes(id)))
          for (const app of [server, elsewhere, platform]) app.dispose()
        },
      ),
      { seed: 18, numRuns: runs(10, 300) },
    )
  })
})
