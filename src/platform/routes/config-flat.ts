import * as v from 'valibot'
import { isRecord } from '../../core/values'
import { flatParts } from '../../entities/config/shape-derive'
import { themeIds, themeOf } from '../mail/email-themes'
import { at, put, unsetConfig } from '../model/config-override'
import type { ConfigTree } from '../model/config-override'
import type { EmailConfig, OAuthProviderConfig, ProjectConfig, SignUpRule } from '../model/projects'
import { defaultActionOf, rulesOf } from '../model/sign-up-rules'
import type { PermissionDefinitionRow } from '../model/teams'

/** The settings and permissions of a project that its configuration describes. */
export interface Configured {
  readonly config: ProjectConfig
  readonly permissions: readonly PermissionDefinitionRow[]
}

type Entries<T> = Readonly<Record<string, T>>

/**
 * The rendered configuration of these settings. A domain or rule without an id gets the id of an equal entry in `before`. If
 * there is none, its id is made of its content.
 */
export function toConfig({ config, permissions }: Configured, before: unknown = {}): ConfigTree {
  const grants = (list: ProjectConfig['userDefaultPermissions']) => granted(list.map(({ id }) => id))
  const flat = flatParts().map(({ path, flat: { name } }) => [path, config[name as keyof ProjectConfig]] as const)
  const translated = {
    'rbac.permissions': byId(permissions, ({ id, scope, description, containedIds }) => [
      id,
      { scope, ...(description !== null && { description }), containedPermissionIds: granted(containedIds) },
    ]),
    'rbac.defaultPermissions.teamCreator': grants(config.teamCreatorDefaultPermissions),
    'rbac.defaultPermissions.teamMember': grants(config.teamMemberDefaultPermissions),
    'rbac.defaultPermissions.signUp': grants(config.userDefaultPermissions),
    'domains.trustedDomains': withIds(
      config.domains.map(({ domain, handlerPath }) => ({ baseUrl: domain, handlerPath })),
      at(before, ['domains', 'trustedDomains']),
      ({ baseUrl }) => baseUrl,
    ),
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
    'emails.selectedThemeId': themeIds[config.emailTheme],
  }
  const rendered = unsetConfig()
  for (const [path, value] of [...flat, ...Object.entries(translated)]) put(rendered, path.split('.'), value)
  return rendered
}

/** The settings that a rendered configuration describes; those that it cannot describe are taken from `present`. */
export function fromConfig(rendered: ConfigTree, present: ProjectConfig): Configured {
  const flat = flatParts().flatMap(({ path, flat: { name, schema } }): [string, unknown][] => {
    const value = at(rendered, path.split('.'))
    return v.is(schema, value) ? [[name, value]] : []
  })
  const grants = (kind: string) => grantedIn(at(rendered, ['rbac', 'defaultPermissions', kind])).map(id => ({ id }))
  const entries = (path: string) =>
    Object.entries((at(rendered, path.split('.')) ?? {}) as Entries<Entries<unknown>>).filter(([, entry]) =>
      isRecord(entry),
    )
  return {
    config: {
      ...present,
      ...(Object.fromEntries(flat) as Partial<ProjectConfig>),
      domains: entries('domains.trustedDomains').flatMap(([, { baseUrl, handlerPath = '/handler' }]) =>
        typeof baseUrl === 'string' ? [{ domain: baseUrl, handlerPath: handlerPath as string }] : [],
      ),
      oauthProviders: entries('auth.oauth.providers').flatMap(([id, entry]) => fromProvider(id, entry)),
      emailConfig: fromServer((at(rendered, ['emails', 'server']) ?? {}) as Entries<unknown>),
      emailTheme: themeOf(at(rendered, ['emails', 'selectedThemeId']) as string),
      teamCreatorDefaultPermissions: grants('teamCreator'),
      teamMemberDefaultPermissions: grants('teamMember'),
      userDefaultPermissions: grants('signUp'),
      signUpRules: entries('auth.signUpRules').flatMap(([id, entry]) => fromRule(id, entry)),
    },
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

/** The values by id: that of an equal entry in `before`, else one made of their name. */
function withIds<T extends object>(values: readonly T[], before: unknown, nameOf: (value: T) => string): Entries<T> {
  const known = new Map<string, string[]>()
  for (const [id, entry] of Object.entries(isRecord(before) ? before : {}).reverse()) {
    const ids = known.get(textOf(entry))
    if (ids) ids.push(id)
    else known.set(textOf(entry), [id])
  }
  const result: Record<string, T> = {}
  const nameless: T[] = []
  for (const value of values) {
    const id = known.get(textOf(value))?.pop()
    if (id === undefined) nameless.push(value)
    else result[id] = value
  }
  for (const value of nameless) {
    const words = nameOf(value)
      .toLowerCase()
      .replace(/^https?:/, '')
      .match(/[a-z0-9]+/g)
    // A name without letters of ASCII, such as `https://*`.
    const name = words?.join('-') ?? 'domain'
    let id = name
    for (let number = 2; Object.hasOwn(result, id); number++) id = `${name}-${number}`
    result[id] = value
  }
  return byId(Object.entries(result), entry => entry)
}

function textOf(value: unknown): string {
  return JSON.stringify(
    isRecord(value) ? Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)) : value,
  )
}

function toServer({ type, ...server }: EmailConfig) {
  return type === 'shared' ? { isShared: true } : { isShared: false, ...server }
}

function grantedIn(entries: unknown): string[] {
  return Object.entries(isRecord(entries) ? entries : {}).flatMap(([id, isGranted]) => (isGranted === true ? [id] : []))
}

function fromRule(id: string, entry: Entries<unknown>): SignUpRule[] {
  const {
    enabled = false,
    displayName = '',
    priority = 0,
    // The platform skips such a rule. A rule of a seed without a condition applies to every sign-up.
    condition = '',
    action,
  } = entry as Omit<SignUpRule, 'action'> & {
    readonly action?: { readonly type?: SignUpRule['action']; readonly message?: string }
  }
  const { type, message } = action ?? {}
  if (type === undefined) return []
  return [{ id, enabled, displayName, priority, condition, action: type, ...(message !== undefined && { message }) }]
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
