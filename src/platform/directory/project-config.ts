import type { ConfigLevel } from '../../entities/config/shape'
import { changed, complaintAbout, reset } from '../model/config-override'
import type { OpenEngine } from '../model/engine'
import { configuredIn, withChanges, localOf, newConfig } from '../model/project-config'
import type { Configured } from '../model/project-config'
import { configLevels, withDefaults, isOlder, newProjectConfig } from '../model/projects'
import type { ProjectRow, StoredConfig, StoredOverride, ProjectConfig } from '../model/projects'
import { plain } from '../model/refusal'
import type { PermissionDefinitionRow } from '../model/teams'
import type { DataSnapshot } from '../data/journal'
import type { Row } from '../data/table'

/** Changes settings, or all permissions, as the older calls do. */
export function changeSettings(engine: OpenEngine, project: ProjectRow, changes: Partial<Configured>): ProjectRow {
  return store(engine, project, withChanges(project.config, changes))
}

/** Changes the override of a level. A null stays in the override and hides the values of lower levels. */
export function changeOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  const changes = checked(engine, level, config)
  storeLevel(engine, project, level, changed(project.config[level], changes))
}

/** Replaces the override of a level. */
export function replaceOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  storeLevel(engine, project, level, checked(engine, level, config))
}

/** Removes the keys from the override of a level, so that the values of lower levels apply. */
export function resetKeys(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, keys: readonly string[]): void {
  storeLevel(engine, project, level, reset(project.config[level], keys))
}

function checked({ rules }: OpenEngine, level: ConfigLevel, config: object): StoredOverride {
  const override = config as StoredOverride
  const complaint = complaintAbout(override, { level, hasLaterFields: rules.hasLaterFields })
  if (complaint !== null) throw plain(400, complaint)
  return override
}

/** Stores the override of a level. A permission that is no longer defined is no default permission any more. */
function storeLevel(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, override: StoredOverride): void {
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
