import { localKeys, localProject } from '../../core/defaults'
import { orUndefined } from '../../core/values'
import type { GeoInfo } from '../../entities/sessions/client'
import { channelOf, createUser } from '../directory/users'
import { internalProjectId } from '../http/authenticate'
import { inProject, projectOf, type Engine } from '../model/engine'
import { hashPassword } from '../directory/passwords'
import { withDefinedDefaults } from '../directory/permissions'
import { changeSettings } from '../directory/projects'
import { configuredIn, newConfig } from '../model/project-config'
import { newProjectConfig, type ProjectConfig, type ProjectRow } from '../model/projects'
import type { Database, Tables } from '../model/tables'
import { normalizeEmail, type UserRow } from '../model/users'
import { startSession } from '../directory/sessions'
import { createTeam, join } from '../directory/teams'
import { internalKeys } from '../model/api-keys'
import { invalidInput, assertKnownNames } from '../../errors/auth-error'
import { entryId, segment } from '../../entities/config/shape'
import { firstRepeated } from '../model/sign-up-rules'

/** A user of the seed. */
export interface SeedUser {
  readonly id?: string
  readonly email?: string
  readonly password?: string
  readonly displayName?: string
  /** Whether the e-mail address is verified. Default false, as after a sign-up. */
  readonly verified?: boolean
  /** Base64. The user then needs a second factor to sign in. */
  readonly totpSecret?: string
  readonly serverMetadata?: unknown
  /** Restricted by an administrator; has an effect on the newer wire only. */
  readonly restricted?: boolean
  /** The user's existing sessions. */
  readonly sessions?: readonly SeedSession[]
}

/** A session in the user's list, to be shown and revoked. Its tokens are not given out. */
export interface SeedSession {
  /** Default: now. */
  readonly createdAt?: Date
  /** Default: when it was created. */
  readonly lastUsedAt?: Date
  readonly lastUsedFrom?: GeoInfo
}

/** A team of the seed. */
export interface SeedTeam {
  readonly id?: string
  readonly displayName: string
  readonly members?: readonly {
    readonly email: string
    /** Replaces the project's default permissions for members. */
    readonly permissions?: readonly string[]
  }[]
}

/** A permission of the project. It replaces the one with the same id: every project has team_admin and team_member. */
export interface SeedPermission {
  readonly id: string
  readonly scope: 'team' | 'project'
  /** Contained permissions of the same scope; team permissions may contain system permissions such as `$update_team`. */
  readonly contains?: readonly string[]
  readonly description?: string
}

/**
 * The initial or additional data of a platform. Tests can set ids to refer to them.
 *
 * @example
 * const seed: Seed = { users: [{ email: 'ada@example.com' }], teams: [{ displayName: 'Engineering' }] }
 * await platform.seed(seed)
 */
export interface Seed {
  readonly project?: {
    readonly id?: string
    readonly displayName?: string
    /** An http(s) or data URL; mails show the logo instead of the name. */
    readonly logoUrl?: string | null
    /** The colour of buttons and lines in mails, such as `#5b4bdb`. Default: the theme's colour. */
    readonly color?: string | null
    readonly config?: Partial<ProjectConfig>
  }
  readonly users?: readonly SeedUser[]
  readonly teams?: readonly SeedTeam[]
  readonly permissions?: readonly SeedPermission[]
  /** Users of the project `internal` who own the project; they sign in with `platform.ownerOptions`. */
  readonly owners?: readonly Omit<SeedUser, 'serverMetadata'>[]
}

/** The year 3000: an expiry date that lists can show and that never comes. */
const inThousandYears = 32_503_680_000_000

