import * as v from 'valibot'
import { isRecord } from '../../core/values'
import { defaultThemeId } from '../../entities/config/shape'
import { flatParts } from '../../entities/config/shape-derive'
import { at, changed, flattened, put, rendered, unsetConfig, without, type ConfigTree } from './config-override'
import { themeIds, themeOf } from './emails'
import { newProjectConfig } from './projects'
import type { EmailConfig, OAuthProviderConfig, ProjectConfig, ProjectRow, SignUpRule } from './projects'
import type { StoredConfig, StoredOverride } from './projects'
import { rulesOf, type WholeRule } from './sign-up-rules'
import { standardPermissions, type PermissionDefinitionRow } from './teams'

/** The parts of a configuration that the older calls read and write. */
export interface Configured {
  readonly config: ProjectConfig
  readonly permissions: readonly PermissionDefinitionRow[]
}

type Entries<T> = Readonly<Record<string, T>>
type HasConfig = Pick<ProjectRow, 'config'>

/** Rows are never mutated, so each stored configuration is read once. */
const readings = new WeakMap<StoredConfig, Configured & { readonly rendered: Readonly<ConfigTree> }>()

/** The rendered configuration of the project, and what the older calls show of it. */
export function configuredIn({ config }: HasConfig) {
  const known = readings.get(config)
  if (known) return known
  const tree = rendered([config.project, config.branch, config.environment])
  const reading = { rendered: tree, config: configIn(tree, config.local), permissions: permissionsIn(tree) }
  readings.set(config, reading)
  return reading
}

/** The settings of the project in the flat form. */
export function configOf(project: HasConfig): ProjectConfig {
  return configuredIn(project).config
}

/** The one setting that belongs to the level below. */
const keyDemand = 'project.requirePublishableClientKey'

/** The configuration of a new project, whose environment has every setting. */
export function newConfig(config: ProjectConfig, permissions = standardPermissions, before?: unknown): StoredConfig {
  const unsaid = [
    keyDemand,
    ...(config.signUpRules.length === 0 ? ['auth.signUpRules'] : []),
    ...(config.signUpRulesDefaultAction === 'allow' ? ['auth.signUpRulesDefaultAction'] : []),
  ]
  const own = Object.entries(permissionsById(permissions)).map(([id, entry]): [string, unknown] => [
    `rbac.permissions.${id}`,
    entry,
  ])
  return {
    project: config.requirePublishableClientKey ? { [keyDemand]: true } : {},
    branch: {},
    environment: without(Object.fromEntries([...own, ...settingsByPath(config, before)]), unsaid),
    local: localOf(config),
  }
}

/** The settings that the hosted platform does not have. */
export function localOf({ anonymousSignUpEnabled, botChallengeToken }: ProjectConfig): StoredConfig['local'] {
  return { anonymousSignUpEnabled, botChallengeToken }
}

/** The configuration after a change by an older call, which is written into the environment where the rendered one differs. */
export function withChanges(stored: StoredConfig, changes: Partial<Configured>): StoredConfig {
  const before = configuredIn({ config: stored })
  const after = { ...before, ...changes }
  const newOf = (each: Configured) => newConfig(each.config, each.permissions, before.rendered)
  // As long as no call has written overrides, the project has those of a new one.
  if (JSON.stringify(newOf(before)) === JSON.stringify(stored)) return newOf(after)
  const [said, is] = [before, after].map(each => flattened(toTree(each, before.rendered))) as [ConfigTree, ConfigTree]
  const differing = [...new Set([...Object.keys(said), ...Object.keys(is)])]
    .filter(path => JSON.stringify(is[path]) !== JSON.stringify(said[path]))
    .map((path): [string, unknown] => [path, is[path] ?? null])
  return withSettings({ ...stored, local: localOf(after.config) }, Object.fromEntries(differing))
}

