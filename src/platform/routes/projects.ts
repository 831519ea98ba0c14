import * as v from 'valibot'
import { presentIn } from '../../core/values'
import type { TokenKind } from '../model/access-tokens'
import { project$ } from '../../entities/projects/client'
import { publicSettings } from '../../entities/projects/shape'
import { endpoint } from '../../transport/endpoint'
import { plain, known } from '../model/refusal'
import { enabledProviders } from '../model/projects'
import { serve, servePublic } from '../http/serve'
import * as admin from '../../entities/projects/admin'
import * as owned from '../../entities/projects/client-owned'
import { internalProjectId, managesProject, type Caller } from '../http/authenticate'
import { changeProject, createProject, deleteProject } from '../directory/projects'
import { projectChecks, toOwnedProject, changesOf, newerProject, newerProjectChecks } from './project-shapes'
import type { UserRow } from '../model/users'
import { json } from '../../core/wire'
import type { PublicKey } from '../model/api-keys'
import { uuid } from '../model/limits'
import { hasTeamPermission } from '../directory/permissions'
import { requireReadableDomains } from '../directory/trusted-url'
import { requireMembership } from '../directory/teams'

const jwks = endpoint('GET /projects/{projectId}/.well-known/jwks.json', {
  access: 'client',
  returns: v.object({ keys: json<readonly PublicKey[]>() }),
})

const flag = v.optional(v.boolean())

/** The keys of limited tokens are returned on request only; every answer may be cached for an hour. */
const newer = {
  query: { includeAnonymous: flag, includeRestricted: flag },
  headers: { 'cache-control': 'public, max-age=3600' },
}

/** Other kits check a redirect of their own before they send it. */
const trusted = {
  config: v.object({
    ...publicSettings,
    enabledOauthProviders: v.array(v.object({ id: v.string() })),
    /** A field of releases later than 2.8.86. */
    allowLocalhost: v.optional(v.boolean()),
    domains: v.array(v.object({ domain: v.string(), handlerPath: v.string() })),
  }),
}

export const routes = [
  serve(project$, { newer: { answers: trusted } }, ({ engine: { rules, settings }, caller: { project } }) => ({
    ...project,
    config: {
      ...settings,
      enabledOauthProviders: enabledProviders(settings),
      allowLocalhost: rules.hasLaterFields ? settings.allowLocalhost : undefined,
    },
  })),

  servePublic(jwks, { newer }, async call => {
    const { projectId, includeAnonymous = false, includeRestricted = false } = call.input
    if (!call.engine.database.projects.get(projectId)) throw plain(404, 'There is no such project.')
    const kinds: TokenKind[] = ['regular']
    if (includeAnonymous || includeRestricted) kinds.push('restricted')
    if (includeAnonymous) kinds.push('anonymous')
    return { keys: await call.engine.accessTokens.publicKeys(projectId, kinds, call.engine.rules.limitsUsers) }
  }),

  serve(owned.ownedProjects$, { newer: { answers: newerProject } }, ({ engine, caller, origin }) => {
    const owner = ownerOf(caller)
    const managed = engine.database.projects.filter(({ id }) => managesProject(engine.database, owner, id))
    // Newest first, where the hosted platform has no order.
    return managed.reverse().map(project => toOwnedProject(engine, project, origin))
  }),

  serve(
    owned.createOwnedProject,
    {
      status: 201,
      body: projectChecks,
      newer: {
        // On the newer release, each project belongs to a team of its owners.
        body: { ...newerProjectChecks, ownerTeamId: uuid, isDevelopmentEnvironment: flag },
        later: ['isDevelopmentEnvironment'],
        answers: newerProject,
      },
    },
    ({ engine, caller, origin, input: { displayName, ownerTeamId, isDevelopmentEnvironment, ...input } }) => {
      const owner = ownerOf(caller)
      if (ownerTeamId !== undefined) requireMembership(engine, ownerTeamId, owner.id)
      const { changes, newer } = changesOf(engine, input)
      const made = createProject(engine, owner, { ...changes, displayName })
      const more = presentIn({ ownerTeamId, isDevelopmentEnvironment: isDevelopmentEnvironment || undefined })
      return toOwnedProject(engine, engine.database.projects.put({ ...made, ...newer, ...more }), origin)
    },
  ),

  serve(admin.adminProject$, { newer: { answers: newerProject } }, ({ engine, caller: { project }, origin }) => {
    requireReadableDomains(engine)
    return toOwnedProject(engine, project, origin)
  }),

  serve(
    admin.updateProject,
    { body: projectChecks, newer: { body: newerProjectChecks, answers: newerProject } },
    ({ engine, caller: { project }, origin, input: { displayName, ...input } }) => {
      const { changes, newer } = changesOf(engine, input, project)
      const changed = changeProject(engine, project, { ...changes, displayName })
      const written = engine.database.projects.put({ ...changed, ...newer })
      // Only the answer fails on the hosted platform.
      engine.keep()
      requireReadableDomains(engine)
      return toOwnedProject(engine, written, origin)
    },
  ),

  serve(admin.deleteProject, {}, ({ engine, caller: { project } }) => {
    if (project.id === internalProjectId)
      throw plain(400, 'The project "internal" cannot be deleted: its users own the other projects.')
    deleteProject(engine, project)
  }),
]

/** The user whose projects the request reads or changes. */
function ownerOf({ user, project }: Caller): UserRow {
  if (!user) throw known('USER_AUTHENTICATION_REQUIRED', 'Owning projects needs the access token of a user.')
  if (project.id !== internalProjectId)
    throw known('EXPECTED_INTERNAL_PROJECT', 'Owners of projects are users of the project "internal".')
  return user
}

export const newerRoutes = [
  serve(
    owned.transferOwnedProject,
    { body: { newTeamId: uuid }, answers: v.object({ success: v.literal('true') }) },
    ({ engine, caller, input: { projectId, newTeamId } }) => {
      const owner = ownerOf(caller)
      const { database } = engine
      const project = database.projects.get(projectId)
      if (!project) throw known('PROJECT_NOT_FOUND', `There is no project with the id ${projectId}.`, { projectId })
      const { ownerTeamId } = project
      if (ownerTeamId === undefined) throw plain(400, 'The project belongs to no team.')
      requireMembership(engine, ownerTeamId, owner.id)
      const admin = { teamId: ownerTeamId, userId: owner.id, permissionId: 'team_admin' }
      if (!hasTeamPermission(engine, admin))
        throw known('TEAM_PERMISSION_REQUIRED', 'Only an admin of the team that owns the project transfers it.', admin)
      requireMembership(engine, newTeamId, owner.id)
      database.projects.put({ ...project, ownerTeamId: newTeamId })
      return { success: 'true' as const }
    },
  ),
]
