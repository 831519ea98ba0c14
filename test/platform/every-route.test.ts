import { accessLevels } from '../../src/platform/authenticate'
import { allowedAccess, compile, patternOf } from '../../src/platform/router'
import { routes } from '../../src/platform/routes'
import { ada, ask, expectRefusal, wireWorld } from './wire-world'
import type { Ask } from './wire-world'

/** Needs no keys; checks them all the same when they are sent. */
const open = new Set([
  'GET /',
  'POST /check-feature-support',
  'POST /check-version',
  'GET /projects/{projectId}/.well-known/jwks.json',
  'GET /auth/oauth/authorize/{provider}',
  'GET /auth/oauth/callback/{provider}',
  'POST /auth/oauth/callback/{provider}',
  'POST /auth/oauth/token',
  'POST /integrations/credential-scanning/revoke',
  'GET /emails/unsubscribe-link',
  'POST /emails/render-email',
])
/** A provider sends what it likes, and mail programs add to links. */
const takesAnyQuery = new Set([
  'GET /auth/oauth/callback/{provider}',
  'POST /auth/oauth/callback/{provider}',
  'GET /emails/unsubscribe-link',
])
const takesAnyBody = new Set([
  'POST /check-feature-support',
  'POST /auth/oauth/callback/{provider}',
  'POST /auth/passkey/initiate-passkey-registration',
  'POST /auth/passkey/initiate-passkey-authentication',
])
/** A client hears that nobody is signed in before its form is looked at. */
const userFirst = new Set([
  'POST /contact-channels/me/{contactChannelId}/send-verification-code',
  'POST /contact-channels/{userId}/{contactChannelId}/send-verification-code',
])

const { platform } = wireWorld()
const json = { 'content-type': 'application/json' }

const all = compile(routes).map(address => ({
  line: patternOf(address),
  /** Well-formed ids everywhere. */
  sent: patternOf(address)
    .replace(/\{\w+\}/g, ada.id)
    .replace(/ \/$/, ' '),
  allowed: allowedAccess(address),
  writes: address.method !== 'GET',
}))
const closed = all.filter(({ line }) => !open.has(line))
const least = (allowed: readonly ('client' | 'server' | 'admin')[]) => allowed[0] ?? 'client'

describe.each(closed)('$line', ({ sent, allowed, writes }) => {
  it('needs an access type, before anything else is looked at', async () => {
    const how: Ask = { access: null, ...(writes && { raw: '{', headers: json }) }
    expectRefusal(await ask(platform, `${sent}?nonsense=1`, how), 'ACCESS_TYPE_REQUIRED')
  })

  it('tells a lower level who may, before its form is looked at', async () => {
    for (const access of accessLevels.filter(level => !allowed.includes(level))) {
      const how: Ask = { access, ...(writes && { raw: '{', headers: json }) }
      const details = expectRefusal(await ask(platform, `${sent}?nonsense=1`, how), 'INSUFFICIENT_ACCESS_TYPE')
      expect(details).toEqual({ actual_access_type: access, allowed_access_types: allowed })
    }
  })
})

describe.each(all)('$line', ({ line, sent, allowed, writes }) => {
  const signedIn = async () =>
    userFirst.has(line) ? { accessToken: (await platform.tokensFor(ada.email)).read()?.accessToken } : {}

  it('refuses a wrong key, needed or not', async () => {
    const headers = { 'x-stack-publishable-client-key': 'x' }
    expectRefusal(await ask(platform, sent, { access: 'client', headers }), 'INVALID_PUBLISHABLE_CLIENT_KEY')
  })

  it('is of no other method, and has no trailing slash', async () => {
    const [, path = ''] = sent.split(' ')
    expect((await ask(platform, `PUT ${path}`)).status).toBe(405)
    if (path !== '') expect((await ask(platform, `${sent}/`)).status).toBe(308)
    expect((await ask(platform, `OPTIONS ${path}`, { access: null })).status).toBe(200)
  })

  if (!takesAnyQuery.has(line))
    it('refuses what its query does not know', async () => {
      for (const access of allowed) {
        const how: Ask = { access, ...(writes && { body: {} }), ...(await signedIn()) }
        const { message } = expectRefusal(await ask(platform, `${sent}?nonsense=1`, how), 'SCHEMA_ERROR')
        expect(message).toContain('query has a field that this endpoint does not know: nonsense')
      }
    })

  if (writes)
    it.each([
      ['no JSON', '{', json],
      ['empty JSON', '', json],
      ['another type', '<a/>', { 'content-type': 'application/xml' }],
    ])('cannot read %s', async (_, raw, headers) => {
      expectRefusal(await ask(platform, sent, { access: least(allowed), raw, headers }), 'BODY_PARSING_ERROR')
    })

  if (writes && !takesAnyBody.has(line) && !line.startsWith('DELETE'))
    it.each(['{"nonsense":1}', '[]', '"text"', '1'])('refuses the body %s', async raw => {
      const how: Ask = { access: least(allowed), raw, headers: json, ...(await signedIn()) }
      expectRefusal(await ask(platform, sent, how), 'SCHEMA_ERROR')
    })

  const ids = line.match(/\{\w+Id\}/g) ?? []
  if (ids.length > 0 && !open.has(line))
    it.each(ids)('refuses a malformed %s', async id => {
      // Nearly every text is the id of some permission.
      const wrong = id === '{permissionId}' ? '$x' : 'x'
      const malformed = line.replace(id, () => wrong).replace(/\{\w+\}/g, ada.id)
      for (const access of allowed) {
        const how: Ask = { access, ...(writes && { body: {} }), ...(await signedIn()) }
        expectRefusal(await ask(platform, malformed, how), 'SCHEMA_ERROR')
      }
    })
})
