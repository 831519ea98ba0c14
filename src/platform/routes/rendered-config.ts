import { themeIds } from '../mail/email-themes'
import { deleteDefinition } from '../directory/permission-definitions'
import { isSystemPermission } from '../model/system-permissions'
import type { OpenEngine } from '../model/engine'
import { inProject } from '../model/engine'
import { at, changed, flattened, renderedOver, without } from '../model/config-override'
import { complaintAboutPath, complaintAt } from '../model/config-shape'
import type { ConfigLevel, ConfigOverride, ConfigOverrides, ProjectRow } from '../model/project-tables'
import { plain } from '../model/refusal'
import type { ProjectConfig } from '../model/project-config'
import type { PermissionDefinitionRow } from '../model/team-tables'
import { defaultConfig, toConfig } from './config-of-project'
import type { Configured } from './config-of-project'
import { fromConfig } from './project-of-config'

const none: ConfigOverrides = { project: {}, branch: {}, environment: {} }

/**
 * The overrides of a project and the configuration that they give. Settings that another call has changed since, such as that
 * of the project or of a permission, are in the override of the environment.
 */
export function configOf(engine: OpenEngine, project: ProjectRow) {
  const written = project.configOverrides ?? none
  const rendered = render(written)
  const permissions = engine.database.of(project.id).permissionDefinitions.rows()
  const said = flattened(toConfig(fromConfig(rendered, project.config), rendered))
  const is = flattened(toConfig({ config: project.config, permissions }, rendered))
  const differing = [...new Set([...Object.keys(said), ...Object.keys(is)])]
    .filter(path => JSON.stringify(is[path]) !== JSON.stringify(said[path]))
    .map(path => [path, is[path] ?? null] as const)
  if (differing.length === 0) return { overrides: written, rendered }
  const overrides = withChanges(written, 'environment', Object.fromEntries(differing))
  return { overrides, rendered: render(overrides) }
}

/** Changes the override of a level, and the project with it; null hides what lower levels say. */
export function changeOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  write(engine, project, withChanges(configOf(engine, project).overrides, level, checked(config)))
}

/** Replaces the override of a level, and changes the project with it. */
export function replaceOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  const { overrides } = configOf(engine, project)
  write(engine, project, withChanges({ ...overrides, [level]: {} }, level, checked(config)))
}

/** Takes the keys out of the override of a level: then lower levels decide. */
export function resetKeys(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, keys: readonly string[]): void {
  for (const key of keys) refuse(complaintAboutPath(key.split('.')))
  const { overrides } = configOf(engine, project)
  write(engine, project, { ...overrides, [level]: without(overrides[level], keys) })
}

function checked(config: object): ConfigOverride {
  const paths = flattened(config as Readonly<Record<string, unknown>>)
  for (const [path, value] of Object.entries(paths)) refuse(complaintAt(path.split('.'), value))
  return paths
}

function withChanges(overrides: ConfigOverrides, level: ConfigLevel, changes: ConfigOverride): ConfigOverrides {
  const next = { ...overrides, [level]: changed(overrides[level], changes) }
  const nulls = Object.keys(next[level]).filter(path => next[level][path] === null)
  if (nulls.length === 0) return next
  // A null stays only where it hides something.
  const [hiding, shown] = [render(next), render({ ...next, [level]: without(next[level], nulls) })]
  const textAt = (config: unknown, path: string) => JSON.stringify(at(config, path.split('.')))
  const idle = nulls.filter(path => textAt(hiding, path) === textAt(shown, path))
  return { ...next, [level]: without(next[level], idle) }
}

function render({ project, branch, environment }: ConfigOverrides) {
  return renderedOver(defaultConfig(), [project, branch, environment])
}

function write(engine: OpenEngine, project: ProjectRow, configOverrides: ConfigOverrides): void {
  const rendered = render(configOverrides)
  const permissions = engine.database.of(project.id).permissionDefinitions.rows()
  const levels = Object.values(configOverrides)
  const wanted = withoutGrantsOf(fromConfig(rendered, project.config), id => {
    return permissions.some(row => row.id === id) || levels.some(level => level[`rbac.permissions.${id}`] === null)
  })
  const theme = themeIds[wanted.config.emailTheme]
  if (at(rendered, ['emails', 'selectedThemeId']) !== theme)
    refuse('The key "emails.selectedThemeId" is not valid: the local platform has the two standard themes only.')
  const complaint = complaintAbout(wanted)
  // A seed may have left the project so.
  if (complaint !== complaintAbout({ config: project.config, permissions })) refuse(complaint)
  definePermissions(engine, project, wanted.permissions)
  const present = engine.database.projects.get(project.id) ?? project
  engine.database.projects.put({ ...present, config: wanted.config, configOverrides })
}

/** Without default permissions that the project has no more, as when a permission is deleted. */
function withoutGrantsOf({ config, permissions }: Configured, wasDefined: (id: string) => boolean): Configured {
  const present = (defaults: ProjectConfig['userDefaultPermissions']) =>
    defaults.filter(({ id }) => permissions.some(each => each.id === id) || !wasDefined(id))
  return {
    permissions,
    config: {
      ...config,
      teamCreatorDefaultPermissions: present(config.teamCreatorDefaultPermissions),
      teamMemberDefaultPermissions: present(config.teamMemberDefaultPermissions),
      userDefaultPermissions: present(config.userDefaultPermissions),
    },
  }
}

/** Why settings that are valid one by one are not valid together. */
function complaintAbout({ config, permissions }: Configured): string | null {
  const { type, ...server } = config.emailConfig
  const field = mailFields.find(name => server[name] === undefined || server[name] === '')
  if (type === 'standard' && field !== undefined)
    return `The key "emails.server" is not valid: it needs "${field}" where it is not shared.`
  for (const { id, type: keys, clientId, clientSecret, issuerUrl } of config.oauthProviders) {
    if (keys !== 'shared' && (!clientId || !clientSecret))
      return `The key "auth.oauth.providers.${id}" is not valid: it needs "clientId" and "clientSecret" where it is not shared.`
    if (keys === 'custom_oidc' && !issuerUrl)
      return `The key "auth.oauth.providers.${id}" is not valid: a provider of type custom_oidc needs "issuerUrl".`
  }
  for (const { id, scope, containedIds } of permissions)
    for (const contained of containedIds)
      if (!permissions.some(each => each.id === contained && each.scope === scope) && !isSystem(scope, contained))
        return `The key "rbac.permissions.${id}" is not valid: the project has no permission "${contained}" of a ${scope}.`
  return null
}

const mailFields = ['host', 'port', 'username', 'password', 'senderName', 'senderEmail'] as const

function isSystem(scope: PermissionDefinitionRow['scope'], id: string): boolean {
  return scope === 'team' && isSystemPermission(id)
}

function definePermissions(engine: OpenEngine, { id }: ProjectRow, wanted: readonly PermissionDefinitionRow[]): void {
  const here = inProject(engine, id)
  const { permissionDefinitions } = here.tables
  for (const row of permissionDefinitions.rows())
    if (!wanted.some(each => each.id === row.id && each.scope === row.scope)) deleteDefinition(here, row.scope, row.id)
  for (const row of wanted)
    if (JSON.stringify(permissionDefinitions.get(row.id)) !== JSON.stringify(row)) permissionDefinitions.put(row)
}

function refuse(complaint: string | null): void {
  if (complaint !== null) throw plain(400, complaint)
}
