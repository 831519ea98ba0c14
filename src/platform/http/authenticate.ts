import type { Access } from '../../transport/endpoint'
import { mainBranch, type Claims, type TokenCheck, type WireRestriction } from '../model/access-tokens'
import type { OpenEngine } from '../model/engine'
import { known, plain, refuse, type RefusedRequest } from '../model/refusal'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'
import type { UserRow } from '../model/users'

export interface Caller {
  readonly access: Access
  readonly project: ProjectRow
  readonly branchId: string
  /** Null without an access token, and if its user has been deleted. */
  readonly user: UserRow | null
  /** The claims of the access token, also if its user no longer exists. */
  readonly claims: Claims | null
}

export const accessLevels = ['client', 'server', 'admin'] as const

/** The project whose users own projects. */
export const internalProjectId = 'internal'

const keyOf = {
  client: {
    header: 'x-stack-publishable-client-key',
    field: 'publishableClientKey',
    missing: 'CLIENT_AUTHENTICATION_REQUIRED',
    invalid: 'INVALID_PUBLISHABLE_CLIENT_KEY',
    name: 'publishable client key',
  },
  server: {
    header: 'x-stack-secret-server-key',
    field: 'secretServerKey',
    missing: 'SERVER_AUTHENTICATION_REQUIRED',
    invalid: 'INVALID_SECRET_SERVER_KEY',
    name: 'secret server key',
  },
  admin: {
    header: 'x-stack-super-secret-admin-key',
    field: 'superSecretAdminKey',
    missing: 'ADMIN_AUTHENTICATION_REQUIRED',
    invalid: 'INVALID_SUPER_SECRET_ADMIN_KEY',
    name: 'super secret admin key',
  },
} as const

/** The caller that the headers name; null if they name no access type. The order of checks is the hosted platform's. */
export async function authenticate(headers: Headers, engine: OpenEngine): Promise<Caller | null> {
  // An empty header counts as none: apps of project owners send their key headers empty.
  const sent = (name: string) => headers.get(name) ?? ''
  const type = sent('x-stack-access-type')
  const access = accessLevels.find(level => level === type)
  const adminToken = sent('x-stack-admin-access-token')
  if (type === '') {
    if (adminToken === '' && accessLevels.every(level => sent(keyOf[level].header) === '')) return null
    throw known('PROJECT_KEY_WITHOUT_ACCESS_TYPE', 'A project key was sent without the header x-stack-access-type.')
  }
  if (!access) throw known('INVALID_ACCESS_TYPE', 'The header x-stack-access-type must be client, server or admin.')
  const projectId = sent('x-stack-project-id')
  if (projectId === '')
    throw known('ACCESS_TYPE_WITHOUT_PROJECT_ID', 'An access type was sent without the header x-stack-project-id.', {
      requestType: access,
    })
  const token = sent('x-stack-access-token')
  const claims = token === '' ? null : await verifyUserToken(engine, token, projectId)
  if (claims?.restriction) requireAdmission(claims.restriction, headers)
  if (engine.rules.namesUnknownProjects && !engine.database.projects.get(projectId))
    throw known('CURRENT_PROJECT_NOT_FOUND', `The header x-stack-project-id names no project: "${projectId}".`, {
      projectId,
    })
  const developerKey = engine.isStrict ? '' : sent('x-stack-development-override-key')
  const project =
    developerKey !== ''
      ? checkDeveloper(engine, developerKey, projectId)
      : adminToken !== ''
        ? await checkOwner(engine, adminToken, projectId)
        : checkKey(engine, access, projectId, sent(keyOf[access].header))
  const branchId = sent('x-stack-branch-id') || mainBranch
  const user =
    claims && claims.branchId === branchId ? (engine.database.of(projectId).users.get(claims.userId) ?? null) : null
  return { access, project, branchId, user, claims }
}

/** The user that "me" stands for. */
export function requireOwnUser({ user }: Pick<Caller, 'user'>): UserRow {
  return user ?? refuse(known('CANNOT_GET_OWN_USER_WITHOUT_USER', '"me" needs the access token of a user who exists.'))
}

/** A client may ask for its own user only, and not for all users. */
export function requireOwnId(caller: Caller, userId: string | undefined, refusal: string): void {
  if (caller.access === 'client' && userId !== requireOwnUser(caller).id) throw plain(403, refusal)
}

/** Refuses a client that has no user, or another one. */
export function requireSelf({ access, user }: Caller, userId: string, what: string): void {
  if (access !== 'client') return
  if (!user)
    throw known(
      'USER_AUTHENTICATION_REQUIRED',
      `${what.charAt(0).toUpperCase()}${what.slice(1)} need the access token of a user.`,
    )
  if (user.id !== userId) throw plain(403, `A client can use ${what} of its own user only.`)
}

/** Sent as OAuth client secret on the newer release, for a project that requires no publishable key. */
const publicClientSecret = '__stack_public_client__'

/** The project with this publishable key in force; OAuth sends both as client id and client secret. */
export function projectOfClient(engine: OpenEngine, projectId: string, key: string): ProjectRow | null {
  if (engine.rules.hasOptionalKey && key === publicClientSecret && engine.database.projects.get(projectId))
    return projectWithoutKey(engine, projectId)
  return (hasKey(engine, projectId, 'publishableClientKey', key) && engine.database.projects.get(projectId)) || null
}

/** Headers that admit a user with a limited token. The first one admits every user; only the newer release has them. */
export const admissionHeaders = ['x-stack-allow-anonymous-user', 'x-stack-allow-restricted-user'] as const

