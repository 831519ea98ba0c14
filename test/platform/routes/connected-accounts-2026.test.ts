import wire from '../../wire/newer-oauth-providers.json'
import { grace, led, oauthWorld, standard, sub } from '../oauth-world'
import { accessTokenOf, ada, expectAnswer, expectPlain, expectRefusal, type Ask } from '../wire-world'

const eve = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'eve@example.com', verified: true }
const unknownId = '00000000-0000-4000-8000-000000000000'

/** Ada, who may have linked accounts of GitHub, on the newer wire unless told otherwise. */
async function world(accountIds: readonly string[] = [grace.accountId], wire: '2.8.18' | '2026' = '2026') {
  const made = oauthWorld({}, { wire, seed: { users: [ada, eve] } })
  const link = async (accountId: string, email: string = ada.email, scopes?: readonly string[]) => {
    const token = await accessTokenOf(made, email)
    const user = { ...grace, accountId, ...(scopes && { scopes }) }
    return made.signIn(user, { type: 'link', token, provider_scope: 'repo' })
  }
  for (const accountId of accountIds) await link(accountId)
  const as = (access: NonNullable<Ask['access']>, email: string = ada.email) => {
    return async (line: string, body?: unknown) =>
      made.ask(line, {
        access,
        ...(access === 'client' && { accessToken: await accessTokenOf(made, email) }),
        ...(body !== undefined && { body }),
      })
  }
  const [client, server] = [as('client'), as('server')]
  const ids = async () =>
    ((await server(`GET /oauth-providers?user_id=${ada.id}`)).body.items as { readonly id: string }[]).map(
      ({ id }) => id,
    )
  return { ...made, link, client, server, asEve: as('client', eve.email), ids }
}

const masked = <T extends object>(link: T) => ({ ...link, id: 'string' })

