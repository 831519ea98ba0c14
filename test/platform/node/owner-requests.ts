import type { Platform, Wire } from 'rxauth/platform'
import { internalKeys } from '../../../src/platform/model/api-keys'
import { readyMade } from '../../../src/cli/ready-made'

const [owner] = readyMade.owners
const json = { 'content-type': 'application/json' }
export const form = { 'content-type': 'application/x-www-form-urlencoded' }
export const internal = {
  'x-stack-access-type': 'client',
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': internalKeys.publishableClientKey,
}

type Headers = Readonly<Record<string, string>>

/** A request below the interface's prefix: `GET /users`. */
export interface Sent {
  readonly line: string
  readonly headers: Headers
  readonly body?: string
}

const sentAs = (line: string, headers: Headers, body?: object): Sent =>
  body ? { line, headers: { ...headers, ...json }, body: JSON.stringify(body) } : { line, headers }

export const signIn = sentAs('POST /auth/password/sign-in', internal, { email: owner.email, password: owner.password })

/** Everything that a page of this machine can read after signing in as the owner. */
export async function ownersThings(
  { options: { projectId } }: Platform,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reaches into it, and fails on a wrong guess
  ask: (sent: Sent) => Promise<any>,
) {
  const { access_token, refresh_token } = (await ask(signIn)) as Record<'access_token' | 'refresh_token', string>
  const as = (access: string, name: string, key: string) => ({
    ...{ 'x-stack-access-type': access, 'x-stack-project-id': projectId, [`x-stack-${name}`]: key },
  })
  const asAdmin = as('admin', 'admin-access-token', access_token)
  const mint = sentAs('POST /internal/api-keys', asAdmin, {
    description: 'minted',
    expires_at_millis: Date.parse('2100-01-01'),
    has_publishable_client_key: true,
    has_secret_server_key: true,
    has_super_secret_admin_key: true,
  })
  const keys = await ask(mint)
  const { items } = await ask({ line: 'GET /users', headers: asAdmin })
  return {
    asAdmin,
    asOwner: { ...internal, 'x-stack-access-token': access_token },
    clientKey: keys.publishable_client_key as string,
    asServer: as('server', 'secret-server-key', keys.secret_server_key as string),
    asAdminWithKey: as('admin', 'super-secret-admin-key', keys.super_secret_admin_key as string),
    mint,
    refreshToken: refresh_token,
    userId: items[0].id as string,
  }
}

/** Each request that an owner may make, in every form. */
export function ownersRequests(
  { asAdmin, asOwner, asServer, asAdminWithKey, mint, refreshToken, userId }: Awaited<ReturnType<typeof ownersThings>>,
  wire: Wire,
): readonly (readonly [what: string, sent: Sent])[] {
  const withHeaders: (readonly [what: string, sent: Sent])[] = [
    ['signs in as the owner', signIn],
    ['reads the projects', sentAs('GET /internal/projects', asOwner)],
    ['lists users', sentAs('GET /users', asAdmin)],
    ['reads keys', sentAs('GET /internal/api-keys', asAdmin)],
    ['mints keys', mint],
    ['starts a session of a user', sentAs('POST /auth/sessions', asAdmin, { user_id: userId })],
    ['uses a minted server key', sentAs('GET /users', asServer)],
    ['uses a minted admin key', sentAs('GET /users', asAdminWithKey)],
  ]
  const [client_id, client_secret] = ['internal', internalKeys.publishableClientKey]
  const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id, client_secret }
  const asForm = new URLSearchParams(refresh).toString()
  const capitals = { 'content-type': 'Application/JSON;charset=utf-8' }
  const authorize = new URLSearchParams({
    ...{ client_id, client_secret, redirect_uri: 'http://localhost:3000/', scope: 'legacy', state: 'state' },
    ...{ grant_type: 'authorization_code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    response_type: 'code',
  }).toString()
  return [
    ...withHeaders,
    ...(wire === '2026' ? withHeaders.map(([what, sent]) => [what, renamed(sent)] as const) : []),
    ['refreshes with a form', { line: 'POST /auth/oauth/token', headers: form, body: asForm }],
    ['refreshes with JSON', sentAs('POST /auth/oauth/token', {}, refresh)],
    ['refreshes on the main branch', sentAs('POST /auth/oauth/token', {}, { ...refresh, client_id: 'internal#main' })],
    [
      'refreshes at an address in other letters',
      { ...sentAs('POST /auth/oauth/t%6fken', {}, refresh), headers: capitals },
    ],
    [
      'refreshes the session itself',
      sentAs('POST /auth/sessions/current/refresh', { ...internal, 'x-stack-refresh-token': refreshToken }),
    ],
    ['begins OAuth as an owner', { line: `GET /auth/oauth/authorize/github?${authorize}`, headers: {} }],
  ]
}

/** The newer release's names. */
function renamed(sent: Sent): Sent {
  const names = Object.entries(sent.headers).map(([name, value]) => [name.replace('x-stack-', 'x-hexclave-'), value])
  return { ...sent, headers: Object.fromEntries(names) as Headers }
}
