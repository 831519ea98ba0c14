import { bind, type Bound } from './bind'
import { isPublic } from '../core/host'
import { localKeys } from '../core/defaults'
import { AuthError, invalidInput } from '../errors/auth-error'
import { makeKit } from './create-kit'
import { assertKnownOptions, type ClientOptions } from './options'
import { keptApp } from './kept-app'
import { requestApps, sharedTokens, sharing, type RequestApp, type RenderedServerOptions } from './request-app'
import * as server from '../entities/server'
import { askingVerifier, type VerifyAccessTokenOfServer } from './verifier-of'
import type { KeysCache } from '../verify/keys-cache'
import { noTokens, type TokenSource } from '../session/token-store'
import type { Kit } from '../store/kit'
import { makeIterable } from '../store/read/values-of'
import { isLoopback } from '../transport/config'
import { withEnvironment } from '../transport/environment'
import { settingOf } from '../errors/setting'
import type { Transport } from '../transport/transport'

/** Bundlers inline exactly this expression, which must not reach a browser. */
declare const process: {
  readonly env: { readonly HEXCLAVE_SECRET_SERVER_KEY?: string; readonly STACK_SECRET_SERVER_KEY?: string }
}

/**
 * Options of a server app.
 *
 * @example
 * const options: ServerOptions = { projectId: '…', secretServerKey: '…' }
 * const server = createServerApp(options)
 */
export interface ServerOptions extends Omit<ClientOptions, 'tokens'>, RenderedServerOptions {
  /** Default: the environment variable HEXCLAVE_SECRET_SERVER_KEY or STACK_SECRET_SERVER_KEY; on loopback, the local platform's key. */
  readonly secretServerKey?: string
  /** Where the keys that verify access tokens are kept for other processes; see `KeysCache`. Default: nowhere. */
  readonly keysCache?: KeysCache
}

/** A kit with server rights and all server definitions bound to it. It has no user of its own. */
export interface ServerApp extends Kit<'client' | 'server'>, Bound<typeof server> {
  readonly level: 'server' | 'admin'
  /**
   * An isolated app for one request, with the request's user and stores of its own. Dispose of it when the request has been
   * answered.
   */
  withTokens(tokens: TokenSource): RequestApp
  /**
   * Verifies the access token of a request and returns its claims; see `tokenVerifier`. Makes no request of its own, except
   * once for the project's keys and, with `askAnonymous`, for the user of a token that cannot say whether the user is anonymous.
   */
  readonly verifyAccessToken: VerifyAccessTokenOfServer
}

/**
 * A kit for a backend, which may read and change every user: `app.userById$({ userId })`, `app.updateUserById({ … })`.
 *
 * Throws INVALID_INPUT without a key, and in a browser (also in a page's workers), where the key would be public.
 *
 * @example
 * const server = createServerApp({ secretServerKey: process.env['STACK_SECRET_SERVER_KEY'] ?? '' })
 * const user = await server.userById$({ userId: 'user-1' }).get()
 */
export function createServerApp(options: ServerOptions = {}): ServerApp {
  assertKnownOptions(options)
  makeIterable()
  if (isPublic())
    throw new AuthError('INVALID_INPUT', 'the secret server key must not be in a browser; use createClientApp there', {
      details: { field: 'secretServerKey', reason: 'must not be in a browser' },
    })
  const given = withEnvironment(options)
  const keys = { server: { 'x-stack-secret-server-key': secretServerKey(given) } }
  const kitOf = (tokens: TokenSource, shared?: Transport['shared']) =>
    makeKit<'client' | 'server'>({ ...given, tokens }, keys, 'createServerApp', shared)
  const app = keptApp({ tokens: noTokens() }, ({ tokens }) => bind(kitOf(tokens), server))
  const requestApp = requestApps('server')
  const shared = sharing(options)
  return Object.assign(app, {
    level: 'server' as const,
    verifyAccessToken: askingVerifier(app, options),
    withTokens: (tokens: TokenSource) => requestApp(kitOf(sharedTokens(tokens, shared, options.partitioned), shared)),
  })
}

function secretServerKey({ secretServerKey: given, baseUrl }: ServerOptions & { readonly baseUrl: string }): string {
  const key =
    settingOf(
      'secretServerKey',
      given,
      ['HEXCLAVE_SECRET_SERVER_KEY', () => process.env.HEXCLAVE_SECRET_SERVER_KEY],
      ['STACK_SECRET_SERVER_KEY', () => process.env.STACK_SECRET_SERVER_KEY],
    ) ||
    (isLoopback(baseUrl) && localKeys.secretServerKey)
  if (key) return key
  throw invalidInput('secretServerKey', 'is missing; pass it to createServerApp() or set STACK_SECRET_SERVER_KEY')
}