describe('the links of a user to accounts at providers', () => {
  it('are listed for the user and for servers, one by one and all', async () => {
    const { client, server, ids } = await world()
    const [id] = await ids()
    expectAnswer(await client('GET /oauth-providers?user_id=me'), 200, {
      items: [{ ...wire['link for clients'], id }],
      is_paginated: false,
    })
    expect(masked((await client(`GET /oauth-providers/me/${id}`)).body as object)).toEqual(wire['link for clients'])
    for (const line of ['', `?user_id=${ada.id}`])
      expect((await server(`GET /oauth-providers${line}`)).body.items).toEqual([{ ...wire['link for servers'], id }])
    expect((await server(`GET /oauth-providers?user_id=${eve.id}`)).body.items).toEqual([])
    expect((await server(`GET /oauth-providers/${ada.id}/${id}`)).body.account_id).toBe(grace.accountId)
  })

  it.each(['GET', 'PATCH', 'DELETE'])("are the user's own: %s", async method => {
    const { asEve, client, ids, ask } = await world()
    const [id] = await ids()
    const body = method === 'PATCH' ? {} : undefined
    expectPlain(await asEve(`${method} /oauth-providers/${ada.id}/${id}`, body), 403)
    expectPlain(await asEve(`${method} /oauth-providers/me/${id}`, body), 404)
    expectPlain(await client(`${method} /oauth-providers/me/${unknownId}`, body), 404)
    const nobody = await ask(`${method} /oauth-providers/me/${id}`, { ...(body && { body }) })
    expectRefusal(nobody, 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expect(await ids()).toEqual([id])
  })

  it('are listed for their user only', async () => {
    const { asEve } = await world()
    for (const query of ['', `?user_id=${ada.id}`]) expectPlain(await asEve(`GET /oauth-providers${query}`), 403)
  })

  it('no longer sign in where the user says so, and do again', async () => {
    const { client, signIn, exchange, ids } = await world()
    const [id] = await ids()
    const change = (allow_sign_in: boolean) => client(`PATCH /oauth-providers/me/${id}`, { allow_sign_in })
    const who = async () =>
      sub((await exchange(led(await signIn({ ...grace, email: 'x@example.com' }), 'code'))).body.access_token as string)
    expect(await who()).toBe(ada.id)
    const off = await change(false)
    expect([off.status, masked(off.body as object)]).toEqual([
      200,
      { ...wire['link for clients'], email: 'x@example.com', allow_sign_in: false },
    ])
    // The sign-in makes a new user, and from then on belongs to it.
    expect(await who()).not.toBe(ada.id)
    expectRefusal(await change(true), 'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN')
    expect(await ids()).toEqual([id])
  })

  it('sign in with one account of a provider by a change, though linking gives it to each', async () => {
    const { client, ids } = await world(['1', '2'])
    const links = (await client('GET /oauth-providers?user_id=me')).body.items as { readonly allow_sign_in: boolean }[]
    expect(links.map(({ allow_sign_in }) => allow_sign_in)).toEqual([true, true])
    const [id] = await ids()
    const refused = await client(`PATCH /oauth-providers/me/${id}`, { allow_sign_in: true })
    expectPlain(refused, 400)
    expect(refused.text).toBe('The same provider type with sign-in enabled already exists for this user.')
    expect((await client(`PATCH /oauth-providers/me/${id}`, {})).status).toBe(200)
  })

  it('that do not sign in fail at the callback where the address proves the same user', async () => {
    const { client, ids, signIn } = await world()
    const [id] = await ids()
    await client(`PATCH /oauth-providers/me/${id}`, { allow_sign_in: false })
    expectPlain(await signIn({ ...grace, email: ada.email, verified: true }), 500)
  })

  it('are fields of servers where clients have none', async () => {
    const { client, ids } = await world()
    const [id] = await ids()
    for (const body of [{ email: 'x@example.com' }, { account_id: '7' }])
      expectRefusal(await client(`PATCH /oauth-providers/me/${id}`, body), 'SCHEMA_ERROR')
    expectRefusal(await client('POST /oauth-providers', wire.creation), 'INSUFFICIENT_ACCESS_TYPE')
  })
})

describe('a server', () => {
  it('lets only one user sign in with an account, and links each user once', async () => {
    const { server, ids } = await world()
    const taken = 'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN'
    const link = (change: object) =>
      server('POST /oauth-providers', { ...wire.creation, account_id: grace.accountId, ...change })
    expectRefusal(await link({ user_id: eve.id, allow_sign_in: true }), taken)
    for (const allow_sign_in of [true, false]) expectPlain(await link({ allow_sign_in }), 400)
    const shared = await link({ user_id: eve.id })
    expect(shared.status).toBe(201)
    const line = `PATCH /oauth-providers/${eve.id}/${shared.body.id}`
    expectRefusal(await server(line, { allow_sign_in: true }), taken)
    expect(await ids()).toHaveLength(1)
  })

  it.each<[change: object, refusal: number | string, said: string]>([
    [{ user_id: unknownId }, 'USER_NOT_FOUND', ''],
    [{ allow_sign_in: undefined }, 'SCHEMA_ERROR', 'allow_sign_in'],
    [{ provider_config_id: 'nope' }, 404, 'OAuth provider nope not found or not configured'],
  ])('that links with %j is refused: %s', async (change, refusal, said) => {
    const { server } = await world()
    const answer = await server('POST /oauth-providers', { ...wire.creation, ...change })
    expectAnswer(answer, refusal)
    expect(answer.text).toContain(said)
    expectRefusal(await server(`GET /oauth-providers?user_id=${unknownId}`), 'USER_NOT_FOUND')
  })

  it('does not take an account from the user who signs in with it', async () => {
    const { server, link, ids } = await world()
    await server('POST /oauth-providers', { ...wire.creation, user_id: eve.id, account_id: grace.accountId })
    // Eve may ask for more scopes of the account, which does not sign her in.
    expect(led(await link(grace.accountId, eve.email), 'code')).not.toBeNull()
    const { body } = await server(`GET /oauth-providers?user_id=${eve.id}`)
    expect(body.items).toMatchObject([{ allow_sign_in: false }])
    expect(await ids()).toHaveLength(1)
  })
})

describe('a token of one of several accounts', () => {
  const path = (accountId: string, user = 'me') => `POST /connected-accounts/${user}/github/${accountId}/access-token`

  it.each([
    ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', path('7'), {}],
    ['OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE', path(grace.accountId), { scope: 'gist' }],
    ['OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS', path('1').replace('github', 'google'), {}],
  ])('is refused with %s', async (code, line, body) => {
    const { client } = await world()
    expectRefusal(await client(line, body), code)
  })

  it('is refused to other users', async () => {
    const { asEve } = await world()
    expectPlain(await asEve(path(grace.accountId, ada.id), {}), 403)
    expectPlain(await asEve(`GET /connected-accounts/${ada.id}`), 403)
    expectRefusal(await asEve(path(grace.accountId), {}), 'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER')
  })

  it('is not available once the provider refuses to renew it', async () => {
    const { client, platform, clock } = await world()
    await platform.seed({ project: { config: { oauthProviders: [{ ...standard, clientId: 'Iv2.y' }] } } })
    await clock.advance(3_600_000)
    const answer = await client(path(grace.accountId), {})
    expect(expectRefusal(answer, 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE')).toMatchObject({ provider: 'github' })
  })
})
