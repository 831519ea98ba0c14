import * as v from 'valibot'
import { items } from '../../core/wire'
import { platformOnly } from '../platform-only'
import { internalProjectId } from '../authenticate'
import type { Caller } from '../authenticate'
import { changeProject, createProject, deleteProject, managedProjects } from '../project-lifecycle'
import { projectChanges, ProjectForAdmins, toProjectForAdmins } from '../project-shapes'
import { known, plain } from '../refusal'
import { serve } from '../serve'
import type { UserRow } from '../tables'

const list = platformOnly('GET /internal/projects', { access: 'client', returns: items(ProjectForAdmins) })
const create = platformOnly('POST /internal/projects', {
  access: 'client',
  body: { ...projectChanges, displayName: v.string() },
  returns: ProjectForAdmins,
})
const read = platformOnly('GET /internal/projects/current', { access: 'admin', returns: ProjectForAdmins })
const update = platformOnly('PATCH /internal/projects/current', {
  access: 'admin',
  body: projectChanges,
  returns: ProjectForAdmins,
})
const remove = platformOnly('DELETE /internal/projects/current', { access: 'admin' })

export const internalProjectRoutes = [
  serve(list, {}, ({ engine, caller }) =>
    managedProjects(engine, ownerOf(caller)).map(project => toProjectForAdmins(engine, project)),
  ),

  serve(create, { status: 201 }, ({ engine, caller, input }) =>
    toProjectForAdmins(engine, createProject(engine, ownerOf(caller), input)),
  ),

  serve(read, {}, ({ engine, caller: { project } }) => toProjectForAdmins(engine, project)),

  serve(update, {}, ({ engine, caller: { project }, input }) =>
    toProjectForAdmins(engine, changeProject(engine, project, input)),
  ),

  serve(remove, {}, ({ engine, caller: { project } }) => {
    if (project.id === internalProjectId) throw plain(400, 'The project "internal" holds the owners of all others.')
    deleteProject(engine, project)
  }),
]

function ownerOf({ user, project }: Caller): UserRow {
  if (!user) throw known('USER_AUTHENTICATION_REQUIRED', 'Owning projects needs the access token of a user.')
  if (project.id !== internalProjectId)
    throw known('EXPECTED_INTERNAL_PROJECT', 'Owners of projects are users of the project "internal".')
  return user
}
