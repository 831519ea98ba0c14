import * as v from 'valibot'
import { isRecord } from '../../core/values'
import type { DataSnapshot } from '../data/journal'
import type { Row } from '../data/table'
import { flatParts } from '../../entities/config/shape-derive'
import { at, changed, flattened, put, rendered, unsetConfig, without } from './config-override'
import type { ConfigTree } from './config-override'
import { themeIds, themeOf } from './emails'
import { isOlder, newProjectConfig } from './projects'
import type { EmailConfig, OAuthProviderConfig, ProjectConfig, ProjectRow, SignUpRule } from './projects'
import type { StoredConfig, StoredOverride } from './projects'
import { defaultActionOf, rulesOf } from './sign-up-rules'
import type { WholeRule } from './sign-up-rules'
import { standardPermissions } from './teams'
import type { PermissionDefinitionRow } from './teams'

/** The forms of a configuration that the older calls have. */
export interface Configured {
  readonly config: ProjectConfig
  /** The theme of mails; `emailTheme` of the older form has two themes only. */
  readonly themeId: string
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
  const reading = { rendered: tree, ...fromConfig(tree, config.local) }
  readings.set(config, reading)
  return reading
}

/** The settings of the project in the flat form. */
export function configOf(project: HasConfig): ProjectConfig {
  return configuredIn(project).config
}

/** The configuration of a new project, whose environment has every setting. */
export function newConfig(config: ProjectConfig, given: Partial<Configured> = {}): StoredConfig {
  const tree = toConfig({ permissions: standardPermissions, themeId: themeIds[config.emailTheme], ...given, config })
  const entries = (path: string) => Object.entries(at(tree, path.split('.')) as StoredOverride)
  const flat = flatParts().map(({ path }): [string, unknown] => [path, at(tree, path.split('.'))])
  const own = entries('rbac.permissions').map(([id, entry]) => [`rbac.permissions.${id}`, entry] as const)
  const environment = Object.fromEntries([...own, ...flat])
  const demands = environment[keyDemand]
  const unsaid = [
    keyDemand,
    ...(entries('auth.signUpRules').length === 0 ? ['auth.signUpRules'] : []),
    ...(environment[defaultAction] === 'allow' ? [defaultAction] : []),
  ]
  return {
    project: demands ? { [keyDemand]: true } : {},
    branch: {},
    environment: without(environment, unsaid),
    local: localOf(config),
  }
}

/** The one setting that belongs to the level below. */
const keyDemand = 'project.requirePublishableClientKey'
const defaultAction = 'auth.signUpRulesDefaultAction'

function localOf({ anonymousSignUpEnabled, botChallengeToken }: ProjectConfig): StoredConfig['local'] {
  return { anonymousSignUpEnabled, botChallengeToken }
}

/** The configuration after a change by an older call, which is written into the environment where the rendered one differs. */
export function withChanges(stored: StoredConfig, changes: Partial<Configured>): StoredConfig {
  const before = configuredIn({ config: stored })
  const after = { ...before, ...changes }
  // As long as no call has written overrides, the project has those of a new one.
  const isNew = JSON.stringify(newConfig(before.config, before)) === JSON.stringify(stored)
  if (isNew) return newConfig(after.config, after)
  const [said, is] = [before, after].map(each => flattened(toConfig(each, before.rendered))) as [ConfigTree, ConfigTree]
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
  if (nulls.length === 0) return next
  const shorter = { ...next, environment: without(next.environment, nulls) }
  const [hiding, shown] = [next, shorter].map(config => configuredIn({ config }).rendered)
  const textAt = (config: unknown, path: string) => JSON.stringify(at(config, path.split('.')))
  const idle = nulls.filter(path => textAt(hiding, path) === textAt(shown, path))
  return { ...next, environment: without(next.environment, idle) }
}

