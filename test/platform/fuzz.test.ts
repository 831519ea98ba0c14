import { virtualClock, type Wire } from 'rxauth/platform'
import { wires } from '../../src/platform/model/release'
import { runs } from '../runs'
import { fuzz, nested } from './fuzz'
import { ada, accessTokenOf, expectRefusal, wireWorld } from './wire-world'

/** More with `RXAUTH_FUZZ=20000`; another course with `RXAUTH_FUZZ_SEED`. */
const count = Number(process.env['RXAUTH_FUZZ'] ?? runs(150, 2000))
const seed = Number(process.env['RXAUTH_FUZZ_SEED'] ?? 1)

/** Requests must not wait for a virtual clock, or for anything else. */
async function hurry(answer: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // eslint-disable-next-line no-restricted-globals -- what hangs can only be caught from outside
    timer = setTimeout(() => reject(new Error('no answer after 60 s')), 60_000)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    // eslint-disable-next-line no-restricted-globals -- as above
    clearTimeout(timer)
  }
}

/** Routes that need a set-up project, with the levels that must have got 2xx from each. */
const setUp = {
  'GET /user-api-keys': ['client', 'server'],
  'POST /user-api-keys': ['client', 'server'],
  'POST /user-api-keys/check': ['server'],
  'GET /user-api-keys/{apiKeyId}': ['client', 'server'],
  'PATCH /user-api-keys/{apiKeyId}': ['client', 'server'],
  'GET /team-api-keys': ['client', 'server'],
  'POST /team-api-keys': ['client', 'server'],
  'POST /team-api-keys/check': ['server'],
  'GET /team-api-keys/{apiKeyId}': ['client', 'server'],
  'PATCH /team-api-keys/{apiKeyId}': ['client', 'server'],
  'GET /internal/projects': ['client'],
  'POST /internal/projects': ['client'],
  'POST /teams': ['client', 'server'],
}

/** Those of accounts at providers, on the release of 2026. */
const links = {
  'GET /oauth-providers': ['client', 'server'],
  'POST /oauth-providers': ['server'],
  'GET /oauth-providers/{userId}/{oauthProviderId}': ['client', 'server'],
  'PATCH /oauth-providers/{userId}/{oauthProviderId}': ['client', 'server'],
  'DELETE /oauth-providers/{userId}/{oauthProviderId}': ['client', 'server'],
  'GET /connected-accounts/{userId}': ['client', 'server'],
}

describe('random requests', () => {
  it.each(wires)(
    `are ${count} times answered as documented, and at once, on %s`,
    async wire => {
      const clock = virtualClock(undefined, { seed })
      expect((await fuzz(count, clock, hurry, wire)).findings).toEqual([])
    },
    600_000,
  )

  // Always the same requests, so that every run reaches the same routes.
  const ofNewest: readonly (readonly [
    what: string,
    wire: Wire,
    routes: Readonly<Record<string, readonly string[]>>,
  ])[] = [
    ['API keys, owned projects and new teams', '2026', setUp],
    ['links to accounts at providers', '2026', links],
  ]
  const ofOthers: typeof ofNewest = [
    ['API keys, owned projects and new teams', '2.8.18', setUp],
    ['API keys, owned projects and new teams', '2.8.86', setUp],
    ['links to accounts at providers', '2.8.86', links],
  ]
  it.each(runs(ofNewest, [...ofNewest, ...ofOthers]))(
    'get through to %s on %s',
    async (_, wire, setUp) => {
      const { findings, reached } = await fuzz(
        runs(1500, 2000),
        virtualClock(undefined, { seed: 1 }),
        hurry,
        wire,
        Object.keys(setUp),
      )
      expect(findings).toEqual([])
      const wanted = Object.entries(setUp).flatMap(([route, all]) => all.map(access => `${access} ${route}`))
      expect(wanted.filter(each => !reached.has(each))).toEqual([])
    },
    600_000,
  )
})

/** Routes whose answers show a user, or a part of one, to clients and to servers. */
const showUsers = [
  'GET /users/me',
  'PATCH /users/me',
  'PATCH /users/{userId}',
  'GET /team-member-profiles',
  'GET /teams',
  'POST /teams',
  'GET /auth/sessions',
  'GET /contact-channels',
]

describe('what only servers may see of a user', () => {
  // Promise: server-only-fields
  it.each(runs<readonly Wire[]>(['2026'], wires))(
    'is in no answer to a client on %s',
    async wire => {
      const { findings, reached } = await fuzz(
        runs(1000, 2000),
        virtualClock(undefined, { seed: 2 }),
        hurry,
        wire,
        showUsers,
      )
      expect(findings).toEqual([])
      const wanted = ['GET /users/me', 'GET /teams', 'GET /auth/sessions', 'GET /contact-channels']
      expect(wanted.filter(route => !reached.has(`client ${route}`) || !reached.has(`server ${route}`))).toEqual([])
    },
    600_000,
  )
})

describe('deeply nested JSON', () => {
  it.each([
    [1999, 200],
    [2000, 400],
    [5000, 400],
    [1_000_000, 400],
  ])('of %i levels is answered with %i', async (levels, status) => {
    const world = wireWorld()
    const answer = await world.ask('PATCH /users/me', {
      accessToken: await accessTokenOf(world),
      raw: nested(levels),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'BODY_PARSING_ERROR')
  })
})

describe('a NUL character', () => {
  it.each([
    ['body', 'POST /auth/password/sign-in', { body: { email: ada.email, password: 'a\0b' } }],
    ['key', 'POST /auth/password/sign-in', { body: { 'a\0b': 1 } }],
    ['query', 'GET /contact-channels?user_id=%00', {}],
    ['path', `GET /contact-channels/${ada.id}/%00`, {}],
    ['metadata', 'POST /users', { access: 'server', body: { server_metadata: { deep: ['a\0'] } } }],
  ] as const)('in the %s is wrong by its form', async (_, line, how) => {
    expectRefusal(await wireWorld().ask(line, how), 'SCHEMA_ERROR')
  })
})
