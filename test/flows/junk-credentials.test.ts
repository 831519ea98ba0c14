import { requestTokens } from 'rxauth'
import { currentUser, tokenVerifier } from 'rxauth/server'
import { accessTokenText } from '../session/access-token-text'
import { renderWorld } from '../session/render-world'
import { runs } from '../runs'
import { credentialsOf } from '../tabs'
import { ada, grace } from '../world'

type Random = () => number

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!

const json = ['', ' ', '{', '[', '"', 'null', '[]', '{}', '7', 'true', 'undefined']
const texts = [...json, '\0', 'a\0b', '\n', 'a\nb', 'ü', '✓']
const longer = ['a b', 'x', 'x'.repeat(9_000), '[object Object]', '__proto__', '%', '%00', '%E0%A4%A', 'a.b.c']
const numbers = [-1, 0, 1e300, -1e300, 7]
const values: readonly unknown[] = [
  ...[null, true, ...numbers, [], ['a'], {}],
  ...[{ toString: 1, valueOf: 1 }, { type: { a: 1 } }],
]

/** A value as anybody could write it. */
function anything(random: Random): unknown {
  return random() < 0.5 ? oneOf(random, [...texts, ...longer]) : oneOf<unknown>(random, values)
}

/** A text that looks like a token of the platform, without its signature. */
function forged(random: Random, graceId: string): string {
  const claims: Record<string, unknown> = {}
  const names = ['sub', 'refreshTokenId', 'exp', 'iat', 'aud', 'iss', 'is_restricted', 'restricted_reason', 'email']
  for (const name of names) if (random() < 0.4) claims[name] = anything(random)
  if (random() < 0.3) claims['sub'] = graceId
  if (random() < 0.3) claims['exp'] = 4e9
  const token = accessTokenText(claims)
  return random() < 0.2 ? token.replace('signature', oneOf(random, [...texts, ...longer])) : token
}

/** Headers with junk in one place or several. */
function junkHeaders(random: Random, projectId: string, graceId: string): Readonly<Record<string, string>> {
  const token = () => (random() < 0.5 ? forged(random, graceId) : anything(random))
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const headers: Record<string, string> = {}
  if (random() < 0.5)
    headers['x-stack-auth'] =
      random() < 0.5 ? text(token()) : JSON.stringify({ accessToken: token(), refreshToken: anything(random) })
  if (random() < 0.4)
    headers['authorization'] = `${oneOf(random, ['Bearer ', 'bearer', 'Bearer\t', ''])}${text(token())}`
  const names = [
    `stack-refresh-${projectId}`,
    `stack-refresh-${projectId}--default`,
    `__Host-hexclave-refresh-${projectId}--default`,
    `stack-refresh-${projectId}--custom-x`,
    'stack-refresh',
    'stack-access',
    'hexclave-access',
  ]
  const cookie = names.flatMap(name => {
    if (random() < 0.6) return []
    const held = anything(random)
    const shapes = [held, [held, token()], { refresh_token: held, updated_at_millis: anything(random) }]
    const value = text(oneOf<unknown>(random, shapes))
    return `${name}=${random() < 0.7 ? encodeURIComponent(value) : value}`
  })
  if (cookie.length > 0) headers['cookie'] = cookie.join('; ')
  return headers
}

describe('credentials that are junk', () => {
  // Promise: junk-credentials
  it.each<Readonly<Record<string, string>>>([
    { 'x-stack-auth': '{' },
    { 'x-stack-auth': '{"refreshToken":"unknown"}' },
    { 'x-stack-auth': JSON.stringify({ accessToken: accessTokenText({ exp: 4e9 }), refreshToken: 'unknown' }) },
    { 'x-stack-auth': JSON.stringify({ accessToken: accessTokenText({ exp: 4e9 }) }) },
    { authorization: 'Bearer {' },
    { authorization: `Bearer ${accessTokenText({ exp: 4e9 })}` },
  ])('in a header are not the user of the cookies beside them, which stay: %j', async headers => {
    const { browser, inTime, server } = await renderWorld()
    const jar = await browser(grace)
    const tokens = requestTokens(jar.request(headers), jar.write)
    expect(await inTime(server.withTokens(tokens).user$.get())).toBeNull()
    await inTime(server.withTokens(tokens).signOut())
    expect(await inTime(currentUser(server, jar.request(headers), { write: jar.write }))).toBeNull()
    expect(jar.written).toEqual([])
    expect(await inTime(currentUser(server, jar.request()))).toMatchObject({ primaryEmail: grace.email })
  })

  // Promise: junk-credentials
  it('do not hide a session that begins in the request', async () => {
    const { browser, inTime, server } = await renderWorld()
    const jar = await browser(grace)
    const app = server.withTokens(requestTokens(jar.request({ 'x-stack-auth': '{' }), jar.write))
    expect(await inTime(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
    expect(await inTime(currentUser(server, jar.request()))).toMatchObject({ primaryEmail: ada.email })
    await inTime(app.signOut())
    expect([...jar.cookies.keys()]).toEqual([])
  })

  // Promise: junk-credentials
  it.each([
    ['a NUL', '%00'],
    ['a NUL in it', 'a%00b'],
    ['8,193 characters', 'x'.repeat(8193)],
  ])('in a cookie that the platform would refuse have no user, and nothing is asked: %s', async (_, text) => {
    const { inTime, platform, requests, server } = await renderWorld()
    const headers = { cookie: `stack-refresh-${platform.options.projectId}=${text}` }
    expect(await inTime(server.withTokens(requestTokens({ headers })).user$.get())).toBeNull()
    expect(requests).toEqual([])
  })

  // Promise: junk-credentials
  it.each(['2.8.18', '2026'] as const)(
    'have no user, in all three places, without a loop of requests (%s)',
    async wire => {
      const { clock, inTime, platform, requests, server } = await renderWorld({}, { wire })
      const { id: graceId } = (await inTime(server.users$().get())).items.find(
        user => user.primaryEmail === grace.email,
      )!
      const outcome = async (ask: () => Promise<unknown>) => {
        requests.length = 0
        try {
          const asking = ask()
          asking.catch(() => undefined)
          await clock.advance(10_000)
          return [await asking, requests.length > 3 ? requests : 'few requests']
        } catch (error) {
          return [error, requests]
        }
      }
      const verify = tokenVerifier(platform.options)
      const random = randomOf(1)
      for (let run = 0; run < runs(60, 6_000); run++) {
        const headers = junkHeaders(random, platform.options.projectId, graceId)
        const found = [
          await outcome(async () => {
            const app = server.withTokens(requestTokens({ headers: { ...headers } }, () => undefined))
            return app.user$.get().finally(() => app.dispose())
          }),
          await outcome(() => currentUser(server, { headers: { ...headers } }, { write: () => undefined })),
          await outcome(() => currentUser(server, { headers: { ...headers } }, { from: 'token' })),
          await outcome(async () => (await verify.request({ headers })).refusal?.status),
        ]
        const noUser = [null, 'few requests']
        expect({ run, headers, found }).toEqual({
          run,
          headers,
          found: [noUser, noUser, noUser, [401, 'few requests']],
        })
      }
    },
  )
})
