import type { ConfigLevel } from '../../entities/config/shape'
import { flatParts } from '../../entities/config/shape-derive'
import { deleteDefinition } from '../directory/permission-definitions'
import { themeIds } from '../mail/email-themes'
import { tsxThemes } from '../mail/tsx-mail'
import { tsxTemplates } from '../mail/tsx-templates'
import type { Engine, OpenEngine } from '../model/engine'
import { inProject } from '../model/engine'
import { at, changed, complaintAbout, flattened, rendered as renderedOf, reset, without } from '../model/config-override'
import type { StoredOverride, ConfigOverrides, ProjectConfig, ProjectRow } from '../model/projects'
import { plain } from '../model/refusal'
import type { PermissionDefinitionRow } from '../model/teams'
import { fromConfig, toConfig } from './config-flat'
import type { Configured } from './config-flat'

/**
 * The overrides of a project and the configuration that results from them. The override of the environment has all settings of
 * a new project. It also has the settings that other calls change, such as those of the project or of a permission.
 */
export function configOf(engine: OpenEngine, project: ProjectRow) {
  const permissions = engine.database.of(project.id).permissionDefinitions.rows()
  const written = project.configOverrides ?? settingsOf({ config: project.config, permissions })
  const rendered = render(written)
  const said = flattened(toConfig(fromConfig(rendered, project.config), rendered))
  const is = flattened(toConfig({ config: project.config, permissions }, rendered))
  const differing = [...new Set([...Object.keys(said), ...Object.keys(is)])]
    .filter(path => JSON.stringify(is[path]) !== JSON.stringify(said[path]))
    .map((path): [string, unknown] => [path, is[path] ?? null])
  const { selectedThemeId } = project
  if (selectedThemeId !== undefined && at(rendered, ['emails', 'selectedThemeId']) !== selectedThemeId)
    differing.push(['emails.selectedThemeId', selectedThemeId])
  if (differing.length === 0) return { overrides: written, rendered }
  const overrides = withSettings(written, Object.fromEntries(differing))
  return { overrides, rendered: render(overrides) }
}

/** The configuration with the themes and templates of the project, and with one of its themes as the selected one. */
export function renderedWithMails(engine: Engine, project: ProjectRow): object {
  const { rendered } = configOf(engine, project)
  const shown = <T extends { readonly id: string }>(rows: readonly T[]) =>
    Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  const [themes, templates] = [shown(tsxThemes(engine)), shown(tsxTemplates(engine))]
  const emails = rendered['emails'] as Record<string, unknown>
  const selected = String(emails['selectedThemeId'])
  const selectedThemeId = Object.hasOwn(themes, selected) ? selected : themeIds['default-light']
  return { ...rendered, emails: { ...emails, selectedThemeId, themes, templates } }
}

/** Changes the override of a level and the project. A null stays in the override and hides the values of lower levels. */
export function changeOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  const { overrides } = configOf(engine, project)
  const changes = checked(engine, level, config)
  write(engine, project, { ...overrides, [level]: changed(overrides[level], changes) })
}

/** Replaces the override of a level and changes the project. */
export function replaceOverride(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, config: object): void {
  const { overrides } = configOf(engine, project)
  write(engine, project, { ...overrides, [level]: checked(engine, level, config) })
}

/** Removes the keys from the override of a level, so that the values of lower levels apply. */
export function resetKeys(engine: OpenEngine, project: ProjectRow, level: ConfigLevel, keys: readonly string[]): void {
  const { overrides } = configOf(engine, project)
  write(engine, project, { ...overrides, [level]: reset(overrides[level], keys) })
}

function checked({ rules }: OpenEngine, level: ConfigLevel, config: object): StoredOverride {
  const override = config as StoredOverride
  const complaint = complaintAbout(override, { level, hasLaterFields: rules.hasLaterFields })
  if (complaint !== null) throw plain(400, complaint)
  return override
}

/** The one setting that belongs to the level below. */
const keyDemand = 'project.requirePublishableClientKey'

/** The settings as the platform writes them for a new project. */
function settingsOf(configured: Configured): ConfigOverrides {
  const rendered = toConfig(configured)
  const entries = (path: string) => Object.entries(at(rendered, path.split('.')) as StoredOverride)
  const flat = flatParts().map(({ path }): [string, unknown] => [path, at(rendered, path.split('.'))])
  const permissions = entries('rbac.permissions').map(([id, entry]) => [`rbac.permissions.${id}`, entry] as const)
  const environment = Object.fromEntries([...permissions, ...flat])
  const demands = environment[keyDemand]
  const unsaid = [
    keyDemand,
    ...(entries('auth.signUpRules').length === 0 ? ['auth.signUpRules'] : []),
    ...(environment[defaultAction] === 'allow' ? [defaultAction] : []),
  ]
  return { project: demands ? { [keyDemand]: true } : {}, branch: {}, environment: without(environment, unsaid) }
}

const defaultAction = 'auth.signUpRulesDefaultAction'

/** The overrides after a call that changes settings directly. A null stays only if it hides the value of a lower level. */
function withSettings(overrides: ConfigOverrides, settings: StoredOverride): ConfigOverrides {
  const { [keyDemand]: demand, ...rest } = settings
  const project = { ...overrides.project, ...(demand !== undefined && { [keyDemand]: demand }) }
  const next = { ...overrides, project, environment: changed(overrides.environment, rest) }
  const nulls = Object.keys(rest).filter(path => rest[path] === null)
  if (nulls.length === 0) return next
  const shorter = { ...next, environment: without(next.environment, nulls) }
  const [hiding, shown] = [render(next), render(shorter)]
  const textAt = (config: unknown, path: string) => JSON.stringify(at(config, path.split('.')))
  const idle = nulls.filter(path => textAt(hiding, path) === textAt(shown, path))
  return { ...next, environment: without(next.environment, idle) }
}

function render({ project, branch, environment }: ConfigOverrides) {
  return renderedOf([project, branch, environment])
}

function write(engine: OpenEngine, project: ProjectRow, configOverrides: ConfigOverrides): void {
  const rendered = render(configOverrides)
  const permissions = engine.database.of(project.id).permissionDefinitions.rows()
  const levels = Object.values(configOverrides)
  const wanted = withoutGrantsOf(fromConfig(rendered, project.config), id => {
    return permissions.some(row => row.id === id) || levels.some(level => level[`rbac.permissions.${id}`] === null)
  })
  definePermissions(engine, project, wanted.permissions)
  const present = engine.database.projects.get(project.id) ?? project
  const selectedThemeId = String(at(rendered, ['emails', 'selectedThemeId']))
  engine.database.projects.put({ ...present, config: wanted.config, configOverrides, selectedThemeId })
}

/** Removes default permissions that no longer exist, such as after the deletion of a permission. */
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

function definePermissions(engine: OpenEngine, { id }: ProjectRow, wanted: readonly PermissionDefinitionRow[]): void {
  const here = inProject(engine, id)
  const { permissionDefinitions } = here.tables
  for (const row of permissionDefinitions.rows())
    if (!wanted.some(each => each.id === row.id && each.scope === row.scope)) deleteDefinition(here, row.scope, row.id)
  for (const row of wanted)
    if (JSON.stringify(permissionDefinitions.get(row.id)) !== JSON.stringify(row)) permissionDefinitions.put(row)
}
