import type { ProjectConfig } from 'rxauth/platform'
import { grace, oauthWorld } from '../oauth-world'
import { accessTokenOf, ada, expectPlain, expectRefusal } from '../wire-world'

describe('linking an account', () => {
  async function asAda(config: Partial<ProjectConfig> = {}) {
    const world = oauthWorld(config)
    const token = await accessTokenOf(world)
    const link = (accountId: string, changes = {}, provider = 'github') =>
      world.signIn({ ...grace, accountId }, { type: 'link', token, ...changes }, provider)
    return { ...world, token, link }
  }

  it("is refused for another user's account", async () => {
    const { link, signIn } = await asAda()
    await signIn({ ...grace, accountId: '1' })
    expectRefusal(await link('1'), 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER')
  })

  it("checks the user's present account first, then the owner of the other one", async () => {
    const { link, signIn } = await asAda()
    expect((await link('1')).status).toBe(303)
    await signIn({ ...grace, accountId: '2' })
    expectRefusal(await link('2'), 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION')
  })

  it('needs a valid token of the project', async () => {
    const { begin, token, clock } = await asAda()
    const client_secret = 'this-publishable-client-key-is-for-local-development-only'
    expectPlain(await begin({ client_id: 'internal', client_secret, type: 'link', token }), 403)
    await clock.advance(600_000)
    expectRefusal(await begin({ type: 'link', token }), 'ACCESS_TOKEN_EXPIRED')
  })

  it('has no extra scopes with shared keys', async () => {
    const { begin, token } = await asAda()
    const changes = { type: 'link', token, provider_scope: 'drive' }
    expectRefusal(await begin(changes, 'google'), 'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS')
    expect((await begin(changes)).status).toBe(307)
  })

  it('is refused if the user was deleted', async () => {
    const { chosen, visit, token, ask } = await asAda()
    const back = await chosen(grace, { type: 'link', token })
    await ask(`DELETE /users/${ada.id}`, { access: 'server' })
    expectPlain(await visit(back), 400)
  })
})
