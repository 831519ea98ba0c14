import { createClientApp, memoryTokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp, tokenVerifier } from 'rxauth/server'
import { localProject } from '../../src/core/defaults'
import { call } from '../../src/transport/call'
import { endpoint } from '../../src/transport/endpoint'
import { leavePages, showPage } from '../page'
import { exchange, refusal, watch, type Reply } from './exchange'

const thing = endpoint('GET /things', { access: 'client' })
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:8102')]), { code: 'ECONNREFUSED' }),
})
const browserSays = new TypeError('Failed to fetch')
const lost = new TypeError('fetch failed', { cause: new Error('other side closed') })
const sslError = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('ssl'), { code }) })
// The claims of a user of the local project, in the form of a token.
const token = ['{"alg":"ES256","kid":"a"}', `{"sub":"ada","exp":9e9,"aud":"${localProject.projectId}"}`, 'x']
  .map(part => Buffer.from(part).toString('base64url'))
  .join('.')
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
  // Promise: no-server-here
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

  // Promise: https-here
  it('is reported at once where it speaks http, not https, by a real fetch', async () => {
    const server = await listen(createPlatform(), { port: 0 })
    const baseUrl = server.url.replace('http', 'https')
    const app = createClientApp({ baseUrl, tokens: memoryTokens(), clock: virtualClock() })
    try {
      await expect(app.project$.get()).rejects.toMatchObject({
        code: 'NETWORK_ERROR',
        message: expect.stringMatching(
          new RegExp(`cannot be reached by https \\(.*\\); \`npx rxauth dev\` speaks http: ${server.url}$`),
        ) as string,
        details: { offline: false, attempts: 1 },
      })
      await expect(tokenVerifier({ baseUrl })(token)).rejects.toThrow(`speaks http: ${server.url}`)
    } finally {
      await server.close()
    }
  })

  // Promise: https-here
  it.each<[what: string, reply: Reply, isPage: boolean, times: number]>([
    ['the error of browsers', browserSays, true, 1],
    ['a refused connection', refused, false, 1],
    ['what a newer Node says', sslError('ERR_SSL_PACKET_LENGTH_TOO_LONG'), false, 1],
    ['a certificate without an authority', sslError('DEPTH_ZERO_SELF_SIGNED_CERT'), false, 5],
  ])('is not asked for by https: %s', async (_, reply, isPage, times) => {
    if (isPage) showPage({ location: new URL('http://localhost:3000/') })
    const result = await run(reply, { config: { baseUrl: 'https://localhost:8102' } })
    expect(result.times).toBe(times)
    expect(result.error.message).toMatch(/by https .*speaks http: http:\/\/localhost:8102$/)
    expect(result.error.message).not.toContain('running')
  })

  // Promise: no-server-here
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
  // Promise: no-server-here
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

  // Promise: wrong-project
  it.each([
    ['INVALID_PUBLISHABLE_CLIENT_KEY', 'publishableClientKey'],
    ['INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'publishableClientKey'],
    ['INVALID_SECRET_SERVER_KEY', 'secretServerKey'],
    ['INVALID_SUPER_SECRET_ADMIN_KEY', 'superSecretAdminKey'],
  ])('elsewhere is not blamed on the key alone: %s', async (code, key) => {
    const { error } = await run(refusal(code, 401, { project_id: 'the-project' }, 'The key is not valid.'), {
      config: { baseUrl: elsewhere },
    })
    expect(error.message).toBe(
      `The key is not valid. Either projectId or ${key} is wrong, or they are of two projects: check both.`,
    )
  })

  // Promise: wrong-project
  it('is not blamed on the key of a server, or of an admin', async () => {
    const platform = createPlatform()
    const options = { ...platform.adminOptions, projectId: 'of-elsewhere' }
    const both = /There is no project "of-elsewhere" with this .* Either projectId or secretServerKey/
    await expect(createServerApp(options).users$().get()).rejects.toThrow(both)
    await expect(createAdminApp(options).adminProject$.get()).rejects.toThrow(/Either projectId or superSecretAdminKey/)
  })

  it.each([
    ['INVALID_PUBLISHABLE_CLIENT_KEY', 401],
    ['CURRENT_PROJECT_NOT_FOUND', 400],
  ])('elsewhere: the error is the platform’s own: %s', async (code, status) => {
    const { error } = await run(refusal(code, status, { project_id: 'the-project' }, 'not valid'), {
      config: { baseUrl: elsewhere },
    })
    expect(error.message).toMatch(/^not valid/)
  })
})
