import * as v from 'valibot'
import { items } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { uuid } from '../model/limits'
import { NewerProject, newerChangesOf, newerProjectChanges, toNewerProject } from './newer-project'
import { managesProject } from '../http/authenticate'
import { changeProject, createProject, managedProjects } from '../directory/project-lifecycle'
import { plain } from '../model/refusal'
import { serve } from '../http/serve'
import { isMember } from '../directory/teams'
import { ownerOf } from './internal-projects'

const list = endpoint('GET /internal/projects', { access: 'client', returns: items(NewerProject) })

const create = endpoint('POST /internal/projects', {
  access: 'client',
  body: { ...newerProjectChanges, displayName: v.string(), ownerTeamId: uuid() },
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
  serve(list, {}, ({ engine, caller }) =>
    managedProjects(engine, ownerOf(caller)).map(project => toNewerProject(engine, project)),
  ),

  serve(create, { status: 201 }, ({ engine, caller, input: { displayName, ownerTeamId, ...input } }) => {
    const owner = ownerOf(caller)
    if (!isMember(engine.tables, ownerTeamId, owner.id)) throw plain(403, 'The user is not a member of the owner team.')
    const { changes, newer } = newerChangesOf(input)
    const made = createProject(engine, owner, { ...changes, displayName })
    return toNewerProject(engine, engine.database.projects.put({ ...made, ...newer, ownerTeamId }))
  }),

  serve(transfer, {}, ({ engine, caller, input: { projectId, newTeamId } }) => {
    const owner = ownerOf(caller)
    const { database, tables } = engine
    const project = database.projects.get(projectId)
    if (!project || !managesProject(database, owner, projectId)) throw plain(403, 'The user owns no such project.')
    if (!isMember(tables, newTeamId, owner.id)) throw plain(403, 'The user is not a member of the new team.')
    database.projects.put({ ...project, ownerTeamId: newTeamId })
    return { success: 'true' as const }
  }),

  serve(read, {}, ({ engine, caller: { project } }) => toNewerProject(engine, project)),

  serve(change, {}, ({ engine, caller: { project }, input: { displayName, ...input } }) => {
    const { changes, newer } = newerChangesOf(input)
    const changed = changeProject(engine, project, { ...changes, displayName })
    return toNewerProject(engine, engine.database.projects.put({ ...changed, ...newer }))
  }),
]
