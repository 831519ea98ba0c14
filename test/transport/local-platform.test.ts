import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { call } from '../../src/transport/call'
import { endpoint } from '../../src/transport/endpoint'
import { leavePages, showPage } from '../page'
import { exchange, refusal, watch } from './exchange'
import type { Reply } from './exchange'

const thing = endpoint('GET /things', { access: 'client' })
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:8102')]), { code: 'ECONNREFUSED' }),
})
const browserSays = new TypeError('Failed to fetch')
const lost = new TypeError('fetch failed', { cause: new Error('other side closed') })
const local = 'http://localhost:8102'
const elsewhere = 'https://auth.example.com'

/** The number of attempts within a minute, and their outcome. */
async function run(reply: Reply, options: Parameters<typeof exchange>[1]) {
  const { transport, clock, sent } = exchange([reply], options)
  const outcome = watch(call(transport, thing, {}))
  await clock.advance(60_000)
  return { times: sent.length, error: outcome.error as Error }
}

afterEach(leavePages)

describe('a platform on this machine that does not run', () => {
  it('is reported at once, by a real fetch to a port on which nothing listens', async () => {
    const server = await listen(createPlatform(), { port: 0 })
    await server.close()
    // Nothing moves the clock, so a backoff would never end.
    const app = createClientApp({ baseUrl: server.url, tokens: memoryTokens(), clock: virtualClock() })
    await expect(app.project$.get()).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: expect.stringMatching(/nothing listens there.*is `npx rxauth dev` running\?$/),
      details: { offline: false, attempts: 1, diagnostics: expect.stringContaining(server.url) },
    })
  })

  it.each<[string, Reply, boolean, string, boolean, number]>([
    ['a refused connection', refused, false, local, false, 1],
    [
      'a refused connection as Bun says it',
      Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }),
      false,
      local,
      false,
      1,
    ],
    ['a refused connection, for a page', refused, true, local, false, 1],
    ['the error of browsers for it', browserSays, true, local, false, 1],
    ['the same, of a device that is offline', browserSays, true, local, true, 5],
    ['the same, outside a browser', browserSays, false, local, false, 5],
    ['a broken connection', lost, false, local, false, 5],
    ['a broken connection of a platform in process, for a page', lost, true, local, false, 5],
    ['a refused connection elsewhere', refused, false, elsewhere, false, 5],
    ['the error of browsers elsewhere', browserSays, true, elsewhere, false, 5],
  ])('or seems not to: %s', async (_, reply, isPage, baseUrl, offline, times) => {
    if (isPage) showPage({ location: new URL('http://localhost:3000/') })
    const result = await run(reply, { config: { baseUrl }, offline })
    expect([result.times, result.error.message.includes('npx rxauth dev')]).toEqual([times, times === 1])
  })
})

describe('a project that a platform does not know', () => {
  it.each([
    ['2.8.18', 'INVALID_PUBLISHABLE_CLIENT_KEY', 401],
    ['2026', 'CURRENT_PROJECT_NOT_FOUND', 400],
  ] as const)('on this machine: the error says how to configure it, on %s', async (wire, code, status) => {
    const platform = createPlatform({ wire })
    const app = createClientApp({ ...platform.options, projectId: 'of-elsewhere', tokens: memoryTokens() })
    await expect(app.project$.get()).rejects.toMatchObject({
      code,
      status,
      details: { projectId: 'of-elsewhere' },
      message: expect.stringMatching(/leave out projectId and publishableClientKey.*npx rxauth dev -- <command>/),
    })
  })

  it.each([
    ['INVALID_PUBLISHABLE_CLIENT_KEY', 401],
    ['CURRENT_PROJECT_NOT_FOUND', 400],
  ])('elsewhere: the error is the platform’s own: %s', async (code, status) => {
    const { error } = await run(refusal(code, status, { project_id: 'the-project' }, 'not valid'), {
      config: { baseUrl: elsewhere },
    })
    expect(error.message).toBe('not valid')
  })
})
