import type * as v from 'valibot'
import { deleteUser } from './accounts'
import { managedProjectIds } from './authenticate'
import type { Engine } from './engine'
import { newProjectConfig } from './project-config'
import type { ProjectConfig } from './project-config'
import type { projectChanges } from './project-shapes'
import type { ProjectRow, UserRow } from './tables'

type ProjectChanges = v.InferOutput<v.ObjectSchema<typeof projectChanges, undefined>>

/** A project of its own with no keys yet; the user manages it. */
export function createProject(
  { tables, clock, isStrict }: Engine,
  owner: UserRow,
  changes: ProjectChanges & { readonly displayName: string },
): ProjectRow {
  const project = tables.projects.put({
    id: crypto.randomUUID(),
    displayName: changes.displayName,
    description: changes.description ?? '',
    isProductionMode: changes.isProductionMode ?? false,
    createdAt: clock.now(),
    config: changedConfig({ ...newProjectConfig, anonymousSignUpEnabled: !isStrict }, changes.config ?? {}),
  })
  manage(tables, owner, ids => [...ids, project.id])
  return project
}

export function changeProject({ tables }: Engine, project: ProjectRow, changes: ProjectChanges): ProjectRow {
  const { displayName, description, isProductionMode, config } = changes
  return tables.projects.put({
    ...project,
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(isProductionMode !== undefined && { isProductionMode }),
    ...(config !== undefined && { config: changedConfig(project.config, config) }),
  })
}

/** Everything that is the project's goes with it. */
export function deleteProject(engine: Engine, { id }: ProjectRow): void {
  const { tables } = engine
  const isOurs = (row: { readonly projectId: string }) => row.projectId === id
  for (const user of tables.users.filter(isOurs)) deleteUser(engine, user.id)
  for (const table of [tables.keySets, tables.contactChannels, tables.verificationCodes, tables.cliLogins])
    table.deleteWhere(isOurs)
  for (const table of [tables.oauthFlows, tables.authorizationCodes, tables.teams]) table.deleteWhere(isOurs)
  // Its signing key stays: tokens that it signed are still known for what they are.
  tables.projects.delete(id)
  for (const user of tables.users.filter(({ serverMetadata }) => managedProjectIds(serverMetadata).includes(id)))
    manage(tables, user, ids => ids.filter(other => other !== id))
}

/** The projects that the user manages, oldest first. */
export function managedProjects({ tables }: Engine, { serverMetadata }: UserRow): ProjectRow[] {
  const ids = managedProjectIds(serverMetadata)
  return tables.projects.filter(({ id }) => ids.includes(id))
}

/** A configuration that does not mention localhost allows it, whatever it was before: the hosted platform's way. */
function changedConfig(current: ProjectConfig, changes: Exclude<ProjectChanges['config'], undefined>): ProjectConfig {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, allowLocalhost: true, ...(Object.fromEntries(given) as Partial<ProjectConfig>) }
}

function manage(
  tables: Engine['tables'],
  user: UserRow,
  change: (ids: readonly unknown[]) => readonly unknown[],
): void {
  const { serverMetadata } = tables.users.get(user.id) ?? user
  const others = typeof serverMetadata === 'object' && serverMetadata !== null ? serverMetadata : {}
  const metadata: unknown = { ...others, managedProjectIds: change(managedProjectIds(serverMetadata)) }
  // The app's own type for metadata does not know of projects; those of "internal" are the platform's to write.
  tables.users.patch(user.id, { serverMetadata: metadata })
}
