import { DEV } from '../../core/dev'
import { isRecord } from '../../core/values'
import { isPlain } from '../../core/json-form'
import { invalidInput, isAuthError } from '../../errors/auth-error'
import { isDomain, notDomain } from '../projects/shape'

/**
 * A level of a project's configuration; each overrides those before it. 'branch' is that of a file in a repository,
 * 'environment' that of owners' changes.
 *
 * @example
 * const level: ConfigLevel = 'branch'
 * const override = await projectConfigOverride$(admin, { level }).get()
 */
export type ConfigLevel = 'project' | 'branch' | 'environment'

type Settings = Readonly<Record<string, unknown>>
/** Settings without these names; names that are not listed pass, since later releases have more. */
type Without<Names extends string> = Settings & { readonly [name in Names]?: never }
/** No dotted path to or below these. */
type NoPath<Paths extends string> = Without<Paths> & { readonly [path in `${Paths}.${string}`]: never }

type OfProject = 'project' | 'sourceOfTruth'
type Section = 'apiKeys' | 'apps' | 'auth' | 'emails' | 'onboarding' | 'payments' | 'rbac' | 'teams' | 'users'
type OfProvider = 'isShared' | 'clientId' | 'clientSecret' | 'facebookConfigId' | 'microsoftTenantId' | 'appleBundles'
type OfEnvironment = 'customDashboards' | 'emails.server' | 'payments.testMode' | 'analytics.queryFolders'

interface WithProviders<Provider> {
  readonly auth?: (Settings & { readonly oauth?: (Settings & Providers<Provider>) | null }) | null
}
interface Providers<Provider> {
  readonly providers?: Readonly<Record<string, (Provider & { readonly type: string }) | null>> | null
}

/**
 * What the level `project` says: nothing but `project` and `sourceOfTruth`.
 *
 * @example
 * const config: ProjectOverride = { project: { requirePublishableClientKey: true } }
 * await replaceProjectConfig(admin, { level: 'project', config })
 */
export type ProjectOverride = NoPath<Section | 'domains' | 'dbSync' | 'dataVault' | 'analytics' | 'customDashboards'>

/**
 * What the branch says, by dotted paths or objects within each other: everything but domains, the mail server, secrets of
 * providers, and the settings of the level `project`. Names that this type does not know are sent as they are.
 *
 * @example
 * const changes: BranchOverride = { auth: { otp: { allowSignIn: true } }, 'teams.allowClientTeamCreation': true }
 * await updateBranchConfig(server, { changes })
 */
export type BranchOverride = NoPath<OfProject | OfEnvironment> &
  WithProviders<Without<OfProvider>> & {
    readonly domains?: Readonly<Record<string, never>>
    readonly emails?: Without<'server'> | null
    readonly payments?: Without<'testMode'> | null
    readonly analytics?: Without<'queryFolders'> | null
    readonly [path: `domains.${string}`]: never
    readonly [path: `auth.oauth.providers.${string}.${OfProvider}`]: never
  }

/**
 * What the environment says, by dotted paths or objects within each other: everything but the settings of the level `project`.
 *
 * @example
 * const changes: EnvironmentOverride = { 'auth.otp.allowSignIn': true, 'domains.trustedDomains.old': null }
 * await updateProjectConfig(admin, { changes })
 */
export type EnvironmentOverride = Without<OfProject | 'project.requirePublishableClientKey'> & WithProviders<Settings>

/** The override of each level. */
export interface OverrideOf {
  readonly project: ProjectOverride
  readonly branch: BranchOverride
  readonly environment: EnvironmentOverride
}

/** The records whose entries a write replaces as a whole, with names of the fields of an entry. */
const records = {
  'auth.signUpRules': ['enabled', 'displayName', 'priority', 'condition', 'action'],
  'auth.oauth.providers': ['type', 'allowSignIn', 'allowConnectedAccounts', 'isShared', 'clientId', 'clientSecret'],
  'domains.trustedDomains': ['baseUrl', 'handlerPath'],
  'rbac.permissions': ['scope', 'description', 'containedPermissionIds'],
  'emails.templates': ['displayName', 'tsxSource', 'themeId'],
  'emails.themes': ['displayName', 'tsxSource'],
}

const secretOfProvider =
  /^auth\.oauth\.providers\.[^.]+\.(?:isShared|client(?:Id|Secret)|\w+(?:Config|Tenant)Id|appleBundles)$/
const places: readonly (readonly [takes: readonly ConfigLevel[], path: RegExp])[] = [
  [['project'], /^(?:project|sourceOfTruth)$/],
  [['environment'], /^(?:domains|customDashboards|emails\.server|payments\.testMode|analytics\.queryFolders)$/],
  [['environment'], secretOfProvider],
  [
    ['branch', 'environment'],
    /^(?:apiKeys|apps|auth|emails|onboarding|payments|rbac|teams|users|dbSync|dataVault|analytics)$/,
  ],
]

