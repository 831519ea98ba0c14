import { isRecord } from '../../core/values'
import { themeIds } from '../mail/email-themes'
import { at, filled } from '../model/config-override'
import { newProjectConfig } from '../model/project-config'
import type { EmailConfig, ProjectConfig } from '../model/project-config'
import { defaultActionOf, rulesOf } from '../model/sign-up-rules'
import type { PermissionDefinitionRow } from '../model/teams'

/** The settings and permissions of a project that its configuration describes. */
export interface Configured {
  readonly config: ProjectConfig
  readonly permissions: readonly PermissionDefinitionRow[]
}

type Entries<T> = Readonly<Record<string, T>>

/**
 * The rendered configuration of these settings. Domains and rules without an id get that of an equal entry in `before`, else
 * one that is made of their content.
 */
export function toConfig({ config, permissions }: Configured, before: unknown = {}) {
  return {
    rbac: {
      permissions: byId(permissions, ({ id, scope, description, containedIds }) => [
        id,
        { scope, ...(description !== null && { description }), containedPermissionIds: granted(containedIds) },
      ]),
      defaultPermissions: {
        teamCreator: granted(config.teamCreatorDefaultPermissions.map(({ id }) => id)),
        teamMember: granted(config.teamMemberDefaultPermissions.map(({ id }) => id)),
        signUp: granted(config.userDefaultPermissions.map(({ id }) => id)),
      },
    },
    apiKeys: { enabled: { user: config.allowUserApiKeys, team: config.allowTeamApiKeys } },
    apps: { installed: {} as Entries<unknown> },
    teams: {
      allowClientTeamCreation: config.clientTeamCreationEnabled,
      createPersonalTeamOnSignUp: config.createTeamOnSignUp,
    },
    users: { allowClientUserDeletion: config.clientUserDeletionEnabled },
    onboarding: { requireEmailVerification: config.requireEmailVerification },
    domains: {
      allowLocalhost: config.allowLocalhost,
      trustedDomains: withIds(
        config.domains.map(({ domain, handlerPath }) => ({ baseUrl: domain, handlerPath })),
        at(before, ['domains', 'trustedDomains']),
        ({ baseUrl }) => baseUrl,
      ),
    },
    auth: {
      allowSignUp: config.signUpEnabled,
      password: { allowSignIn: config.credentialEnabled },
      otp: { allowSignIn: config.magicLinkEnabled },
      passkey: { allowSignIn: config.passkeyEnabled },
      oauth: {
        accountMergeStrategy: config.oauthAccountMergeStrategy,
        providers: byId(config.oauthProviders, ({ id, type, provider = id, ...own }) => [
          id,
          {
            type: type === 'custom_oidc' ? type : provider,
            isShared: type === 'shared',
            allowSignIn: true,
            allowConnectedAccounts: true,
            ...own,
          },
        ]),
      },
      signUpRules: byId(rulesOf(config), ({ id, ...rule }) => [id, rule]),
      signUpRulesDefaultAction: defaultActionOf(config),
    },
    emails: {
      server: toServer(config.emailConfig),
      selectedThemeId: themeIds[config.emailTheme],
      themes: {},
      templates: {},
    },
    payments: { blockNewPurchases: false, testMode: true, products: {}, items: {}, productLines: {} },
    dbSync: { externalDatabases: {} },
    dataVault: { stores: {} },
    analytics: { queryFolders: {} },
    customDashboards: {},
    sourceOfTruth: { type: 'hosted' },
    project: { requirePublishableClientKey: config.requirePublishableClientKey },
  }
}

/** What the configuration says where no level says anything: every switch is off but that of sign-ups. */
export function defaultConfig() {
  const off = { allowLocalhost: false, credentialEnabled: false }
  const granted = { teamCreatorDefaultPermissions: [], teamMemberDefaultPermissions: [] }
  const { emails, ...config } = toConfig({ config: { ...newProjectConfig, ...off, ...granted }, permissions: [] })
  return { ...config, apps: { installed }, emails: { ...emails, server: { ...emails.server, provider: 'smtp' } } }
}

/** The apps of the platform. */
const installed = Object.fromEntries(
  [
    ...['authentication', 'fraud-protection', 'onboarding', 'teams', 'rbac', 'api-keys', 'payments', 'emails'],
    ...['email-api', 'data-vault', 'webhooks', 'tv-mode', 'launch-checklist', 'catalyst', 'neon', 'convex'],
    ...['vercel', 'analytics'],
  ].map(app => [app, { enabled: app === 'authentication' || app === 'emails' }]),
)

const ofProvider = { isShared: true, allowSignIn: false, allowConnectedAccounts: false }
const ofRule = { enabled: false, priority: 0, action: { type: 'allow' } }

/** Fills in what entries leave out, and takes a provider without a type away. */
export function completeEntries(config: Record<string, unknown>): void {
  const fill = (path: string, defaults: object) => {
    const found = at(config, path.split('.')) as Record<string, Record<string, unknown>>
    for (const [id, entry] of Object.entries(found)) found[id] = filled(entry, defaults as Entries<unknown>)
    return found
  }
  fill('auth.signUpRules', ofRule)
  fill('domains.trustedDomains', { handlerPath: '/handler' })
  const providers = fill('auth.oauth.providers', ofProvider)
  for (const [id, { type }] of Object.entries(providers)) if (type === undefined) Reflect.deleteProperty(providers, id)
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

/** The values by the ids of equal entries in `before`, else by what they are called. */
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
