import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { adminStore, adminWrite, allOf, coreOf, lacking, patch, slot, view, withFields, type Kit } from '../declare'
import { narrowed } from '../../store/definition'
import { nonce } from '../../core/encoding'
import type { Fetch } from '../../core/web-types'
import { isErrorCode, isInFamily } from '../../errors/codes'
import { readAccessToken } from '../../transport/access-token'
import { AuthError } from '../../errors/auth-error'
import { adminProjectChanges, completeProjectConfig } from './shape'
import { OwnedProject, ownedProjects$ } from './client-owned'
import { project$ } from './client'
import { configWritten } from '../config/server'
import { users$ } from '../users/server'
import { doneBefore } from '../rows'
import { evictAll } from '../../store/session-effects'
import { parseDomain } from '../../core/domains'

/**
 * The project of this kit with its whole configuration, including secrets.
 *
 * @example
 * const { config } = await admin.adminProject$.get()
 */
export const adminProject$ = adminStore('GET /internal/projects/current', {
  returns: OwnedProject,
  // The project has the number of users.
  follows: [users$, allOf('users', {}), configWritten],
})

const fields = withFields(adminProjectChanges, { displayName: v.optional(v.string()) })

/** The changes of a project; each list and `emailConfig` are replaced as a whole. */
export interface ProjectChanges extends v.InferInput<v.ObjectSchema<typeof fields, undefined>> {}

/**
 * Changes the project; fields left out stay.
 *
 * Throws INVALID_INPUT, before a request, for a provider or a mail server of type 'standard' without one of its fields, for a
 * `senderEmail` that is no e-mail address, and for a domain that is no URL: `details.field` is `config.emailConfig.host`,
 * `config.oauthProviders.0.clientId` and the like. Throws NOT_ON_THIS_PLATFORM for a logo and for `onboardingStatus` on release
 * 2.8.18, which has none.
 *
 * @example
 * await admin.updateProject({ displayName: 'My app', config: { magicLinkEnabled: true } })
 */
export const updateProject = adminWrite('PATCH /internal/projects/current', {
  body: fields,
  returns: OwnedProject,
  notOnPlatform: lacking(),
  prepare: complete,
  refreshes: () => [adminProject$, project$],
  optimistic: changes => [patch(adminProject$, {}, project => changed(project, changes))],
  writes: (_, project) => [patch(adminProject$, {}, () => project)],
  settled: refreshOwnersProjects,
})

/**
 * Deletes the project and all its data permanently. The stores of this kit are then empty and fail, as do all other calls:
 * the platform refuses every request for the project. With a key, the project is read before unless it is known, so that
 * a refusal of the key after a lost answer means that the project is gone.
 *
 * @example
 * await admin.deleteProject()
 */
export const deleteProject = adminWrite('DELETE /internal/projects/current', {
  // Release 2.8.18 refuses the key afterwards, like one that was never valid: it has to be known as valid before.
  async prepare(kit, input) {
    if (!ownerOf(kit).kit) await adminProject$(kit).get({ maxAgeMillis: Infinity })
    return input
  },
  // An owner manages it no longer.
  done: doneBefore(
    'CURRENT_PROJECT_NOT_FOUND',
    'PROJECT_NOT_FOUND',
    'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN',
    'INVALID_SUPER_SECRET_ADMIN_KEY',
  ),
  refreshes: () => [],
  settled(kit) {
    evictAll(kit, new AuthError('DISPOSED', 'the project has been deleted'))
    return refreshOwnersProjects(kit)
  },
})

async function complete(kit: Kit<'admin'>, changes: ProjectChanges): Promise<ProjectChanges> {
  const config = completeProjectConfig(changes.config ?? {})
  // The platform allows localhost again if a change leaves it out, even in production.
  const allowLocalhost = config.allowLocalhost ?? (await adminProject$(kit).refresh()).config.allowLocalhost
  return { ...changes, config: { ...config, allowLocalhost } }
}

function changed(project: OwnedProject, { description, config = {}, ...others }: ProjectChanges) {
  return {
    ...project,
    ...presentIn(others),
    ...(description !== undefined && { description: description ?? '' }),
    config: {
      ...project.config,
      ...presentIn(config),
      ...(config.oauthProviders && { enabledOauthProviders: config.oauthProviders.map(({ id }) => ({ id })) }),
    },
  }
}

/** A setting that a project in production must not have. */
export interface ProductionModeError {
  readonly problem: 'localhost-allowed' | 'not-a-url' | 'localhost' | 'bare-ip' | 'not-https'
  /** The trusted domain as configured; absent for the setting `allowLocalhost`. */
  readonly domain?: string
  /** A sentence for administrators of the project. */
  readonly message: string
}

