import type { Wire } from 'rxauth/platform'
import { accessLevels } from '../../../src/platform/http/authenticate'
import { allowedAccess, compile, patternOf } from '../../../src/platform/http/router'
import type { ServedRoute } from '../../../src/platform/http/serve'
import { rulesOf } from '../../../src/platform/model/release'
import { newerRoutes, routes, routesOf } from '../../../src/platform/routes/index'
import { ada, ask, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'

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
/** Providers and mail programs add their own parameters. */
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
/** A client without a user is refused before its fields are checked. */
const userFirst = new Set([
  'POST /contact-channels/me/{contactChannelId}/send-verification-code',
  'POST /contact-channels/{userId}/{contactChannelId}/send-verification-code',
])

/** Ids that may be any text: those of accounts are chosen by their provider. */
const formless = new Set(['{oauthProviderId}', '{providerAccountId}'])

const json = { 'content-type': 'application/json' }

/** The addresses on a platform of this release. */
function addressesOf(served: readonly ServedRoute[], wire: Wire) {
  const { platform } = wireWorld({ wire })
  return compile(served).map(address => ({
    platform,
    wire,
    line: patternOf(address),
    /** Well-formed ids everywhere. */
    sent: patternOf(address)
      .replace(/\{\w+\}/g, ada.id)
      .replace(/ \/$/, ' '),
    allowed: allowedAccess(address),
    writes: address.method !== 'GET',
  }))
}

const ofApril = routesOf(rulesOf('2.8.86'))
/** The newer releases are asked at the addresses that they add or replace. */
const all = [
  ...addressesOf(routes, '2.8.18'),
  ...addressesOf(
    newerRoutes.filter(one => ofApril.includes(one)),
    '2.8.86',
  ),
  ...addressesOf(newerRoutes, '2026'),
]
/** The few paths that have a PUT. */
const puts = new Set(all.flatMap(({ sent }) => (sent.startsWith('PUT ') ? [sent.slice(4)] : [])))
const least = (allowed: readonly ('client' | 'server' | 'admin')[]) => allowed[0] ?? 'client'

// One case per address: counting a thousand cases of one request took longer than running them.
// Promise: email-outbox
it.each(all)('$line at $wire makes the same checks as every address, in the same order', async one => {
  if (!open.has(one.line)) await levelsOf(one)
  await methodsAndKeysOf(one)
  await queryOf(one)
  if (one.writes) await bodiesOf(one)
  if (!open.has(one.line)) await idsOf(one)
})

const releases = ['2.8.18', '2.8.86', '2026'] as const
const shapeOf = (line: string) => line.replace(/\{\w+\}/g, '{}')
/** The addresses of other releases by the release that lacks them. */
const elsewhere = releases.flatMap(wire => {
  const own = new Set(compile(routesOf(rulesOf(wire))).map(each => shapeOf(patternOf(each))))
  const others = releases.flatMap(other => addressesOf(routesOf(rulesOf(other)), other))
  const lacking = new Map(others.filter(({ line }) => !own.has(shapeOf(line))).map(({ line, sent }) => [line, sent]))
  // The path has other methods there.
  if (wire === '2.8.86') lacking.delete('DELETE /internal/email-themes/{emailThemeId}')
  return [...lacking].map(([line, sent]) => [line, wire, sent] as const)
})

it.each(elsewhere)('%s does not exist on %s, at any access level', async (line, wire, sent) => {
  const { ask } = wireWorld({ wire })
  for (const access of [...accessLevels, null])
    expectPlain(await ask(sent, { access, ...(!line.startsWith('GET') && { body: {} }) }), 404)
})

type Address = (typeof all)[number]

const signedIn = async ({ platform, line }: Address) =>
  userFirst.has(line) ? { accessToken: (await platform.tokensFor(ada.email)).read()?.accessToken } : {}

async function levelsOf({ platform, sent, allowed, writes }: Address): Promise<void> {
  const unreadable = writes && { raw: '{', headers: json }
  // The access type is checked before everything else.
  expectRefusal(await ask(platform, `${sent}?nonsense=1`, { access: null, ...unreadable }), 'ACCESS_TYPE_REQUIRED')
  // A lower level gets the list of allowed levels before its fields are checked.
  for (const access of accessLevels.filter(level => !allowed.includes(level))) {
    const answer = await ask(platform, `${sent}?nonsense=1`, { access, ...unreadable })
    const details = expectRefusal(answer, 'INSUFFICIENT_ACCESS_TYPE')
    expect(details).toEqual({ actual_access_type: access, allowed_access_types: allowed })
  }
}

async function methodsAndKeysOf({ platform, sent }: Address): Promise<void> {
  // A wrong key is refused, also where none is needed.
  const headers = { 'x-stack-publishable-client-key': 'x' }
  expectRefusal(await ask(platform, sent, { access: 'client', headers }), 'INVALID_PUBLISHABLE_CLIENT_KEY')
  const [, path = ''] = sent.split(' ')
  if (!puts.has(path)) expect((await ask(platform, `PUT ${path}`)).status).toBe(405)
  if (path !== '') expect((await ask(platform, `${sent}/`)).status).toBe(308)
  expect((await ask(platform, `OPTIONS ${path}`, { access: null })).status).toBe(200)
}

async function queryOf(one: Address): Promise<void> {
  if (takesAnyQuery.has(one.line)) return
  for (const access of one.allowed) {
    const how: Ask = { access, ...(one.writes && { body: {} }), ...(await signedIn(one)) }
    const { message } = expectRefusal(await ask(one.platform, `${one.sent}?nonsense=1`, how), 'SCHEMA_ERROR')
    expect(message).toContain('query contains unknown properties: nonsense')
  }
}

async function bodiesOf(one: Address): Promise<void> {
  const access = least(one.allowed)
  for (const [raw, headers] of [
    ['{', json],
    ['', json],
    ['<a/>', { 'content-type': 'application/xml' }],
  ] as const)
    expectRefusal(await ask(one.platform, one.sent, { access, raw, headers }), 'BODY_PARSING_ERROR')
  if (takesAnyBody.has(one.line) || one.line.startsWith('DELETE')) return
  for (const raw of ['{"nonsense":1}', '[]', '"text"', '1']) {
    const how: Ask = { access, raw, headers: json, ...(await signedIn(one)) }
    expectRefusal(await ask(one.platform, one.sent, how), 'SCHEMA_ERROR')
  }
}

async function idsOf(one: Address): Promise<void> {
  for (const id of one.line.match(/\{\w+Id\}/g) ?? []) {
    if (formless.has(id)) continue
    // Nearly every text is a possible permission id.
    const wrong = id === '{permissionId}' ? '$x' : 'x'
    const malformed = one.line.replace(id, () => wrong).replace(/\{\w+\}/g, ada.id)
    for (const access of one.allowed) {
      const how: Ask = { access, ...(one.writes && { body: {} }), ...(await signedIn(one)) }
      expectRefusal(await ask(one.platform, malformed, how), 'SCHEMA_ERROR')
    }
  }
}
