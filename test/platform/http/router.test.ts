import { compile, levelFor, locate } from '../../../src/platform/http/router'
import { serve } from '../../../src/platform/http/serve'
import { endpoint } from '../../../src/transport/endpoint'
import { expectPlain, toAnswer, wireWorld } from '../wire-world'

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const { platform } = wireWorld()
  return toAnswer(await platform.fetch(new Request(`${platform.options.baseUrl}${path}`, { method, headers })))
}

describe('the answers around the endpoints', () => {
  it.each(['/api/v1', '/api/latest', '/api/v2beta1', '/api/v2beta4'])('serves the interface under %s', async prefix => {
    const { status, text } = await send('GET', prefix)
    expect([status, text]).toEqual([200, expect.stringContaining('Welcome')])
  })

  it.each([
    '/',
    '/api',
    '/api/v3',
    '/api/v10',
    '/api/v2beta0',
    '/api/v2beta5',
    '/api/v2',
    '/api/v1x',
    '/api/v1/nothing',
    '/api/v1//users/me',
    '/users/me',
  ])('answers 404 in plain text for %s', async path => expectPlain(await send('GET', path), 404))

  it('answers /health outside the interface, for GET alone', async () => {
    const { status, body, headers } = await send('GET', '/health')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    for (const method of ['POST', 'DELETE']) expect((await send(method, '/health')).status).toBe(405)
  })

  it.each([
    ['/api/v1/', '/api/v1'],
    ['/api/v1/users/me/?a=1', '/api/v1/users/me?a=1'],
    ['//evil.example/', '/evil.example'],
  ])('redirects %s to %s, before any check and without a body', async (path, location) => {
    const { status, headers, text } = await send('GET', path, { 'x-stack-override-error-status': 'true' })
    expect([status, headers.get('location'), text]).toEqual([308, location, location])
    expect(headers.has('content-type') || headers.has('x-stack-request-id')).toBe(false)
  })

  it.each([
    ['GET', '/api/v1'],
    ['GET', '/api/v1/users/me'],
    ['GET', '/api/v1/nothing'],
    ['PUT', '/api/v1/users/me'],
    ['GET', '/api/v1/users/me/'],
    ['OPTIONS', '/api/v1'],
  ])('lets every origin read the answer to %s %s', async (method, path) => {
    const { headers } = await send(method, path)
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': expect.any(String) as unknown,
      'access-control-max-age': '86400',
      'access-control-expose-headers': 'content-type, x-stack-actual-status, x-stack-known-error',
    })
  })
})

describe('addresses', () => {
  const read = serve(endpoint('GET /things/{thingId}', { access: 'server' }), {}, () => undefined)[0]!
  const readAsAdmin = serve(endpoint('GET /things/{thingId}', { access: 'admin' }), {}, () => undefined)[0]!
  const readMine = serve(endpoint('GET /things/mine', { access: 'client' }), {}, () => undefined)[0]!
  const addresses = compile([read, readMine, readAsAdmin])

  function find(path: string) {
    const place = locate(addresses, 'GET', new URL(`http://localhost/api/v1${path}`))
    if (place.kind !== 'address') throw new Error(place.kind)
    return place
  }

  it('prefer a fixed segment to a parameter in any order of declaration, the same with encoded letters', () => {
    for (const path of ['/things/mine', '/things/m%69ne']) expect(find(path).address.levels).toEqual([readMine])
    for (const path of ['/things/yours', '/t%68ings/yours']) expect(find(path).params).toEqual({ thingId: 'yours' })
  })

  it('try a parameter where the rest of the path is not below the fixed segment', () => {
    const files = serve(endpoint('GET /things/{thingId}/files', { access: 'server' }), {}, () => undefined)[0]!
    const all = serve(endpoint('GET /things/mine/all', { access: 'server' }), {}, () => undefined)[0]!
    const tree = compile([read, readMine, files, all])
    const found = locate(tree, 'GET', new URL('http://localhost/api/v1/things/mine/files'))
    expect(found).toMatchObject({ kind: 'address', address: { levels: [files] }, params: { thingId: 'mine' } })
    expect(locate(tree, 'GET', new URL('http://localhost/api/v1/things')).kind).toBe('unknown')
  })

  it('decode parameters, and keep invalid encodings', () => {
    expect(find('/things/a%2Fb').params).toEqual({ thingId: 'a/b' })
    expect(find('/things/%zz').params).toEqual({ thingId: '%zz' })
  })

  it('give each level the highest declaration that it includes', () => {
    const { address } = find('/things/x')
    const levels = (['client', 'server', 'admin'] as const).map(access => levelFor(address, access))
    expect(levels).toEqual([undefined, read, readAsAdmin])
  })

  it.each([
    ['POST', '/things/mine', 'wrong method'],
    ['DELETE', '/things/mine', 'wrong method'],
    ['DELETE', '/things/yours', 'address'],
    ['DELETE', '/things/me', 'address'],
    ['HEAD', '/things/mine', 'address'],
    ['HEAD', '/nothing', 'unknown'],
  ])('hide other methods behind a fixed segment, except for "me": %s %s is %s', (method, path, kind) => {
    const remove = serve(endpoint('DELETE /things/{thingId}', { access: 'server' }), {}, () => undefined)[0]!
    const readMe = serve(endpoint('GET /things/me', { access: 'client' }), {}, () => undefined)[0]!
    const more = compile([read, readMine, readMe, remove])
    expect(locate(more, method, new URL(`http://localhost/api/v1${path}`)).kind).toBe(kind)
  })

  it('are served once per level', () => {
    expect(() => compile([read, read])).toThrow('GET /things/{thingId} is served twice')
  })
})