/** A null stays only if it hides the value of a lower level. */
function withSettings(stored: StoredConfig, settings: StoredOverride): StoredConfig {
  const { [keyDemand]: demand, ...rest } = settings
  const project = { ...stored.project, ...(demand !== undefined && { [keyDemand]: demand }) }
  const next = { ...stored, project, environment: changed(stored.environment, rest) }
  const nulls = Object.keys(rest).filter(path => rest[path] === null)
  const shorter = { ...next, environment: without(next.environment, nulls) }
  const [hiding, shown] = [next, shorter].map(config => configuredIn({ config }).rendered)
  const textAt = (config: unknown, path: string) => JSON.stringify(at(config, path.split('.')))
  const idle = nulls.filter(path => textAt(hiding, path) === textAt(shown, path))
  return { ...next, environment: without(next.environment, idle) }
}

/** A setting whose form in the tree is another than the flat one. `before` is its value in the tree until now. */
interface Translation<T> {
  readonly toTree: (flat: T, before: unknown) => unknown
  readonly toFlat: (value: unknown) => T
}

const grants: Translation<ProjectConfig['userDefaultPermissions']> = {
  toTree: list => granted(list.map(({ id }) => id)),
  toFlat: value => grantedIn(value).map(id => ({ id })),
}

const translations: { readonly [N in keyof ProjectConfig]?: Translation<ProjectConfig[N]> } = {
  teamCreatorDefaultPermissions: grants,
  teamMemberDefaultPermissions: grants,
  userDefaultPermissions: grants,
  domains: {
    toTree: domainsById,
    toFlat: value =>
      entriesIn(value).flatMap(([, { baseUrl, handlerPath }]) =>
        typeof baseUrl === 'string' ? [{ domain: baseUrl, handlerPath: handlerPath as string }] : [],
      ),
  },
  oauthProviders: {
    toTree: list => byId(list, toProvider),
    toFlat: value => entriesIn(value).map(([id, entry]) => fromProvider(id, entry)),
  },
  signUpRules: {
    toTree: signUpRules => byId(rulesOf({ signUpRules }), rule => rule),
    toFlat: value => entriesIn(value).map(([id, entry]) => fromRule(id, entry)),
  },
  emailConfig: {
    toTree: ({ type, ...server }) => (type === 'shared' ? { isShared: true } : { isShared: false, ...server }),
    toFlat: fromServer,
  },
  // A theme of the project's own is 'default-light' in the older form, and stays when that is written back.
  emailTheme: {
    toTree: (name, before = defaultThemeId) =>
      themeOf(before) === name ? before : ((themeIds as Entries<string>)[name] ?? name),
    toFlat: themeOf,
  },
}

function translationOf(name: string): Translation<unknown> | undefined {
  // Callers pass values of this name only.
  return translations[name as keyof ProjectConfig] as Translation<unknown> | undefined
}

function settingsByPath(config: ProjectConfig, before: unknown): [path: string, value: unknown][] {
  return flatParts().map(({ path, flat: { name } }) => {
    const value = config[name as keyof ProjectConfig]
    const translation = translationOf(name)
    return [path, translation ? translation.toTree(value, at(before, path.split('.'))) : value]
  })
}

function toTree({ config, permissions }: Configured, before: unknown): ConfigTree {
  const tree = unsetConfig()
  put(tree, ['rbac', 'permissions'], permissionsById(permissions))
  for (const [path, value] of settingsByPath(config, before)) put(tree, path.split('.'), value)
  return tree
}

function configIn(tree: ConfigTree, local: StoredConfig['local']): ProjectConfig {
  const flat = flatParts().flatMap(({ path, flat: { name, schema } }): [string, unknown][] => {
    const value = at(tree, path.split('.'))
    const translation = translationOf(name)
    if (translation) return [[name, translation.toFlat(value)]]
    return v.is(schema, value) ? [[name, value]] : []
  })
  return { ...newProjectConfig, ...(Object.fromEntries(flat) as Partial<ProjectConfig>), ...local }
}

function permissionsById(permissions: readonly PermissionDefinitionRow[]): Entries<object> {
  return byId(permissions, ({ id, scope, description, containedIds }) => ({
    id,
    ...{ scope, ...(description !== null && { description }), containedPermissionIds: granted(containedIds) },
  }))
}

