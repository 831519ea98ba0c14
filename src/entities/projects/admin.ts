import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { AuthError } from '../../errors/auth-error'
import { adminProjectChanges, completeProjectConfig } from './shape'
import { OwnedProject } from './client-owned'
import { project$ } from './client'
import { configWritten } from '../config/server'
import { users$ } from '../users/server'
import { evictAll } from '../../store/session-effects'
import type { Kit } from '../../store/kit'
import { mutation, patch } from '../../store/write/mutation'
import { allOf } from '../../store/definition'
import { ownQuery, view } from '../../store/query'
import { endpoint, withFields } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { refreshOwnersProjects } from './admin-owner'
import { parseDomain } from '../../core/domains'

/**
 * The project of this kit with its whole configuration, including secrets.
 *
 * @example
 * const { config } = await admin.adminProject$.get()
 */
export const adminProject$ = ownQuery(
  endpoint('GET /internal/projects/current', { access: 'admin', returns: OwnedProject }),
  // The project has the number of users.
  {},
  { follows: [users$, allOf('users', {}), configWritten] },
)

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
export const updateProject = mutation(
  endpoint('PATCH /internal/projects/current', {
    access: 'admin',
    body: fields,
    returns: OwnedProject,
    notOnPlatform: lacking(),
  }),
  {
    prepare: complete,
    refreshes: () => [adminProject$, project$],
    optimistic: changes => [patch(adminProject$, {}, project => changed(project, changes))],
    writes: (_, project) => [patch(adminProject$, {}, () => project)],
    settled: refreshOwnersProjects,
  },
)

/**
 * Deletes the project and all its data permanently. The stores of this kit are then empty and fail, as do all other calls:
 * the platform refuses every request for the project.
 *
 * @example
 * await admin.deleteProject()
 */
export const deleteProject = mutation(endpoint('DELETE /internal/projects/current', { access: 'admin' }), {
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
