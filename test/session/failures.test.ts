import type { Auth } from 'rxauth'
import known from '../wire/errors.json'
import { ada, world, type World } from '../world'
import { runs } from '../runs'
import { answered, intercept, isRefresh, knownError } from './intercept'

const tenMinutes = 600_000

/** The only refusals of a refresh that end a session. */
const ends = ['REFRESH_TOKEN_ERROR', 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 'PROVIDER_REJECTED']

const statuses = [
  [300, 301, 302, 303, 307, 308],
  [400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 425, 429, 431, 451, 499],
  [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 530, 599],
].flat()

/** Answers of a platform, or of something in front of it, other than the expected one. */
const everyAnswer: readonly (readonly [name: string, answer: () => Response])[] = [
  ...known.map(({ code, status }) => [code, () => knownError(status, code)] as const),
  ...known.map(({ code }) => [`${code} as 200`, () => overridden(code)] as const),
  ...statuses.map(status => [`${status}`, () => answered(status, 'down')] as const),
  ['an error that no version knows', () => knownError(400, 'SOMETHING_ELSE')],
]

/** Codes that mean something to a session, and of the others one in three; the nightly run has all. */
const tokenCode = /TOKEN|REJECTED|SESSION|USER/
const answers = everyAnswer.filter(([name], index) => index % runs(3, 1) === 0 || tokenCode.test(name))

function overridden(code: string): Response {
  const headers = { 'x-stack-known-error': code, 'x-stack-actual-status': '400' }
  return new Response(JSON.stringify({ code, error: 'as the kit asks for it' }), { status: 200, headers })
}

const shortly = (auth: Auth) => (auth.status === 'signed-out' ? auth.reason : auth.status)

/**
 * The states of auth$ after a refresh or the user's load has failed so, and after the platform has recovered. Each case
 * has its own session and kit, and shares the platform.
 */
async function outcome(
  { clock, newApp, platform }: World,
  which: 'refresh' | 'user',
  status: 'unknown' | 'signed-in',
  answer: () => Response,
) {
  let isBroken = false
  const fetch = intercept(platform.options.fetch, request =>
    isBroken && isRefresh(request) === (which === 'refresh') ? answer() : undefined,
  )
  const tokens = await platform.tokensFor(ada.email)
  const app = newApp({ tokens, fetch })
  const seen: string[] = []
  const watch = () =>
    app.auth$.subscribe(auth => {
      if (seen.at(-1) !== shortly(auth)) seen.push(shortly(auth))
    })
  const load = async () => {
    void app.user$.refresh().catch(() => undefined)
    await clock.advance(60_000)
  }
  if (status === 'signed-in') watch()
  await clock.advance(tenMinutes)
  isBroken = true
  if (status === 'unknown') watch()
  await load()
  const failed = { seen: [...seen], isKept: tokens.read() !== null }
  isBroken = false
  await load()
  app.dispose()
  return { ...failed, inTheEnd: seen.at(-1) }
}

describe.each([
  ['unknown', ['unknown']],
  ['signed-in', ['unknown', 'signed-in']],
] as const)('while the status is %s', (status, before) => {
  it('no answer to a refresh but a refused refresh token ends the session', async () => {
    const shared = await world()
    const lost: string[] = []
    for (const [name, answer] of answers) {
      const { isKept, seen, inTheEnd } = await outcome(shared, 'refresh', status, answer)
      if (!isKept) lost.push(name)
      expect([name, seen]).toEqual([name, isKept ? before : [...before, 'expired']])
      expect([name, inTheEnd]).toEqual([name, isKept ? 'signed-in' : 'expired'])
    }
    expect(lost.sort()).toEqual(ends.flatMap(code => [code, `${code} as 200`]).sort())
  })

  it('no answer to another request does', async () => {
    const shared = await world()
    for (const [name, answer] of answers) {
      const { isKept, seen, inTheEnd } = await outcome(shared, 'user', status, answer)
      // The session still exists, but not the user.
      const isLost = status === 'signed-in' && name.startsWith('CANNOT_GET_OWN_USER_WITHOUT_USER')
      expect([name, isKept, seen, inTheEnd]).toEqual([
        name,
        true,
        isLost ? [...before, 'unknown'] : before,
        'signed-in',
      ])
    }
  })
})
