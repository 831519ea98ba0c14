import { hidden, maskBody, maskHeaders, maskUrl } from '../../../src/platform/local/mask'

const json = 'application/json'
const masked = (value: unknown) => JSON.parse(maskBody(JSON.stringify(value), json)) as unknown

describe('a log without secrets', () => {
  it.each([
    ['x-stack-access-token', 'eyJhbGciOi.eyJzdWIi.c2ln'],
    ['x-stack-refresh-token', 'abc'],
    ['x-stack-secret-server-key', 'ssk_1'],
    ['x-stack-super-secret-admin-key', 'sak_1'],
    ['x-stack-admin-access-token', 'x'],
    ['x-stack-development-override-key', 'x'],
    ['x-hexclave-access-token', 'x'],
    ['authorization', 'Bearer x'],
    ['cookie', 'stack-refresh-x=y'],
    ['set-cookie', 'stack-refresh-x=y'],
    ['x-stack-auth', '{"refreshToken":"x"}'],
    ['svix-signature', 'v1,abc'],
  ])('hides the header %s', (name, value) => {
    expect(maskHeaders(new Headers({ [name]: value }))).toEqual({ [name]: hidden })
  })

  it('shows other headers, the publishable key too, without the tokens in them', () => {
    const headers = {
      'content-type': json,
      'x-stack-project-id': 'internal',
      'x-stack-publishable-client-key': 'pck_public',
      'x-other': 'begins eyJhbGciOi.eyJzdWIi.c2ln',
    }
    expect(maskHeaders(new Headers(headers))).toEqual({ ...headers, 'x-other': `begins ${hidden}` })
  })

  it('hides parameters of addresses', () => {
    expect(maskUrl('/auth/oauth/authorize/github?state=abc&scope=x&client_secret=pck_1&code=q#access_token=z')).toBe(
      `/auth/oauth/authorize/github?state=${hidden}&scope=x&client_secret=${hidden}&code=${hidden}#access_token=${hidden}`,
    )
    const location = 'http://localhost:3000/handler/oauth-callback?code=secret&x=1'
    expect(maskHeaders(new Headers({ location }))['location']).toBe(
      `http://localhost:3000/handler/oauth-callback?code=${hidden}&x=1`,
    )
  })

  it.each([
    'password',
    'old_password',
    'new_password',
    'access_token',
    'refresh_token',
    'code',
    'otp',
    'totp',
    'totp_secret_base64',
    'attempt_code',
    'login_code',
    'polling_code',
    'nonce',
    'api_key',
    'secret_server_key',
    'super_secret_admin_key',
    'client_secret',
    'code_verifier',
  ])('hides the field %s, however deep', name => {
    expect(masked({ a: [{ [name]: 'open sesame' }], [name]: { last_four: 'same' } })).toEqual({
      a: [{ [name]: hidden }],
      [name]: { last_four: 'same' },
    })
  })

  it.each(['credential', 'authentication_response'])('hides all of %s, which a passkey has signed', name => {
    expect(masked({ [name]: { id: 'a', response: { signature: 'b' } } })).toEqual({ [name]: hidden })
  })

  it('hides keys by their form, wherever they stand', () => {
    expect(masked({ value: 'sk_0123456789abcdefghij', text: 'use whsec_QUJDRA== here' })).toEqual({
      value: hidden,
      text: `use ${hidden} here`,
    })
  })

  it('shows what opens nothing', () => {
    const plain = {
      id: '1',
      email: 'ada@example.com',
      has_password: true,
      token_type: 'bearer',
      refresh_token_id: '1',
      publishable_client_key: 'pck_public',
      password: '',
      passkey_auth_enabled: false,
    }
    expect(masked(plain)).toEqual(plain)
  })

  it("shows an error's name, which is a code too", () => {
    const error = { code: 'SCHEMA_ERROR', error: 'no', details: { attempt_code: 'secret' } }
    expect(JSON.parse(maskBody(JSON.stringify(error), json, true))).toEqual({
      ...error,
      details: { attempt_code: hidden },
    })
  })

  it('reads forms, and text that only says that it is JSON', () => {
    expect(maskBody('grant_type=refresh_token&refresh_token=abc', 'application/x-www-form-urlencoded')).toBe(
      `grant_type=refresh_token&refresh_token=${hidden}`,
    )
    expect(maskBody('{ "x": eyJhbGciOi.eyJzdWIi.c2ln', json)).toBe(`{ "x": ${hidden}`)
  })
})
