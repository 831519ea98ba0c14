import { json, signUpWith } from './checked-request'
import signUp from '../../wire/password-sign-up.json'
import { expectRefusal, wireWorld } from '../wire-world'

describe('a body', () => {
  it.each<[what: string, raw: string | undefined, headers: Record<string, string>, code: string]>([
    ['malformed JSON', '{', json, 'BODY_PARSING_ERROR'],
    ['nothing, said to be JSON', undefined, json, 'BODY_PARSING_ERROR'],
    ['another content type', '<a/>', { 'content-type': 'text/xml' }, 'BODY_PARSING_ERROR'],
    ['nothing without a content type', undefined, {}, 'SCHEMA_ERROR'],
    ['JSON without a content type', JSON.stringify(signUp.request), {}, 'SCHEMA_ERROR'],
    ['JSON as text', JSON.stringify(signUp.request), { 'content-type': 'text/plain' }, 'SCHEMA_ERROR'],
    ['bytes', JSON.stringify(signUp.request), { 'content-type': 'application/octet-stream' }, 'SCHEMA_ERROR'],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }, 'SCHEMA_ERROR'],
    ['a form with files', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 'BODY_PARSING_ERROR'],
    ['a list', '[]', json, 'SCHEMA_ERROR'],
    ['null', 'null', json, 'SCHEMA_ERROR'],
  ])('of %s is refused', async (_, raw, headers, code) => {
    expectRefusal(await signUpWith(raw, headers), code)
  })

  it('that is not UTF-8 is refused', async () => {
    const { platform } = wireWorld()
    const { adminOptions } = platform
    const response = await platform.fetch(
      new Request(`${adminOptions.baseUrl}/api/v1/auth/password/sign-up`, {
        method: 'POST',
        headers: {
          ...json,
          'x-stack-access-type': 'client',
          'x-stack-project-id': adminOptions.projectId,
          'x-stack-publishable-client-key': adminOptions.publishableClientKey,
        },
        body: new Uint8Array([0x22, 0xff, 0x22]),
      }),
    )
    expect(response.headers.get('x-stack-known-error')).toBe('BODY_PARSING_ERROR')
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON'])('is read as %s', async type => {
    expect((await signUpWith(JSON.stringify(signUp.request), { 'content-type': type })).status).toBe(200)
  })

  it('may be a form', async () => {
    const raw = new URLSearchParams(signUp.request).toString()
    expect((await signUpWith(raw, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(200)
  })
})
