import { actFor, ownerFetch } from '../entities/projects/admin'
import * as admin from '../entities/admin'
import type { ClientApp } from './client-app'
import { bind, type Bound } from './bind'
import { isPublic } from '../core/host'
import { localKeys } from '../core/defaults'
import { AuthError, invalidInput } from '../errors/auth-error'
import { makeKit } from './create-kit'
import { assertKnownOptions, type ClientOptions } from './options'
import * as server from '../entities/server'
import { keptApp } from './kept-app'
import { sharedTokens, sharing, requestApps, type RenderedServerOptions, type RequestApp } from './request-app'
import { noTokens, type TokenSource } from '../session/token-store'
import { coreOf, type Kit } from '../store/kit-parts'
import type { RefreshOn } from '../store/refresh-if-stale'
import { makeIterable } from '../store/read/values-of'
import { isLoopback, type KeyHeaders } from '../transport/config'
import { withEnvironment } from '../transport/environment'
import { settingOf, type Variable } from '../errors/setting'
import type { Transport } from '../transport/transport'

/** Bundlers inline exactly these expressions, which must not reach a browser. */
declare const process: {
  readonly env: {
    readonly HEXCLAVE_SECRET_SERVER_KEY?: string
    readonly STACK_SECRET_SERVER_KEY?: string
    readonly HEXCLAVE_SUPER_SECRET_ADMIN_KEY?: string
    readonly STACK_SUPER_SECRET_ADMIN_KEY?: string
  }
}

/** The keys of a project, for a script or a backend. */
export interface AdminKeys extends Omit<ClientOptions, 'tokens'>, RenderedServerOptions {
  /** Default: the environment variable HEXCLAVE_SECRET_SERVER_KEY or STACK_SECRET_SERVER_KEY; on loopback, the local platform's key. */
  readonly secretServerKey?: string
  /** Default: the environment variable HEXCLAVE_SUPER_SECRET_ADMIN_KEY or STACK_SUPER_SECRET_ADMIN_KEY; on loopback, the local platform's key. */
  readonly superSecretAdminKey?: string
  readonly owner?: never
}

/** The session of a project's owner, for a page that administers projects. */
export interface OwnerOptions {
  /** An app of the project `internal`, in which an owner of the project is signed in. */
  readonly owner: ClientApp
  /** The project to administer, as in `ownedProjects$(owner)`. */
  readonly projectId: string
  /** When watched stores reload, apart from after writes. Default `{ visible: true, online: true }`. */
  readonly refreshOn?: RefreshOn
}

/** Options of an admin app. */
export type AdminOptions = AdminKeys | OwnerOptions

/** A kit with admin rights and all server and admin definitions bound to it. It has no user of its own. */
export interface AdminApp extends Kit<'client' | 'server' | 'admin'>, Bound<typeof server>, Bound<typeof admin> {
  readonly level: 'admin'
  /**
   * An isolated app for one request, with the request's user and stores of its own. Dispose of it when the request has been
   * answered.
   */
  withTokens(tokens: TokenSource): RequestApp
}

/**
 * A kit for administering a project: `app.adminProject$`, `app.updateProject({ config: { … } })`.
 *
 * With keys, throws INVALID_INPUT if they are missing, and in a browser (also in a page's workers), where they would be
 * public. With `owner`, it works in a browser: every request carries the owner's access token. It belongs to the user who is
 * signed in then, and is disposed of at the first request after another user has signed in.
 *
 * @example
 * const admin = createAdminApp({ superSecretAdminKey: process.env['STACK_SUPER_SECRET_ADMIN_KEY'] ?? '' })
 * const { config } = await admin.adminProject$.get()
 */
export function createAdminApp(options: AdminOptions = {}): AdminApp {
  assertKnownOptions(options)
  makeIterable()
  const kitOf = options.owner ? kitsOfOwner(options) : kitsOfKeys(options)
  const shared = options.owner ? undefined : sharing(options)
  const isPartitioned = options.owner ? undefined : options.partitioned
  const requestApp = requestApps('admin')
  const app = keptApp({ tokens: noTokens() }, ({ tokens }) => bind(bind(kitOf(tokens), server), admin))
  return Object.assign(app, {
    level: 'admin' as const,
    withTokens: (tokens: TokenSource) => requestApp(kitOf(sharedTokens(tokens, shared, isPartitioned), shared)),
  })
}

type NewKit = (tokens: TokenSource, shared?: Transport['shared']) => Kit<'client' | 'server' | 'admin'>

function kitsOfKeys(options: AdminKeys): NewKit {
  if (isPublic())
    throw new AuthError(
      'INVALID_INPUT',
      'keys must not be in a browser; use createAdminApp({ owner, projectId }) there',
      { details: { field: 'superSecretAdminKey', reason: 'must not be in a browser' } },
    )
  const given = withEnvironment(options)
  const isLocal = isLoopback(given.baseUrl)
  const keyOf = (name: 'secretServerKey' | 'superSecretAdminKey', ...variables: readonly Variable[]) => {
    const key = settingOf(name, given[name], ...variables) || (isLocal && localKeys[name])
    if (key) return key
    throw invalidInput(name, `is missing; pass it to createAdminApp() or set ${variables.at(-1)?.[0]}`)
  }
  const keys = keyHeaders(
    keyOf(
      'secretServerKey',
      ['HEXCLAVE_SECRET_SERVER_KEY', () => process.env.HEXCLAVE_SECRET_SERVER_KEY],
      ['STACK_SECRET_SERVER_KEY', () => process.env.STACK_SECRET_SERVER_KEY],
    ),
    keyOf(
      'superSecretAdminKey',
      ['HEXCLAVE_SUPER_SECRET_ADMIN_KEY', () => process.env.HEXCLAVE_SUPER_SECRET_ADMIN_KEY],
      ['STACK_SUPER_SECRET_ADMIN_KEY', () => process.env.STACK_SUPER_SECRET_ADMIN_KEY],
    ),
  )
  return (tokens, shared) => makeKit({ ...given, tokens }, keys, 'createAdminApp', shared)
}

function kitsOfOwner({ owner, projectId, refreshOn }: OwnerOptions): NewKit {
  const { transport, clock, host, onUnhandled } = coreOf(owner)
  const { config, attemptTimeoutMillis } = transport
  const { baseUrl, extraHeaders } = config
  if (config.projectId !== 'internal')
    throw invalidInput(
      'owner',
      `is an app of the project "${config.projectId}", and owners of projects are users of the project "internal"`,
    )
  return tokens => {
    const fetch = ownerFetch(owner, () => {
      kit.dispose()
    })
    const options = { projectId, publishableClientKey: null, baseUrl, extraHeaders, attemptTimeoutMillis }
    const kit: Kit<'client' | 'server' | 'admin'> = makeKit(
      { ...withEnvironment(options), clock, host, onUnhandled, fetch, tokens, ...(refreshOn && { refreshOn }) },
      // With a session in place of the keys, the platform requires empty ones.
      keyHeaders('', ''),
      'createAdminApp',
    )
    actFor(kit, owner)
    return kit
  }
}

function keyHeaders(secretServerKey: string, superSecretAdminKey: string): KeyHeaders {
  const server = { 'x-stack-secret-server-key': secretServerKey }
  return { server, admin: { ...server, 'x-stack-super-secret-admin-key': superSecretAdminKey } }
}
