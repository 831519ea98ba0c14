import { orThrow } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'

const spam = { reason: 'Too many invitations.', details: 'ticket 17' }

/** A backend, a restricted user and an anonymous one beside Ada. */
async function backend(wire: '2.8.18' | '2026' = '2026') {
  const one = await world({ platform: { wire, seed: { users: [ada, { ...grace, restricted: true }] } } })
  await one.inTime(one.newApp().signUpAnonymously())
  const server = createServerApp(one.platform.serverOptions)
  const idOf = async (query: string) => {
    const { items } = await one.settled(
      server.users$({ query, ...(wire === '2026' && { includeRestricted: true }) }).get(),
    )
    return items[0]!.id
  }
  return { ...one, server, adaId: await idOf(ada.email), graceId: await idOf(grace.email) }
}

describe('the list of users', () => {
  it.each([
    [{}, ['Ada']],
    [{ includeRestricted: true }, ['Ada', 'Grace']],
    [{ includeAnonymous: true }, ['Ada', 'Grace', null]],
    [{ includeAnonymous: true, includeRestricted: true }, ['Ada', 'Grace', null]],
    [{ includeAnonymous: true, onlyAnonymous: true }, [null]],
  ])('with %j has %j', async (filter, names) => {
    const { server, settled, inTime } = await backend()
    const { items } = await settled(server.users$(filter).get())
    expect(items.map(({ displayName }) => displayName)).toEqual(names)
    const all: (string | null)[] = []
    const listing = (async () => {
      for await (const { displayName } of server.listUsers({ ...filter, pageSize: 1 })) all.push(displayName)
    })()
    await inTime(listing)
    expect(all).toEqual(names)
  })

  it('of anonymous users only needs them to be included', async () => {
    const { server, inTime } = await backend()
    await expect(inTime(server.users$({ onlyAnonymous: true }).get())).rejects.toMatchObject({ code: 'SCHEMA_ERROR' })
  })

  it.each([{ includeRestricted: true }, { includeAnonymous: true }, { onlyAnonymous: true }])(
    'of the reference release knows nothing of %j',
    async filter => {
      const { server, inTime } = await backend('2.8.18')
      expect((await inTime(server.users$().get())).items).toHaveLength(3)
      await expect(inTime(server.users$(filter).get())).rejects.toMatchObject({ code: 'SCHEMA_ERROR' })
    },
  )
})

describe('a restriction by an administrator', () => {
  it('can be read, set with its reasons, and ended by a server', async () => {
    const { server, adaId, graceId, inTime } = await backend()
    const free = {
      isRestricted: false,
      restrictedReason: null,
      restrictedByAdmin: false,
      restrictedByAdminReason: null,
      restrictedByAdminPrivateDetails: null,
    }
    const restricted = { isRestricted: true, restrictedReason: { type: 'restricted_by_administrator' } }
    const read = (userId: string) => inTime(server.userById$({ userId }).refresh())
    expect(await read(adaId)).toMatchObject(free)
    expect(await read(graceId)).toMatchObject({ ...restricted, restrictedByAdmin: true })
    const set = {
      restrictedByAdmin: true,
      restrictedByAdminReason: spam.reason,
      restrictedByAdminPrivateDetails: spam.details,
    }
    expect(await inTime(server.updateUserById({ userId: adaId, ...set }))).toMatchObject({
      value: { ...restricted, ...set },
    })
    expect(await read(adaId)).toMatchObject({ ...restricted, ...set })
    // What is left out stays.
    await inTime(server.updateUserById({ userId: adaId, displayName: 'A.', restrictedByAdminReason: null }))
    expect(await read(adaId)).toMatchObject({ ...restricted, ...set, displayName: 'A.', restrictedByAdminReason: null })
    await inTime(server.updateUserById({ userId: adaId, restrictedByAdmin: false }))
    expect(await read(adaId)).toMatchObject(free)
  })

  it('has reasons only while it lasts', async () => {
    const { server, adaId, inTime } = await backend()
    const reasons = [
      { restrictedByAdminReason: spam.reason },
      { restrictedByAdminPrivateDetails: spam.details },
      { restrictedByAdmin: false, restrictedByAdminReason: spam.reason },
    ]
    for (const changes of reasons)
      await expect(inTime(server.updateUserById({ userId: adaId, ...changes }))).rejects.toMatchObject({
        code: 'SCHEMA_ERROR',
      })
    expect(await inTime(server.userById$({ userId: adaId }).refresh())).toMatchObject({ restrictedByAdmin: false })
  })

  it('may be that of a new user', async () => {
    const { server, inTime } = await backend()
    const set = { restrictedByAdmin: true, restrictedByAdminReason: spam.reason }
    const user = orThrow(await inTime(server.createUser({ displayName: 'Eve', ...set })))
    expect(user).toMatchObject({ ...set, isRestricted: true, restrictedByAdminPrivateDetails: null })
  })

  it('is shown to the user, without its private details', async () => {
    const { server, adaId, inTime, platform } = await backend()
    await inTime(
      server.updateUserById({
        userId: adaId,
        restrictedByAdmin: true,
        restrictedByAdminReason: spam.reason,
        restrictedByAdminPrivateDetails: spam.details,
      }),
    )
    const bodies: unknown[] = []
    const there = server.withTokens(await platform.tokensFor(ada.email))
    expect(await inTime(there.user$.get())).toMatchObject({ restriction: { type: 'restricted_by_administrator' } })
    expect(await inTime(there.ownUser$.get())).toMatchObject({ restrictedByAdminPrivateDetails: spam.details })
    const headers = { 'x-stack-allow-anonymous-user': 'true', 'x-stack-access-type': 'client' }
    const { projectId, publishableClientKey } = platform.options
    const answer = await platform.fetch(
      new Request(`${platform.options.baseUrl}/api/v1/users/me`, {
        headers: {
          ...headers,
          'x-stack-project-id': projectId,
          'x-stack-publishable-client-key': publishableClientKey,
          'x-stack-access-token': (await inTime(there.accessToken()))!,
        },
      }),
    )
    bodies.push(await answer.json())
    expect(bodies).toMatchObject([{ restricted_by_admin: true, restricted_by_admin_reason: spam.reason }])
    expect(JSON.stringify(bodies)).not.toContain(spam.details)
  })

  it('that a request of the user sets on itself shows in the same kit at once', async () => {
    const { server, inTime, platform } = await backend()
    const there = server.withTokens(await platform.tokensFor(ada.email))
    expect(await inTime(there.user$.get())).not.toHaveProperty('restriction')
    await inTime(there.updateOwnUser({ restrictedByAdmin: true }))
    expect(await inTime(there.user$.refresh())).toMatchObject({ restriction: { type: 'restricted_by_administrator' } })
    await inTime(there.updateOwnUser({ restrictedByAdmin: false }))
    expect(await inTime(there.user$.refresh())).not.toHaveProperty('restriction')
  })

  it('does not exist in the reference release, which leaves it out and refuses to set it', async () => {
    const { server, adaId, inTime } = await backend('2.8.18')
    const user = await inTime(server.userById$({ userId: adaId }).get())
    expect(Object.keys(user!).filter(key => /restrict/i.test(key))).toEqual([])
    await expect(inTime(server.updateUserById({ userId: adaId, restrictedByAdmin: true }))).rejects.toMatchObject({
      code: 'SCHEMA_ERROR',
    })
  })
})
