import { createPlatform } from 'rxauth/platform'
import { decodeJwt } from 'jose'
import wire from '../../wire/newer-apple.json'
import { newer } from '../world-2026'
import { expectRefusal } from '../wire-world'

const line = 'POST /auth/oauth/callback/apple/native'
const bundleId = 'com.example.shop'
const mary = { email: 'mary@example.com', displayName: 'Mary', accountId: '001.mary' }
const apple = { id: 'apple', type: 'shared', appleBundleIds: [bundleId] } as const
const world = () => newer({ seed: { project: { config: { oauthProviders: [apple] } } } })

describe('signing in with an identity token of Apple', () => {
  it('is asked and answered as it is on the wire', async () => {
    const { platform, ask } = world()
    const id_token = await platform.oauth.appleToken({ bundleId, user: mary })
    const body = { id_token } satisfies typeof wire.request
    const answer = await ask(line, { body })
    expect(answer.status).toBe(200)
    const shape = Object.entries(answer.body).map(([name, value]) => [name, typeof value])
    expect(Object.fromEntries(shape)).toEqual(
      Object.fromEntries(Object.entries(wire.answer).map(([name, value]) => [name, typeof value])),
    )
    expect((await ask(line, { body })).body).toMatchObject({ user_id: answer.body.user_id, is_new_user: false })
    expectRefusal(await ask(line, { body: {} }), 'SCHEMA_ERROR')
  })

  it('takes no token that the platform has signed for another purpose', async () => {
    const { platform, ask } = world()
    const signedUp = await ask('POST /auth/anonymous/sign-up')
    expectRefusal(await ask(line, { body: { id_token: signedUp.body.access_token } }), 'INVALID_APPLE_CREDENTIALS')
    const foreign = createPlatform({ wire: '2026' })
    const id_token = await foreign.oauth.appleToken({ bundleId, user: mary })
    expectRefusal(await ask(line, { body: { id_token } }), 'INVALID_APPLE_CREDENTIALS')
    platform.dispose()
    foreign.dispose()
  })

  it('keeps the bundle ids that an owner has set, and refuses without one', async () => {
    const { platform, ask } = newer({ seed: { project: { config: { oauthProviders: [] } } } })
    const provider = { id: 'apple', type: 'shared' as const }
    const set = (more: object) =>
      ask('PATCH /internal/projects/current', {
        access: 'admin',
        body: { config: { oauth_providers: [{ ...provider, ...more }] } },
      })
    const body = { id_token: await platform.oauth.appleToken({ bundleId, user: mary }) }
    await set({})
    expectRefusal(await ask(line, { body }), 'APPLE_BUNDLE_ID_NOT_CONFIGURED')
    const { config } = (await set({ apple_bundle_ids: [bundleId] })).body as {
      readonly config: { readonly oauth_providers: unknown }
    }
    expect(config.oauth_providers).toMatchObject([{ id: 'apple', apple_bundle_ids: [bundleId] }])
    expect((await ask(line, { body })).status).toBe(200)
  })
})

describe('an identity token for apps', () => {
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })

  it('is given out over HTTP too, for one bundle id and account', async () => {
    const { platform } = world()
    const at = (provider: string) => `${platform.options.baseUrl}/oauth-provider/${provider}/native-token`
    const post = async (provider: string, fields: Record<string, string>) =>
      platform.fetch(new Request(at(provider), form(fields)))
    const given = await post('apple', { bundle_id: bundleId, email: mary.email, account_id: '7', name: 'Mary' })
    const { id_token } = (await given.json()) as { readonly id_token: string }
    expect(decodeJwt(id_token)).toMatchObject({
      iss: 'https://appleid.apple.com',
      aud: bundleId,
      sub: '7',
      email: mary.email,
      name: 'Mary',
    })
    expect((await post('apple', { email: mary.email })).status).toBe(400)
    expect((await post('github', { bundle_id: bundleId, email: mary.email })).status).toBe(404)
  })
})