/**
 * The obstacles to production mode, in the order of the project's settings; empty: none. For a configuration that is not
 * saved yet; `productionModeErrors$` checks the saved project.
 *
 * @example
 * const problems = productionModeErrors(await admin.adminProject$.get())
 */
export function productionModeErrors({ config }: Pick<OwnedProject, 'config'>): ProductionModeError[] {
  return [
    ...(config.allowLocalhost
      ? [{ problem: 'localhost-allowed' as const, message: 'Redirects to localhost are allowed.' }]
      : []),
    ...config.domains.flatMap(({ domain }) => {
      const found = problemOf(domain)
      return found ? [{ ...found, domain }] : []
    }),
  ]
}

function problemOf(domain: string): Omit<ProductionModeError, 'domain'> | null {
  const { url } = parseDomain(domain)
  if (!url) return { problem: 'not-a-url', message: `"${domain}" is not a valid URL.` }
  // As resolved by browsers: `127.1`, `0x7f.1` and `LOCALHOST.` are normalised here.
  const host = url.hostname.replace(/\.$/, '')
  if (/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host))
    return { problem: 'localhost', message: `"${domain}" is localhost.` }
  if (/^[\d.]+$/.test(host) || host.startsWith('['))
    return { problem: 'bare-ip', message: `"${domain}" is a bare IP address; a domain has a name.` }
  if (url.protocol !== 'https:') return { problem: 'not-https', message: `"${domain}" does not use https.` }
  return null
}

/**
 * The obstacles to production mode, in the order of the project's settings; empty: none.
 *
 * @example
 * const problems = await admin.productionModeErrors$.get()
 */
export const productionModeErrors$ = view(adminProject$, productionModeErrors)

const ownerSlot = {}

/** The owner's kit, whose session gives this kit its admin rights; null with keys. */
function ownerOf(kit: Kit<never>): { kit: Kit | null } {
  return slot(kit, ownerSlot, () => ({ kit: null }))
}

/** `kit` acts with the rights of the user signed in to `owner` from now on. */
export function actFor(kit: Kit<never>, owner: Kit): void {
  ownerOf(kit).kit = owner
}

/** Refreshes the owner's list of projects after a change by this kit; nothing without an owner. */
export async function refreshOwnersProjects(kit: Kit): Promise<void> {
  const { kit: owner } = ownerOf(kit)
  if (!owner) return
  const { cells } = coreOf(owner)
  const answered = cells.tick()
  await Promise.all(cells.matching(narrowed(ownedProjects$)).flatMap(cell => cell.invalidate(answered) ?? []))
}

/** The header of the token, which replaces all keys. */
const header = 'x-stack-admin-access-token'

/**
 * Sends requests with the access token of the user signed in to `owner`. If the platform refuses the token, it is discarded,
 * and the request is sent once more with a new one.
 *
 * The requests belong to the user of the first token: for another user nothing is sent, and `onChange` is called, which ends
 * the sender.
 */
export function ownerFetch(owner: Kit, onChange: () => void): Fetch {
  const { session, transport } = coreOf(owner)
  let userId: string | undefined
  const tokenFor = async (signal: AbortSignal | null | undefined) => {
    const token = (await session.current(undefined, signal ?? undefined))?.accessToken
    if (!token)
      throw (
        session.identity.refusal ??
        new AuthError('USER_AUTHENTICATION_REQUIRED', 'the project owner of this admin app is signed out')
      )
    const present = readAccessToken(token)?.userId
    userId ??= present
    if (present === userId) return token
    onChange()
    throw new AuthError(
      'SESSION_CHANGED',
      'another user than the project owner of this admin app is signed in; create a new admin app',
    )
  }
  const send: Fetch = async (input, init) => {
    const token = await tokenFor(init?.signal)
    // In the headers of the attempt, whose values appear in no message.
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    headers.set(header, token)
    return transport.fetch(input, { ...init, headers })
  }
  return async (input, init) => {
    const response = await send(input, init)
    const code = response.headers.get('x-stack-known-error')
    if (code === null || !isErrorCode(code)) return response
    // The platform also answers this for a key set, which a session does not involve.
    if (!isInFamily(code, 'INVALID_ADMIN_ACCESS_TOKEN') && code !== 'API_KEY_NOT_FOUND') return response
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    const sent = headers.get(header)
    if (sent) transport.credentials.refused(sent)
    // A different request to caches.
    headers.set('x-stack-random-nonce', nonce())
    return send(input, { ...init, headers })
  }
}
