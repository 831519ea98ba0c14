import { presentIn } from '../../core/values'
import { fromBase64Url } from '../../core/encoding'
import { bareReply } from '../http/reply'
import type { Reply } from '../http/reply'
import { isBase64Image } from '../model/limits'
import type { OpenEngine } from '../model/engine'
import type { ProjectRow } from '../model/projects'
import type * as v from 'valibot'
import type { adminProjectChanges } from '../../entities/projects/shape'
import { internalProjectId, managedProjectIds, managesProject } from '../http/authenticate'
import { changeSettings } from './project-config'
import { configOf, newConfig } from '../model/project-config'
import { newProjectConfig, providerConfig } from '../model/projects'
import type { OAuthProviderConfig, ProjectConfig } from '../model/projects'
import type { Database } from '../model/tables'
import type { UserRow } from '../model/users'

const names = ['logoUrl', 'logoFullUrl', 'logoDarkModeUrl', 'logoFullDarkModeUrl'] as const

type Logos = Record<(typeof names)[number], string | null>

/** The addresses of a project's logos. One that was sent as a data URL is a file of the platform. */
export function logosOf(project: ProjectRow, origin: string): Logos {
  const addressOf = (name: keyof Logos) => {
    const url = project[name] ?? null
    return url !== null && isBase64Image(url) ? fileOf(project, name, origin) : url
  }
  return Object.fromEntries(names.map(name => [name, addressOf(name)])) as Logos
}

/** Whether the address is the one of the logo's own file, which a caller sends back unchanged. */
export function isOwnFile(project: ProjectRow, name: string, url: unknown): boolean {
  return typeof url === 'string' && url.endsWith(fileOf(project, name, ''))
}

function fileOf({ id }: ProjectRow, name: string, origin: string): string {
  return `${origin}/files/${encodeURIComponent(id)}/${name}`
}

/** The file of a logo. */
export function logoFile({ database }: OpenEngine, path: string): Reply {
  const project = database.projects.rows().find(row => names.some(name => fileOf(row, name, '') === path))
  const name = names.find(each => path.endsWith(`/${each}`)) ?? 'logoUrl'
  const [, type = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(project?.[name] ?? '') ?? []
  if (type === '') return bareReply(404)
  return { ...bareReply(200, { 'content-type': type, 'cache-control': 'no-cache' }), body: fromBase64Url(data) }
}

type ProjectInput = v.InferInput<v.ObjectSchema<typeof adminProjectChanges, undefined>> & {
  readonly displayName?: string | undefined
}

/** Creates a project without keys, managed by the user. */
export function createProject(
  { database, clock, isStrict }: OpenEngine,
  owner: UserRow,
  changes: ProjectInput & { readonly displayName: string },
): ProjectRow {
  const project = database.projects.put({
    id: crypto.randomUUID(),
    displayName: changes.displayName,
    description: changes.description ?? '',
    isProductionMode: changes.isProductionMode ?? false,
    createdAt: clock.now(),
    config: newConfig(changedConfig({ ...newProjectConfig, anonymousSignUpEnabled: !isStrict }, changes.config)),
  })
  manage(database, owner, ids => [...ids, project.id])
  return project
}

export function changeProject(engine: OpenEngine, project: ProjectRow, changes: ProjectInput): ProjectRow {
  const { displayName, description, isProductionMode, config } = changes
  // An empty change must not reset allowLocalhost either.
  if (Object.values(changes).every(value => value === undefined)) return project
  const changed = {
    ...project,
    ...presentIn({ displayName, isProductionMode }),
    ...(description !== undefined && { description: description ?? '' }),
  }
  return changeSettings(engine, changed, { config: changedConfig(configOf(project), config) })
}

/** Deletes the project with all rows that belong to it. */
export function deleteProject({ database }: OpenEngine, { id }: ProjectRow): void {
  for (const table of Object.values(database.of(id))) table.clear()
  // Its signing key stays, so that tokens which it signed are still recognised.
  database.projects.delete(id)
  const owners = database.of(internalProjectId).users
  for (const user of owners.filter(({ serverMetadata }) => managedProjectIds(serverMetadata).includes(id)))
    manage(database, user, ids => ids.filter(other => other !== id))
}

/** The projects that the user manages: newest first, where the hosted platform has no order. */
export function managedProjects({ database }: OpenEngine, owner: UserRow): ProjectRow[] {
  return database.projects.filter(({ id }) => managesProject(database, owner, id)).reverse()
}

/** A change that does not mention localhost sets it to allowed, as on the hosted platform. A theme may be named by its id. */
function changedConfig(current: ProjectConfig, changes: ProjectInput['config'] = {}): ProjectConfig {
  const changed = { ...current, allowLocalhost: true, ...(presentIn(changes) as Partial<ProjectConfig>) }
  const oauthProviders = changed.oauthProviders.map(each => ({ ...each, ...keptOf(current, each.id) }))
  return { ...changed, oauthProviders }
}

/** The fields of a provider that this call cannot change: they stay. */
function keptOf(config: ProjectConfig, id: string): Partial<OAuthProviderConfig> {
  const { type, provider, allowSignIn, allowConnectedAccounts, issuerUrl, scope, displayName } =
    providerConfig(config, id) ?? {}
  const kept = presentIn({ provider, allowSignIn, allowConnectedAccounts, issuerUrl, scope, displayName })
  return { ...(type === 'custom_oidc' && { type }), ...kept }
}

function manage(database: Database, user: UserRow, change: (ids: readonly unknown[]) => readonly unknown[]): void {
  const { users } = database.of(internalProjectId)
  const { serverMetadata } = users.get(user.id) ?? user
  const others = typeof serverMetadata === 'object' && serverMetadata !== null ? serverMetadata : {}
  const metadata: unknown = { ...others, managedProjectIds: change(managedProjectIds(serverMetadata)) }
  // The app's type for metadata does not include the list of projects, which the platform keeps in "internal".
  users.patch(user.id, { serverMetadata: metadata })
}
