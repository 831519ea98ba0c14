import { listen, type Listening } from 'rxauth/platform/node'
import { keysFor, wireWorld, type World } from '../wire-world'
import { sendRaw } from './raw'

let world: World
let server: Listening
beforeAll(async () => {
  world = wireWorld()
  server = await listen(world.platform, { port: 0 })
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }

/** With a client's keys; the path is below the interface's prefix. */
function send(line: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const [method = '', path = ''] = line.split(' ')
  return sendRaw(server, `${method} /api/v1${path}`, { ...keysFor(world.platform, 'client'), ...headers }, body)
}

/** On every answer. */
const security = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** The platform's own headers on an answer besides those; HTTP adds a date and a length. */
function headersOf({ headers }: { readonly headers: object }): string[] {
  expect(headers).toMatchObject(security)
  const others = ['date', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', ...Object.keys(security)]
  return Object.keys(headers)
    .filter(name => !others.includes(name) && !name.startsWith('access-control-'))
    .sort()
}

describe('over HTTP', () => {
  it('a success has a type, a request id and no-store', async () => {
    const answer = await send('GET /projects/current')
    expect(headersOf(answer)).toEqual(['cache-control', 'content-type', 'x-stack-request-id'])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)))
    expect(answer.text).toBe(JSON.stringify(JSON.parse(answer.text)))
  })

  it('a known error has its code in a header, its body is indented, and so is a success that a browser shows', async () => {
    const answer = await send('GET /users/me')
    expect(headersOf(answer)).toEqual(['cache-control', 'content-type', 'x-stack-known-error', 'x-stack-request-id'])
    const shown = await send('GET /projects/current', { accept: 'text/html,application/xhtml+xml' })
    for (const { text } of [answer, shown]) expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2))
  })

  it.each([
    ['PUT /api/v1/users/me', 405],
    ['TRACE /api/v1/users/me', 405],
    ['GET /api/v1/contact-channels/verify/check-code', 405],
    ['GET /api/v1/users/me/', 308],
    ['OPTIONS /api/v1/users/me', 200],
    ['OPTIONS /api/v2beta3/nothing', 200],
  ])('%s is answered by the framework with %i, whatever the request has', async (line, status) => {
    const headers = { 'x-stack-access-type': 'nonsense', 'x-stack-override-error-status': '' }
    const answer = await sendRaw(server, line, headers)
    expect([answer.status, answer.text]).toEqual([status, status === 308 ? '/api/v1/users/me' : ''])
    expect(headersOf(answer)).toEqual(status === 308 ? ['location'] : [])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  it('a page has the headers of every answer, and sends no referrer', async () => {
    const page = await sendRaw(server, 'GET /mailbox', {})
    expect(page.headers).toMatchObject({ ...security, 'referrer-policy': 'no-referrer' })
  })

  it.each(['GET', 'HEAD'])('%s never reads a body', async method => {
    expect((await send(`${method} /projects/current`, json, '{')).status).toBe(200)
    expect((await send(`${method} /projects/current`, { 'content-type': 'text/xml' }, '<a/>')).status).toBe(200)
  })

  it('an invalid host is a bad request, not a broken connection', async () => {
    const answer = await sendRaw(server, 'GET /health', { host: 'a b' })
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8'])
  })
})
