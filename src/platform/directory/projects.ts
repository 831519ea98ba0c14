import { presentIn } from '../../core/values'
import { fromBase64Url } from '../../core/encoding'
import { bareReply, type Reply } from '../http/reply'
import { isBase64Image } from '../model/limits'
import type { OpenEngine } from '../model/engine'
import type { ProjectRow, OAuthProviderConfig, ProjectConfig, StoredConfig, StoredOverride } from '../model/projects'
import { newProjectConfig, providerConfig, configLevels, withDefaults, isOlder } from '../model/projects'
import type * as v from 'valibot'
import type { adminProjectChanges } from '../../entities/projects/shape'
import { internalProjectId, managedProjectIds } from '../http/authenticate'
import { configOf, newConfig, configuredIn, withChanges, localOf, type Configured } from '../model/project-config'
import type { Database } from '../model/tables'
import type { UserRow } from '../model/users'
import type { ConfigLevel } from '../../entities/config/shape'
import { complaintAbout } from '../model/config-override'
import { plain } from '../model/refusal'
import type { PermissionDefinitionRow } from '../model/teams'
import type { DataSnapshot } from '../data/journal'
import type { Row } from '../data/table'

/** Changes settings, or all permissions, as the older calls do. */
export function changeSettings(engine: OpenEngine, project: ProjectRow, changes: Partial<Configured>): ProjectRow {
  return store(engine, project, withChanges(project.config, changes))
}

/** The override as it was sent. Refuses one that the level does not take; its nulls hide the values of lower levels. */
export function checkedOverride({ rules }: OpenEngine, level: ConfigLevel, sent: object): StoredOverride {
  const override = sent as StoredOverride
  const complaint = complaintAbout(override, { level, hasLaterFields: rules.hasLaterFields })
  if (complaint !== null) throw plain(400, complaint)
  return override
}

/** Stores the override of a level. A permission that is no longer defined is no default permission any more. */
export function storeLevel(
  engine: OpenEngine,
  project: ProjectRow,
  level: ConfigLevel,
  override: StoredOverride,
): void {
  const config = { ...project.config, [level]: override }
  const { permissions, config: settings } = configuredIn({ config })
  const isIn = (list: readonly PermissionDefinitionRow[], id: string) => list.some(each => each.id === id)
  const wasDefined = (id: string) =>
    isIn(configuredIn(project).permissions, id) ||
    configLevels.some(each => config[each][`rbac.permissions.${id}`] === null)
  const left = withDefaults(settings, defaults => defaults.filter(({ id }) => isIn(permissions, id) || !wasDefined(id)))
  store(engine, project, withChanges(config, { config: left }))
}

/** Stores the configuration, and takes the permissions that it no longer defines from users. */
function store({ database }: OpenEngine, project: ProjectRow, config: StoredConfig): ProjectRow {
  const { permissions } = configuredIn({ config })
  const { teamGrants, projectGrants } = database.of(project.id)
  for (const { id, scope } of configuredIn(project).permissions) {
    if (permissions.some(each => each.id === id && each.scope === scope)) continue
    teamGrants.deleteBy('permissionId', id)
    projectGrants.deleteBy('permissionId', id)
  }
  return database.projects.put({ ...project, config })
}

/** The data with the configuration of each project as it is stored now: older versions had its flat form and a table of permissions. */
export function upgraded<T extends object>(data: T): T {
  const { shared, projects } = data as Partial<DataSnapshot>
  if (!Array.isArray(shared?.['projects'])) return data
  const rows = (shared['projects'] as readonly OlderRow[]).map(({ configOverrides, selectedThemeId, ...row }) => {
    if (!isOlder(row.config)) return row
    const theme = selectedThemeId && { emailTheme: selectedThemeId as ProjectConfig['emailTheme'] }
    const config = { ...newProjectConfig, ...row.config, ...theme }
    const permissions = (projects?.[row.id]?.['permissionDefinitions'] ?? []) as readonly PermissionDefinitionRow[]
    const base = configOverrides ? { ...configOverrides, local: localOf(config) } : newConfig(config, permissions)
    return { ...row, config: withChanges(base, { config, permissions }) }
  })
  return { ...data, shared: { ...shared, projects: rows } }
}

interface OlderRow extends Row {
  readonly config: Partial<ProjectConfig> | StoredConfig
  readonly configOverrides?: Omit<StoredConfig, 'local'>
  readonly selectedThemeId?: string
}

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

export function fileOf({ id }: ProjectRow, name: string, origin: string): string {
  return `${origin}/files/${encodeURIComponent(id)}/${name}`
}

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
  for (const table of Object.values(database.of(id))) for (const row of table.rows()) table.delete(row.id)
  // Its signing key stays, so that tokens which it signed are still recognised.
  database.projects.delete(id)
  const owners = database.of(internalProjectId).users
  for (const user of owners.filter(({ serverMetadata }) => managedProjectIds(serverMetadata).includes(id)))
    manage(database, user, ids => ids.filter(other => other !== id))
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
  const managed = change(managedProjectIds(serverMetadata))
  const metadata: unknown = { ...(typeof serverMetadata === 'object' && serverMetadata), managedProjectIds: managed }
  // The app's type for metadata does not include the list of projects, which the platform keeps in "internal".
  users.patch(user.id, { serverMetadata: metadata })
}
