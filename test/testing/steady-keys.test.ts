import { createPlatform } from 'rxauth/platform'
import { tokenVerifier } from 'rxauth/server'
import { withSteadyKeys } from '../../src/testing/steady-keys'

const seed = { users: [{ email: 'ada@example.com' }] }

async function tokenOf(platform: ReturnType<typeof createPlatform>): Promise<string> {
  return (await platform.tokensFor('ada@example.com')).read()!.accessToken!
}

it.each(['2.8.18', '2026'] as const)(
  'a verifier that keeps the keys of one platform accepts the tokens of the next, on wire %s',
  async wire => {
    const [one, next] = [createPlatform({ seed, wire }), createPlatform({ seed, wire })]
    const verify = tokenVerifier({ ...one.options, baseUrl: 'http://localhost:8102' })
    await withSteadyKeys(one)
    await withSteadyKeys(next)
    for (const platform of [one, next]) {
      const { userId } = await verify(await tokenOf(platform))
      expect(userId).toEqual(expect.any(String))
    }
    await expect(verify(await tokenOf(createPlatform({ seed, wire })))).rejects.toMatchObject({
      code: 'INVALID_ACCESS_TOKEN',
    })
  },
)

it('the platform keeps its seed', async () => {
  const platform = createPlatform({ seed })
  await withSteadyKeys(platform)
  expect((await platform.tokensFor('ada@example.com')).read()).not.toBeNull()
})
