import * as v from 'valibot'
import { items } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { uuid } from '../model/limits'
import { NewerProject, newerChangesOf, newerProjectChanges, toNewerProject } from './newer-project'
import { changeProject, createProject, managedProjects } from '../directory/project-lifecycle'
import { hasTeamPermission } from '../directory/permissions'
import { requireReadableDomains } from '../directory/trusted-url'
import type { Engine } from '../model/engine'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import { isMember } from '../directory/teams'
import { ownerOf } from './internal-projects'

const list = endpoint('GET /internal/projects', { access: 'client', returns: items(NewerProject) })

const create = endpoint('POST /internal/projects', {
  access: 'client',
  body: {
    ...newerProjectChanges,
    displayName: v.string(),
    ownerTeamId: uuid(),
    isDevelopmentEnvironment: v.optional(v.boolean()),
  },
  returns: NewerProject,
})

const transfer = endpoint('POST /internal/projects/transfer', {
  access: 'client',
  body: { projectId: v.string(), newTeamId: uuid() },
  returns: v.object({ success: v.literal('true') }),
})

const read = endpoint('GET /internal/projects/current', { access: 'admin', returns: NewerProject })

const change = endpoint('PATCH /internal/projects/current', {
  access: 'admin',
  body: { ...newerProjectChanges, displayName: v.optional(v.string()) },
  returns: NewerProject,
})

/** The newer release's projects; each belongs to a team of its owners. */
export const newerProjectRoutes = [
  serve(list, {}, ({ engine, caller, origin }) =>
    managedProjects(engine, ownerOf(caller)).map(project => toNewerProject(engine, project, origin)),
  ),

  serve(
    create,
    { status: 201, newer: { later: ['isDevelopmentEnvironment'] } },
    ({ engine, caller, origin, input: { displayName, ownerTeamId, ...input } }) => {
      const owner = ownerOf(caller)
      requireMember(engine, ownerTeamId, owner.id)
      const { isDevelopmentEnvironment, ...given } = input
      const { changes, newer } = newerChangesOf(given)
      const made = createProject(engine, owner, { ...changes, displayName })
      return toNewerProject(
        engine,
        engine.database.projects.put({
          ...made,
          ...newer,
          ownerTeamId,
          ...(isDevelopmentEnvironment && { isDevelopmentEnvironment }),
        }),
        origin,
      )
    },
  ),

  serve(transfer, {}, ({ engine, caller, input: { projectId, newTeamId } }) => {
    const owner = ownerOf(caller)
    const { database, tables } = engine
    const project = database.projects.get(projectId)
    if (!project) throw known('PROJECT_NOT_FOUND', `There is no project with the id ${projectId}.`, { projectId })
    const { ownerTeamId } = project
    if (ownerTeamId === undefined) throw plain(400, 'The project belongs to no team.')
    requireMember(engine, ownerTeamId, owner.id)
    const admin = { teamId: ownerTeamId, userId: owner.id, permissionId: 'team_admin' }
    if (!hasTeamPermission(tables, admin))
      throw known('TEAM_PERMISSION_REQUIRED', 'Only an admin of the team that owns the project transfers it.', admin)
    requireMember(engine, newTeamId, owner.id)
    database.projects.put({ ...project, ownerTeamId: newTeamId })
    return { success: 'true' as const }
  }),

  serve(read, {}, ({ engine, caller: { project }, origin }) => {
    requireReadableDomains(engine, project)
    return toNewerProject(engine, project, origin)
  }),

  serve(change, {}, ({ engine, caller: { project }, origin, input: { displayName, ...input } }) => {
    const { changes, newer } = newerChangesOf(input, project)
    const changed = changeProject(engine, project, { ...changes, displayName })
    const written = engine.database.projects.put({ ...changed, ...newer })
    // Only the answer fails on the hosted platform.
    engine.keep()
    requireReadableDomains(engine, written)
    return toNewerProject(engine, written, origin)
  }),
]

/** The same for a team of others and for one that does not exist. */
function requireMember({ tables }: Engine, teamId: string, userId: string): void {
  if (isMember(tables, teamId, userId)) return
  throw known('TEAM_MEMBERSHIP_NOT_FOUND', `The user ${userId} is not a member of the team ${teamId}.`, {
    teamId,
    userId,
  })
}
