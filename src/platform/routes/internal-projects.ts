import { adminProject$, deleteProject as remove, updateProject } from '../../entities/projects/admin'
import { createOwnedProject, ownedProjects$ } from '../../entities/projects/client-owned'
import { internalProjectId } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import { changeProject, createProject, deleteProject, managedProjects } from '../directory/project-lifecycle'
import { projectChecks, toOwnedProject } from './project-shapes'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import type { UserRow } from '../model/user-tables'

export const internalProjectRoutes = [
  serve(ownedProjects$, {}, ({ engine, caller }) =>
    managedProjects(engine, ownerOf(caller)).map(project => toOwnedProject(engine, project)),
  ),

  serve(createOwnedProject, { status: 201, body: projectChecks }, ({ engine, caller, input }) =>
    toOwnedProject(engine, createProject(engine, ownerOf(caller), input)),
  ),

  serve(adminProject$, {}, ({ engine, caller: { project } }) => toOwnedProject(engine, project)),

  serve(updateProject, { body: projectChecks }, ({ engine, caller: { project }, input }) =>
    toOwnedProject(engine, changeProject(engine, project, input)),
  ),

  serve(remove, {}, ({ engine, caller: { project } }) => {
    if (project.id === internalProjectId)
      throw plain(400, 'The project "internal" cannot be deleted: its users own the other projects.')
    deleteProject(engine, project)
  }),
]

/** The user whose projects the request reads or changes. */
export function ownerOf({ user, project }: Caller): UserRow {
  if (!user) throw known('USER_AUTHENTICATION_REQUIRED', 'Owning projects needs the access token of a user.')
  if (project.id !== internalProjectId)
    throw known('EXPECTED_INTERNAL_PROJECT', 'Owners of projects are users of the project "internal".')
  return user
}