/** The levels that take a path, the lowest first; undefined for a path that this release of the kit does not know. */
export function levelsOf(path: string): readonly ConfigLevel[] | undefined {
  const above = pathsTo(path)
  return places.find(([, place]) => above.some(each => place.test(each)))?.[0]
}

/**
 * The changes by dotted path, as the platform merges them: objects are divided down to values, lists and entries of records.
 * Throws INVALID_INPUT, with the path, for what the level does not take.
 */
export function changesOf(field: string, level: ConfigLevel, given: Settings): Settings {
  const changes: Record<string, unknown> = Object.create(null) as never
  const collect = (path: string, value: unknown): void => {
    if (isRecord(value) && !entryAt(path))
      for (const [key, part] of Object.entries(value)) collect(`${path}.${key}`, part)
    else if (Object.hasOwn(changes, path)) throw invalidInput(`${field}.${path}`, DEV ? 'is named twice' : '')
    else changes[path] = value
  }
  for (const [key, value] of Object.entries(settingsOf(field, level, given))) collect(key, value)
  for (const path of Object.keys(changes))
    for (const above of pathsTo(path).slice(0, -1))
      if (Object.hasOwn(changes, above))
        throw invalidInput(
          `${field}.${path}`,
          DEV ? `is part of "${above}", which these changes replace as a whole` : '',
        )
  return changes
}

/** The settings as JSON has them. Throws INVALID_INPUT, with the path, for what the level does not take. */
export function settingsOf(field: string, level: ConfigLevel, given: Settings): Settings {
  if (!isRecord(given)) throw invalidInput(field, 'must be an object')
  const settings = asJson(field, given)
  const check = (path: string, value: unknown): void => {
    const complaint = complaintAbout(level, path, value)
    if (complaint !== undefined) throw invalidInput(`${field}.${path}`, complaint)
    if (!isRecord(value)) return
    for (const [key, part] of Object.entries(value)) {
      if (key.includes('.'))
        throw invalidInput(`${field}.${path}`, DEV ? `has the key "${key}": no id contains a dot` : '')
      check(`${path}.${key}`, part)
    }
  }
  for (const [key, value] of Object.entries(settings)) check(key, value)
  return settings
}

/** Why the level cannot be given this; the sentence continues the path. Undefined: it can, or the platform decides. */
function complaintAbout(level: ConfigLevel, path: string, value: unknown): string | undefined {
  if (!isRecord(value)) {
    const takes = levelsOf(path)
    if (takes?.includes(level) === false)
      return DEV ? `is a setting of the level ${takes.join(' and of ')}; ${level} does not take it` : ''
    if (/^domains\.trustedDomains\.[^.]+\.baseUrl$/.test(path) && typeof value === 'string' && !isDomain(value))
      return DEV ? notDomain(value) : ''
    return undefined
  }
  const { record, fields = [], below = '' } = entryAt(path) ?? {}
  if (below && !fields.includes(below) && fields.some(name => Object.hasOwn(value, name)))
    return DEV ? `names an entry of ${record} by an id with a dot, which no id has` : ''
  if (record === 'auth.oauth.providers' && !below && typeof value['type'] !== 'string')
    return DEV
      ? 'has no type, such as "github": the entry is replaced as a whole. One of its settings has its own path'
      : ''
  return undefined
}

/** The record of which the path names an entry or a part of one, and the path below the entry. */
export function entryAt(path: string): { record: string; fields: readonly string[]; below: string } | undefined {
  const found = Object.entries(records).find(([record]) => path.startsWith(`${record}.`))
  if (!found) return undefined
  const [record, fields] = found
  const [, ...below] = path.slice(record.length + 1).split('.')
  return { record, fields, below: below.join('.') }
}

/** The path and those above it, shortest first. */
function pathsTo(path: string): string[] {
  const keys = path.split('.')
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'))
}

function asJson(field: string, given: Settings): Settings {
  const strict = (key: string, value: unknown) => {
    const isJson =
      value === undefined ||
      value === null ||
      ['string', 'boolean'].includes(typeof value) ||
      Number.isFinite(value) ||
      Array.isArray(value) ||
      (isRecord(value) && isPlain(value))
    if (!isJson) throw invalidInput(`${field}.${key}`, DEV ? `is a ${typeof value} that JSON does not have` : '')
    return value
  }
  try {
    return JSON.parse(JSON.stringify(given, strict)) as Settings
  } catch (error) {
    throw isAuthError(error) ? error : invalidInput(field, DEV ? 'cannot be sent as JSON: it contains itself' : '')
  }
}
