import type { DataSnapshot } from '../data/journal'
import type { Row } from '../data/table'
import { localOf, newConfig, withChanges } from './project-config'
import { isOlder, newProjectConfig } from './projects'
import type { ProjectConfig, StoredConfig } from './projects'
import type { PermissionDefinitionRow } from './teams'

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
