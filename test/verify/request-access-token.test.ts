import { currentUser, requestAccessToken } from 'rxauth/server'
import { adaId, renderWorld } from '../session/render-world'

describe('the access token of a request', () => {
  const stack = JSON.stringify({ accessToken: 'stack', refreshToken: null })

  it.each<[string, Record<string, string>, string | null]>([
    ['nowhere', {}, null],
    ['in authorization', { authorization: 'Bearer bearer' }, 'bearer'],
    ['whatever the case of its scheme', { authorization: 'bearer  bearer' }, 'bearer'],
    ['in x-stack-auth', { 'x-stack-auth': stack }, 'stack'],
    ['in authorization before x-stack-auth', { authorization: 'Bearer bearer', 'x-stack-auth': stack }, 'bearer'],
    ['in x-stack-auth, beside another scheme', { authorization: 'Basic YTpi', 'x-stack-auth': stack }, 'stack'],
    ['nowhere, if it is empty', { authorization: 'Bearer ' }, null],
    ['nowhere in the header of a signed-out client', { 'x-stack-auth': '{"accessToken":null}' }, null],
    ['nowhere in a header that is no JSON', { 'x-stack-auth': '{' }, null],
    ['nowhere in a header without a text for it', { 'x-stack-auth': '{"accessToken":7}' }, null],
    ['in authorization, whatever it is', { authorization: 'Bearer a b', 'x-stack-auth': stack }, 'a b'],
  ])('is found %s', (_, headers, token) => {
    expect(requestAccessToken({ headers })).toBe(token)
    expect(requestAccessToken({ headers: new Headers(headers) })).toBe(token)
  })

  // Promise: foreign-requests
  it('is not looked for in cookies, which foreign pages can make a browser send', async () => {
    const { browser, server } = await renderWorld()
    const request = (await browser()).request({ origin: 'https://evil.example' })
    expect(requestAccessToken(request)).toBeNull()
    await expect(server.verifyAccessToken(requestAccessToken(request))).rejects.toMatchObject({
      code: 'UNPARSABLE_ACCESS_TOKEN',
    })
    // The same request is rendered as its user.
    expect(await currentUser(server, request, { from: 'token' })).toMatchObject({ id: adaId })
  })

  it.each<[unknown]>([[undefined], [null], [{}], [{ headers: null }], [{ headers: 'authorization: Bearer a' }]])(
    'is not looked for in %j, which is no request',
    request => {
      expect(() => requestAccessToken(request as never)).toThrow(/^request\.headers is missing/)
    },
  )

  it('is not looked for in a promise of headers', () => {
    expect(() => requestAccessToken({ headers: Promise.resolve(new Headers()) as never })).toThrow(/await/)
  })
})