/** The local project and the internal one, with their keys. */
export function createProjects(
  database: Database,
  now: number,
  seed: Seed['project'],
  anonymousSignUpEnabled: boolean,
  ownersHaveTeams = false,
): ProjectRow {
  const { id = localProject.projectId, displayName = 'Local project', config, ...look } = seed ?? {}
  type KeyTexts = Readonly<Record<keyof typeof internalKeys, string>>
  const make = (row: Pick<ProjectRow, 'id' | 'displayName'>, settings: Partial<ProjectConfig>, keys: KeyTexts) => {
    const config = newConfig({ ...newProjectConfig, ...settings })
    const common = { description: '', isProductionMode: false, createdAt: now }
    database.of(row.id).keySets.put({
      id: crypto.randomUUID(),
      description: 'Local development',
      createdAt: now,
      ...keys,
      expiresAt: inThousandYears,
      revokedAt: null,
    })
    return database.projects.put({ ...row, ...common, config })
  }
  const { publishableClientKey } = localProject
  const project = make(
    { id, displayName, ...look },
    { anonymousSignUpEnabled, ...config },
    { publishableClientKey, ...localKeys },
  )
  if (id === internalProjectId) return project
  const oauthProviders = ['github', 'google', 'microsoft', 'spotify'].map(
    each => ({ id: each, type: 'shared' }) as const,
  )
  make(
    { id: internalProjectId, displayName: 'Stack Dashboard' },
    { magicLinkEnabled: true, anonymousSignUpEnabled: true, createTeamOnSignUp: ownersHaveTeams, oauthProviders },
    internalKeys,
  )
  return project
}

/** Adds permissions, users, teams and owners to the engine's project, and applies the seed's project settings. */
export async function plant(
  engine: Engine,
  { project: changes, users = [], teams = [], permissions = [], owners = [] }: Seed,
): Promise<void> {
  const { tables, database, projectId } = engine
  if (changes?.id !== undefined && changes.id !== projectId)
    throw new Error(`the project already has the id "${projectId}"; give another one to createPlatform`)
  const people = await hashed(engine, users)
  const serverMetadata = { managedProjectIds: [projectId] }
  const peopleOwning = await hashed(
    engine,
    owners.map(owner => ({ ...owner, serverMetadata })),
  )
  const current = projectOf(engine)
  const {
    displayName = current.displayName,
    logoUrl = current.logoUrl ?? null,
    color = current.color ?? null,
  } = changes ?? {}
  const present = configuredIn(current)
  const defined = permissions.map(({ contains = [], description = null, ...permission }) => {
    return { ...permission, description, containedIds: contains }
  })
  changeSettings(
    engine,
    { ...current, displayName, logoUrl, color },
    { config: { ...present.config, ...changes?.config }, permissions: [...present.permissions, ...defined] },
  )
  // A seed may name default permissions that requests define later, or that a test wants refused.
  const planting: Engine = { ...engine, settings: withDefinedDefaults(engine) }
  for (const [user, hash] of people) addUser(planting, user, hash)
  for (const { members = [], ...team } of teams) {
    const { id } = createTeam(engine, team)
    for (const { email, permissions: granted } of members) {
      const member = { teamId: id, userId: userByEmail(tables, email).id }
      join(planting, { ...member, as: 'member', granted })
    }
  }
  if (database.projects.get(internalProjectId))
    for (const [owner, hash] of peopleOwning) addUser(inProject(engine, internalProjectId), owner, hash)
}

function hashed({ passwordCost }: Engine, users: readonly SeedUser[]) {
  if (users.some(({ email, password }) => email === undefined && password !== undefined))
    throw new Error('a seeded user with a password needs an e-mail address')
  // As it is read at a sign-in: padding may be missing.
  const odd = users.find(({ totpSecret = '' }) => orUndefined(() => atob(totpSecret)) === undefined)
  if (odd) throw new Error(`the totpSecret of the seeded user "${odd.email ?? odd.id ?? ''}" must be base64`)
  return Promise.all(
    users.map(
      async user =>
        [user, user.password === undefined ? null : await hashPassword(user.password, passwordCost)] as const,
    ),
  )
}