/** The data with the configuration of each project as it is stored now: older versions had its flat form and a table of permissions. */
export function upgraded<T extends object>(data: T): T {
  const { shared, projects } = data as Partial<DataSnapshot>
  if (!Array.isArray(shared?.['projects'])) return data
  const rows = (shared['projects'] as readonly OlderRow[]).map(({ configOverrides, selectedThemeId, ...row }) => {
    if (!isOlder(row.config)) return row
    const config = { ...newProjectConfig, ...row.config }
    const permissions = (projects?.[row.id]?.['permissionDefinitions'] ?? []) as readonly PermissionDefinitionRow[]
    const base = configOverrides ? { ...configOverrides, local: localOf(config) } : newConfig(config, { permissions })
    const themeId = selectedThemeId ?? themeIds[config.emailTheme]
    return { ...row, config: withChanges(base, { config, permissions, themeId }) }
  })
  return { ...data, shared: { ...shared, projects: rows } }
}

interface OlderRow extends Row {
  readonly config: Partial<ProjectConfig> | StoredConfig
  readonly configOverrides?: Omit<StoredConfig, 'local'>
  readonly selectedThemeId?: string
}

/** The rendered configuration of these settings, in which a trusted domain keeps its id of `before`. */
function toConfig({ config, permissions, themeId }: Configured, before: unknown = {}): ConfigTree {
  const grants = (list: ProjectConfig['userDefaultPermissions']) => granted(list.map(({ id }) => id))
  const flat = flatParts().map(({ path, flat: { name } }) => [path, config[name as keyof ProjectConfig]] as const)
  const others = {
    'rbac.permissions': byId(permissions, ({ id, scope, description, containedIds }) => [
      id,
      { scope, ...(description !== null && { description }), containedPermissionIds: granted(containedIds) },
    ]),
    'rbac.defaultPermissions.teamCreator': grants(config.teamCreatorDefaultPermissions),
    'rbac.defaultPermissions.teamMember': grants(config.teamMemberDefaultPermissions),
    'rbac.defaultPermissions.signUp': grants(config.userDefaultPermissions),
    'domains.trustedDomains': domainsById(config.domains, at(before, ['domains', 'trustedDomains'])),
    'auth.oauth.providers': byId(config.oauthProviders, ({ id, type, provider = id, ...own }) => [
      id,
      {
        type: type === 'custom_oidc' ? type : provider,
        isShared: type === 'shared',
        allowSignIn: true,
        allowConnectedAccounts: true,
        ...own,
      },
    ]),
    'auth.signUpRules': byId(rulesOf(config), ({ id, ...rule }) => [id, rule]),
    'auth.signUpRulesDefaultAction': defaultActionOf(config),
    'emails.server': toServer(config.emailConfig),
    'emails.selectedThemeId': themeOf(themeId) === config.emailTheme ? themeId : themeIds[config.emailTheme],
  }
  const tree = unsetConfig()
  for (const [path, value] of [...flat, ...Object.entries(others)]) put(tree, path.split('.'), value)
  return tree
}

/** What the older calls show of a rendered configuration. */
function fromConfig(tree: ConfigTree, local: StoredConfig['local']): Configured {
  const flat = flatParts().flatMap(({ path, flat: { name, schema } }): [string, unknown][] => {
    const value = at(tree, path.split('.'))
    return v.is(schema, value) ? [[name, value]] : []
  })
  const grants = (kind: string) => grantedIn(at(tree, ['rbac', 'defaultPermissions', kind])).map(id => ({ id }))
  const entries = (path: string) =>
    Object.entries(at(tree, path.split('.')) as Entries<Entries<unknown>>).filter(([, entry]) => isRecord(entry))
  const themeId = String(at(tree, ['emails', 'selectedThemeId']))
  return {
    config: {
      ...newProjectConfig,
      ...(Object.fromEntries(flat) as Partial<ProjectConfig>),
      ...local,
      domains: entries('domains.trustedDomains').flatMap(([, { baseUrl, handlerPath }]) =>
        typeof baseUrl === 'string' ? [{ domain: baseUrl, handlerPath: handlerPath as string }] : [],
      ),
      oauthProviders: entries('auth.oauth.providers').flatMap(([id, entry]) => fromProvider(id, entry)),
      emailConfig: fromServer(at(tree, ['emails', 'server']) as Entries<unknown>),
      emailTheme: themeOf(themeId),
      teamCreatorDefaultPermissions: grants('teamCreator'),
      teamMemberDefaultPermissions: grants('teamMember'),
      userDefaultPermissions: grants('signUp'),
      signUpRules: entries('auth.signUpRules').map(([id, entry]) => fromRule(id, entry)),
    },
    themeId,
    permissions: entries('rbac.permissions').flatMap(([id, { scope, description, containedPermissionIds }]) =>
      scope === 'team' || scope === 'project'
        ? [
            {
              id,
              scope,
              description: (description as string | undefined) ?? null,
              containedIds: grantedIn(containedPermissionIds),
            },
          ]
        : [],
    ),
  }
}