/** Checks the token, not the user's present state: after an address is verified, the app refreshes its token. */
function requireAdmission(restriction: WireRestriction, headers: Headers): void {
  const isAnonymous = restriction.type === 'anonymous'
  const admitting = isAnonymous ? admissionHeaders.slice(0, 1) : admissionHeaders
  if (admitting.some(name => headers.get(name) === 'true')) return
  if (isAnonymous)
    throw known(
      'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED',
      'The access token is of an anonymous user: send x-stack-allow-anonymous-user: true where that is meant.',
    )
  throw known(
    'RESTRICTED_USER_NOT_ALLOWED',
    `The user of the access token is restricted (${restriction.type}): send x-stack-allow-restricted-user: true where that is meant.`,
    { restrictedReason: restriction },
  )
}

async function verifyUserToken(engine: OpenEngine, token: string, projectId: string): Promise<Claims> {
  const verified = await engine.accessTokens.verify(token)
  if (verified.status === 'unparsable')
    throw known('UNPARSABLE_ACCESS_TOKEN', 'The access token is malformed or not signed by this platform.')
  if (verified.status === 'expired') throw accessTokenExpired(engine, verified)
  const { claims } = verified
  if (claims.projectId === projectId) return claims
  throw known('INVALID_PROJECT_FOR_ACCESS_TOKEN', 'The access token belongs to another project.', {
    expectedProjectId: projectId,
    actualProjectId: claims.projectId,
  })
}

export function accessTokenExpired(
  { rules }: OpenEngine,
  { expiredAt, claims }: Extract<TokenCheck, { readonly status: 'expired' }>,
): RefusedRequest {
  const whose = rules.tellsMore && claims
  return known('ACCESS_TOKEN_EXPIRED', `The access token expired at ${expiredAt.toISOString()}.`, {
    expiredAt,
    ...(whose && { projectId: whose.projectId, userId: whose.userId, refreshTokenId: whose.sessionId }),
  })
}

/** An unknown project is refused like a wrong key, so that requests cannot find out which projects exist. */
function checkKey(engine: OpenEngine, access: Access, projectId: string, key: string): ProjectRow {
  const { field, header, missing, invalid, name } = keyOf[access]
  if (key === '' && access === 'client' && engine.rules.hasOptionalKey) return projectWithoutKey(engine, projectId)
  if (key === '') throw known(missing, `Access type ${access} needs the header ${header}.`)
  const project = hasKey(engine, projectId, field, key) ? engine.database.projects.get(projectId) : undefined
  return project ?? refuse(known(invalid, `There is no project "${projectId}" with this ${name}.`, { projectId }))
}

function projectWithoutKey({ database }: OpenEngine, projectId: string): ProjectRow {
  const project = database.projects.get(projectId)
  if (project && !configOf(project).requirePublishableClientKey) return project
  throw known(
    'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT',
    `The project "${projectId}" demands its publishable client key.`,
    { projectId },
  )
}

/** The internal project's admin key gives every access to any project; only developers' servers send this header. */
function checkDeveloper(engine: OpenEngine, key: string, projectId: string): ProjectRow {
  if (!hasKey(engine, internalProjectId, 'superSecretAdminKey', key))
    throw plain(401, 'The development override key is not the super secret admin key of the project "internal".')
  const unknown = known('PROJECT_NOT_FOUND', `There is no project "${projectId}".`, { projectId })
  return engine.database.projects.get(projectId) ?? refuse(unknown)
}

type KeyField = (typeof keyOf)[Access]['field']

function hasKey({ database, clock }: OpenEngine, projectId: string, field: KeyField, key: string): boolean {
  const found = database.of(projectId).keySets.by(field, key)
  return found.some(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > clock.now())
}

/** Gives a user of the internal project every access level to a project that it manages. */
async function checkOwner(engine: OpenEngine, token: string, projectId: string): Promise<ProjectRow> {
  const { database, accessTokens } = engine
  const verified = await accessTokens.verify(token)
  if (verified.status === 'unparsable')
    throw known('UNPARSABLE_ADMIN_ACCESS_TOKEN', 'The admin access token is malformed or not signed by this platform.')
  if (verified.status === 'expired') {
    const { expiredAt } = verified
    const message = `The admin access token expired at ${expiredAt.toISOString()}.`
    throw known('ADMIN_ACCESS_TOKEN_EXPIRED', message, { expiredAt })
  }
  const { claims } = verified
  const isInternal = claims.projectId === internalProjectId
  const owner = database.of(internalProjectId).users.get(claims.userId)
  if (isInternal && !owner) throw plain(401, 'The user of the admin access token has been deleted.')
  if (!owner || !isInternal || !managesProject(database, owner, projectId))
    throw known('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN', 'The user of the admin access token does not manage this project.')
  const gone = 'The project of the admin access token no longer exists.'
  return database.projects.get(projectId) ?? refuse(known('INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN', gone))
}

/** The user of the project "internal" that the console is signed in as. It manages every project. */
export const consoleUserId = '00000000-0000-4000-8000-00000c0450e1'

/** Whether the user of the project "internal" is in the team that owns the project; without one, whether it made the project. */
export function managesProject(
  database: OpenEngine['database'],
  { id, serverMetadata }: UserRow,
  projectId: string,
): boolean {
  if (id === consoleUserId) return projectId !== internalProjectId
  const { ownerTeamId = '' } = database.projects.get(projectId) ?? {}
  const { teams, memberships } = database.of(internalProjectId)
  if (teams.get(ownerTeamId)) return memberships.get(`${ownerTeamId} ${id}`) !== undefined
  return managedProjectIds(serverMetadata).includes(projectId)
}

/** The project ids in an owner's metadata; of any type, since another program may have written it. */
export function managedProjectIds(serverMetadata: unknown): readonly unknown[] {
  const { managedProjectIds: ids } = Object(serverMetadata) as { readonly managedProjectIds?: unknown }
  return Array.isArray(ids) ? ids : []
}