/** The user with the address, whether or not it is used for sign-in. */
export function userByEmail(tables: Tables, email: string): UserRow {
  const channel = channelOf(tables, email)
  const user = channel && tables.users.get(channel.userId)
  if (user) return user
  throw new Error(`there is no user with the e-mail address "${email}"; seed one, or sign up first`)
}

function addUser(engine: Engine, seed: SeedUser, password: string | null): void {
  const { id, email, displayName = null, verified = false, totpSecret = null, serverMetadata = null } = seed
  const { restricted: restrictedByAdmin = false } = seed
  const user = createUser(engine, {
    ...(id !== undefined && { id }),
    ...(email !== undefined && { email: { value: email, isVerified: verified, usedForAuth: true } }),
    displayName,
    password,
    totpSecretBase64: totpSecret,
    requiresTotpMfa: totpSecret !== null,
    restrictedByAdmin,
    // The app's own type for metadata is unknown here.
    serverMetadata: structuredClone(serverMetadata) as never,
  })
  for (const { createdAt, lastUsedAt = createdAt, lastUsedFrom = null } of seed.sessions ?? []) {
    const { session } = startSession(engine, user)
    engine.tables.sessions.patch(session.id, {
      ...(createdAt && { createdAt: createdAt.getTime() }),
      ...(lastUsedAt && { lastUsedAt: lastUsedAt.getTime() }),
      lastUsedFrom,
    })
  }
}

const settings = Object.keys(newProjectConfig).join(' ')

/**
 * Throws INVALID_INPUT for an unknown name in a seed or its project, which would have no effect. Throws it also for an id that
 * no path of the configuration can have. Users and teams may have more names, because tests keep their own notes there.
 */
export function assertKnownSeed(seed: Seed | undefined): void {
  assertKnownNames(seed, 'project users teams permissions owners', 'seed.')
  assertKnownNames(seed?.project, 'id displayName logoUrl color config', 'seed.project.')
  assertKnownNames(seed?.project?.config, settings, 'seed.project.config.')
  const { signUpRules = [], oauthProviders = [] } = seed?.project?.config ?? {}
  assertIds(signUpRules, entryId, 'seed.project.config.signUpRules', 'must have letters, digits, _ and - only')
  assertIds(oauthProviders, entryId, 'seed.project.config.oauthProviders', 'must have letters, digits, _ and - only')
  assertIds(seed?.permissions ?? [], segment, 'seed.permissions', 'must have no dots')
  const repeated = firstRepeated(signUpRules)
  if (repeated !== undefined)
    throw invalidInput('seed.project.config.signUpRules', `must have different ids; two are "${repeated}"`)
}

function assertIds(list: readonly { readonly id?: string }[], form: RegExp, path: string, wanted: string): void {
  for (const [index, { id }] of list.entries())
    if (id !== undefined && !form.test(id)) throw invalidInput(`${path}[${index}].id`, `${wanted}; it is "${id}"`)
}

/** How to plant a seed. */
export interface PlantOptions {
  /**
   * Skips users, owners and teams that exist already, with everything that belongs to them. They exist if one has the
   * same id, or else the same e-mail address, or else the same display name.
   */
  readonly onlyMissing?: boolean
}

/** The part of the seed that the engine's project does not have yet. */
export function missingFrom({ tables, database }: Engine, seed: Seed): Seed {
  const { users = [], teams = [], owners = [] } = seed
  return {
    ...seed,
    users: users.filter(user => lacksUser(tables, user)),
    teams: teams.filter(({ id, displayName }) =>
      id !== undefined
        ? !tables.teams.get(id)
        : tables.teams.filter(team => team.displayName === displayName).length === 0,
    ),
    owners: owners.filter(owner => lacksUser(database.of(internalProjectId), owner)),
  }
}

function lacksUser({ users, contactChannels }: Tables, { id, email, displayName }: SeedUser): boolean {
  if (id !== undefined) return !users.get(id)
  if (email !== undefined) return !contactChannels.first('value', normalizeEmail(email))
  return users.filter(user => user.displayName === (displayName ?? null)).length === 0
}