function granted(ids: readonly string[]): Entries<true> {
  return Object.fromEntries([...new Set(ids)].sort().map(id => [id, true]))
}

function byId<T, E>(
  list: readonly T[],
  toEntry: (each: T, index: number) => readonly [id: string, entry: E],
): Entries<E> {
  return Object.fromEntries(list.map(toEntry).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** The domains by id. One that the project has already keeps its id; the id of another is made of its address. */
function domainsById(domains: ProjectConfig['domains'], before: unknown): Entries<object> {
  const known = Object.entries(isRecord(before) ? before : {}).map(
    ([id, entry]) => [id, at(entry, ['baseUrl'])] as const,
  )
  const result: Record<string, object> = {}
  for (const { domain, handlerPath } of domains) {
    const isFree = (id: string) => !Object.hasOwn(result, id)
    const [id = newId(domain, id => isFree(id) && known.every(([other]) => other !== id))] =
      known.find(([id, baseUrl]) => baseUrl === domain && isFree(id)) ?? []
    result[id] = { baseUrl: domain, handlerPath }
  }
  return result
}

/** `a-example-com` for `https://a.example.com`. */
function newId(domain: string, isFree: (id: string) => boolean): string {
  const words = domain
    .toLowerCase()
    .replace(/^https?:/, '')
    .match(/[a-z0-9]+/g)
  // A name without letters of ASCII, such as `https://*`.
  const name = words?.join('-') ?? 'domain'
  let id = name
  for (let number = 2; !isFree(id); number++) id = `${name}-${number}`
  return id
}

function toServer({ type, ...server }: EmailConfig) {
  return type === 'shared' ? { isShared: true } : { isShared: false, ...server }
}

function grantedIn(entries: unknown): string[] {
  return Object.entries(isRecord(entries) ? entries : {}).flatMap(([id, isGranted]) => (isGranted === true ? [id] : []))
}

function fromRule(id: string, entry: Entries<unknown>): SignUpRule {
  // A rule without a condition is passed over; one of a seed applies to every sign-up.
  const { enabled, displayName = '', priority, condition = '', action } = entry as Omit<WholeRule, 'id'>
  const { type, message } = action
  return { id, enabled, displayName, priority, condition, action: type, ...(message !== undefined && { message }) }
}

function fromProvider(id: string, { type, isShared, allowSignIn, allowConnectedAccounts, ...own }: Entries<unknown>) {
  if (typeof type !== 'string') return []
  const provider: OAuthProviderConfig = {
    // The shape has checked them.
    ...(own as Partial<OAuthProviderConfig>),
    id,
    type: type === 'custom_oidc' ? type : (isShared ?? !('clientId' in own)) ? 'shared' : 'standard',
    ...(type !== id && type !== 'custom_oidc' && { provider: type }),
    ...(allowSignIn === false && { allowSignIn }),
    ...(allowConnectedAccounts === false && { allowConnectedAccounts }),
  }
  return [provider]
}

function fromServer({ isShared = true, ...server }: Entries<unknown>): EmailConfig {
  if (isShared === true) return { type: 'shared' }
  const { host, port, username, password, senderName, senderEmail } = server as Omit<EmailConfig, 'type'>
  return { type: 'standard', host, port, username, password, senderName, senderEmail }
}
