import { hidden, maskBody, maskHeaders, maskText, tokenText } from '../../../src/platform/console/exchanges'

const json = 'application/json'
const masked = (value: unknown) => JSON.parse(maskBody(JSON.stringify(value), json)) as unknown

describe('a log without secrets', () => {
  it.each(['eyJ'.repeat(1000), `${'eyJ'.repeat(1000)}.`])(
    'reads a text like the beginnings of many tokens once',
    text => {
      expect([...text.matchAll(tokenText)].map(([found]) => found)).toEqual(['eyJ'.repeat(1000)])
      expect(maskText(`/${text}/x`)).toBe(`/${text}/x`)
    },
  )

  it('hides every secret of a body that has half a character in a parameter of an address', () => {
    const body = { passwords: ['correct horse'], link: 'https://a.test/?to=%3Fcode%3Dabc%26next%3D1\ud800' }
    expect(masked(body)).toEqual({
      passwords: [hidden],
      link: `https://a.test/?to=%3Fcode%3D${hidden}%26next%3D1%EF%BF%BD`,
    })
  })

  it('finds a key beside the beginning of a token', () => {
    const key = `sk_${'a'.repeat(16)}`
    expect(maskText(`/eyJabc-${key}/eyJa.b/x.eyJa.b.c`)).toBe(`/eyJabc-${hidden}/${hidden}/x.${hidden}`)
  })

  it.each([
    ...['x-stack-access-token', 'x-stack-refresh-token', 'x-stack-secret-server-key', 'x-stack-super-secret-admin-key'],
    ...['x-stack-admin-access-token', 'x-stack-development-override-key', 'x-hexclave-access-token', 'x-stack-auth'],
    ...['authorization', 'cookie', 'set-cookie', 'svix-signature'],
  ])('hides the header %s', name => {
    for (const value of ['x', 'eyJhbGciOi.eyJzdWIi.c2ln', 'Bearer x', 'stack-refresh-x=y', '{"refreshToken":"x"}'])
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
    expect(maskText('/auth/oauth/authorize/github?state=abc&scope=x&client_secret=pck_1&code=q#access_token=z')).toBe(
      `/auth/oauth/authorize/github?state=${hidden}&scope=x&client_secret=${hidden}&code=${hidden}#access_token=${hidden}`,
    )
    const location = 'http://localhost:3000/handler/oauth-callback?code=secret&x=1'
    expect(maskHeaders(new Headers({ location }))['location']).toBe(
      `http://localhost:3000/handler/oauth-callback?code=${hidden}&x=1`,
    )
  })

  it.each([
    ...['password', 'old_password', 'new_password', 'access_token', 'refresh_token', 'code', 'otp', 'totp'],
    ...['totp_secret_base64', 'attempt_code', 'login_code', 'polling_code', 'nonce', 'api_key', 'secret_server_key'],
    ...['super_secret_admin_key', 'client_secret', 'code_verifier'],
  ])('hides the field %s, however deep', name => {
    const body = (secret: string) => ({ a: [{ [name]: secret }], [name]: { last_four: 'same' } })
    expect(masked(body('open sesame'))).toEqual(body(hidden))
  })

  it.each(['credential', 'authentication_response'])('hides all of %s, the response of a passkey', name => {
    expect(masked({ [name]: { id: 'a', response: { signature: 'b' } } })).toEqual({ [name]: hidden })
  })

  it('hides keys by their form in any place', () => {
    const body = { value: 'sk_0123456789abcdefghij', text: 'use whsec_QUJDRA== here' }
    expect(masked(body)).toEqual({ value: hidden, text: `use ${hidden} here` })
  })

  it('shows what is not secret', () => {
    const plain = {
      ...{ id: '1', email: 'ada@example.com', has_password: true, token_type: 'bearer', refresh_token_id: '1' },
      ...{ publishable_client_key: 'pck_public', password: '', passkey_auth_enabled: false },
    }
    expect(masked(plain)).toEqual(plain)
  })

  it("shows an error's name, which is a code too", () => {
    const error = (attempt_code: string) => ({ code: 'SCHEMA_ERROR', error: 'no', details: { attempt_code } })
    expect(JSON.parse(maskBody(JSON.stringify(error('secret')), json, true))).toEqual(error(hidden))
  })

  it.each([
    ['a name that is written in percents', '/x?c%6Fde=secret', `/x?c%6Fde=${hidden}`],
    ['a name with a mistake in its percents', '/x?code%=secret&code=secret', `/x?code%=secret&code=${hidden}`],
    [
      'an address in a parameter',
      '/x?redirect_uri=http%3A%2F%2Fa.test%2F%3Fcode%3Dsecret%26x%3D1',
      `/x?redirect_uri=http%3A%2F%2Fa.test%2F%3Fcode%3D${hidden}%26x%3D1`,
    ],
    [
      'an address in an address in a parameter',
      '/x?a=%3Fb%3D%253Fcode%253Dsecret',
      `/x?a=%3Fb%3D%253Fcode%253D${hidden}`,
    ],
    ['a token in a parameter', '/x?a=eyJhbGciOi.eyJzdWIi.c2ln', `/x?a=${hidden}`],
  ])('hides secrets in %s', (_what, url, shown) => {
    expect(maskText(url)).toBe(shown)
    expect(maskHeaders(new Headers({ location: url, referer: url }))).toEqual({ location: shown, referer: shown })
  })

  it('hides codes in the links of a mail', () => {
    const html = (code: string) =>
      `<a href="http://a.test/handler?x=1&amp;code=${code}">http://a.test/?code=${code}</a>`
    expect(masked({ html: html('secret') })).toEqual({ html: html(hidden) })
  })

  it.each(['text/plain;charset=UTF-8', '', 'application/octet-stream', json])(
    'hides the fields of JSON that is sent as "%s", cut off too',
    type => {
      const body = '{ "email": "a@b.test", "password": "open \\" sesame", "new_password" : "cut of'
      expect(maskBody(body, type)).toBe(`{ "email": "a@b.test", "password": "${hidden}", "new_password" : "${hidden}"`)
      expect(JSON.parse(maskBody('{"password":"open sesame"}', type))).toEqual({ password: hidden })
      expect(maskBody('password=open&x=1', type)).toBe(`password=${hidden}&x=1`)
    },
  )

  it('hides each text below a name of a secret in a configuration', () => {
    const config = (secret: string) => ({
      sourceOfTruth: { type: 'postgres', connectionString: secret },
      payments: { stripe: { secrets: { live: secret }, webhookSecrets: [secret], currency: 'EUR' } },
      apiKeys: { enabled: { user: true } },
    })
    const body = JSON.stringify({ config_string: JSON.stringify(config('postgres://u:p@db')) })
    expect(JSON.parse(maskBody(body, 'application/json'))).toEqual({ config_string: JSON.stringify(config(hidden)) })
  })

  it.each(['config_string', 'config_override_string'])('hides the secrets within %s', name => {
    const config = (secret: string) => ({
      'auth.password.allowSignIn': false,
      'emails.server.password': secret,
      'auth.oauth.providers.github': { clientId: 'Iv1', clientSecret: secret },
    })
    const body = (secret: string) => ({ [name]: JSON.stringify(config(secret)) })
    expect(masked(body('open sesame'))).toEqual(body(hidden))
    expect(masked({ [name]: '{"clientSecret":"open' })).toEqual({ [name]: hidden })
    expect(maskBody(`{"${name}":"{\\"clientSecret\\":\\"open ses`, json)).toBe(`{"${name}":"${hidden}"`)
  })

  it('hides a multipart form completely', () => {
    const form = '--x\r\ncontent-disposition: form-data; name="password"\r\n\r\nopen'
    expect(maskBody(form, 'multipart/form-data; boundary=x')).toBe(hidden)
  })

  it('needs no more time for a hostile body', () => {
    const repeated = ['"', '?', '&a=', '%25'].map(part => part.repeat(64_000))
    for (const text of [...repeated, `"a":"${'\\'.repeat(64_000)}`])
      expect(typeof maskBody(`?a=${text}`, 'text/plain')).toBe('string')
  })

  it('reads forms, and text that is only declared as JSON', () => {
    expect(maskBody('grant_type=refresh_token&refresh_token=abc', 'application/x-www-form-urlencoded')).toBe(
      `grant_type=refresh_token&refresh_token=${hidden}`,
    )
    expect(maskBody('{ "x": eyJhbGciOi.eyJzdWIi.c2ln', json)).toBe(`{ "x": ${hidden}`)
  })
})