function permissionsIn(tree: ConfigTree): PermissionDefinitionRow[] {
  return entriesIn(at(tree, ['rbac', 'permissions'])).flatMap(([id, entry]) => {
    const { scope, description, containedPermissionIds } = entry as Partial<PermissionDefinitionRow> & Entries<unknown>
    if (scope === undefined) return []
    return [{ id, scope, description: description ?? null, containedIds: grantedIn(containedPermissionIds) }]
  })
}

function granted(ids: readonly string[]): Entries<true> {
  return Object.fromEntries([...new Set(ids)].sort().map(id => [id, true]))
}

function grantedIn(entries: unknown): string[] {
  return Object.entries(isRecord(entries) ? entries : {}).flatMap(([id, isGranted]) => (isGranted === true ? [id] : []))
}

function entriesIn(record: unknown): [id: string, entry: Entries<unknown>][] {
  return Object.entries(isRecord(record) ? record : {}).filter((pair): pair is [string, Entries<unknown>] =>
    isRecord(pair[1]),
  )
}

function byId<T, E extends { readonly id: string }>(list: readonly T[], toEntry: (each: T) => E): Entries<object> {
  const entries = list.map(toEntry).map(({ id, ...entry }) => [id, entry] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** The domains by id. One that the project has already keeps its id; the id of another is made of its address. */
function domainsById(domains: ProjectConfig['domains'], before: unknown): Entries<object> {
  const known = entriesIn(before)
  const result: Record<string, object> = {}
  for (const { domain, handlerPath } of domains) {
    const [kept] = known.find(([id, { baseUrl }]) => baseUrl === domain && !(id in result)) ?? []
    const isTaken = (id: string) => id in result || known.some(([other]) => other === id)
    result[kept ?? newId(domain, isTaken)] = { baseUrl: domain, handlerPath }
  }
  return result
}

/** `a-example-com` for `https://a.example.com`. */
function newId(domain: string, isTaken: (id: string) => boolean): string {
  const address = domain.toLowerCase().replace(/^https?:/, '')
  // A name without letters of ASCII, such as `https://*`.
  const name = address.match(/[a-z0-9]+/g)?.join('-') ?? 'domain'
  let id = name
  for (let number = 2; isTaken(id); number++) id = `${name}-${number}`
  return id
}

function fromRule(id: string, entry: Entries<unknown>): SignUpRule {
  // A rule without a condition is passed over; one of a seed applies to every sign-up.
  const {
    enabled,
    displayName = '',
    priority,
    condition = '',
    action,
  } = entry as Partial<WholeRule> & Pick<WholeRule, 'enabled' | 'priority' | 'action'>
  const { type, message } = action
  return { id, enabled, displayName, priority, condition, action: type, ...(message !== undefined && { message }) }
}

function toProvider({ id, type, provider = id, ...own }: OAuthProviderConfig) {
  return {
    id,
    type: type === 'custom_oidc' ? type : provider,
    isShared: type === 'shared',
    allowSignIn: true,
    allowConnectedAccounts: true,
    ...own,
  }
}

function fromProvider(id: string, { type, isShared, allowSignIn, allowConnectedAccounts, ...own }: Entries<unknown>) {
  const provider: OAuthProviderConfig = {
    // The shape has checked them, and no provider is rendered without a type.
    ...(own as Partial<OAuthProviderConfig>),
    id,
    type: type === 'custom_oidc' ? type : isShared === true ? 'shared' : 'standard',
    ...(type !== id && type !== 'custom_oidc' && { provider: type as string }),
    ...(allowSignIn === false && { allowSignIn }),
    ...(allowConnectedAccounts === false && { allowConnectedAccounts }),
  }
  return provider
}

function fromServer(value: unknown): EmailConfig {
  const { isShared, host, port, username, password, senderName, senderEmail } = value as Omit<EmailConfig, 'type'> &
    Entries<unknown>
  if (isShared === true) return { type: 'shared' }
  return { type: 'standard', host, port, username, password, senderName, senderEmail }
}
