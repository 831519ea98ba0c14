import * as v from 'valibot'
import { withFields } from '../declare'
import { anyProvider, domain, emailConfig, permissions, signUpRule } from '../projects/shape'

/**
 * A level of a project's configuration; each overrides those before it. 'branch' is that of a file in a repository,
 * 'environment' that of owners' changes.
 */
export type ConfigLevel = 'project' | 'branch' | 'environment'

/** A setting as the older calls have it: a field of the project's `config` by another name, perhaps in another form. */
export interface FlatForm<F extends string, T> {
  readonly name: F
  readonly schema: v.GenericSchema<unknown, T>
  /** In a new project. */
  readonly initial: T
}

interface ConfigPart {
  /** The only level that takes the part. Absent: that of the part above it, or the branch and the environment. */
  readonly level?: ConfigLevel
  /** Release 2.8.86 does not have the part. */
  readonly isLater?: true
  readonly flat?: FlatForm<string, unknown>
  /** The kit's rendered configuration has it as the platform sends it. */
  readonly isRaw?: true
  /** The value that the platform shows where no level has one. Absent: no value, and no entries. */
  readonly unset?: unknown
}

/** One value. */
export interface Setting<T = unknown> extends ConfigPart {
  readonly kind: 'setting'
  readonly type: 'boolean' | 'string' | 'number' | 'array' | 'mixed'
  /** All possible values, if these are few. */
  readonly values?: readonly T[]
}

/** Parts by name. */
export interface Group<N extends Nodes = Nodes> extends ConfigPart {
  readonly kind: 'group'
  readonly nodes: N
}

/** Parts of one form by ids that the project chooses. */
export interface ConfigEntries<E extends ConfigNode = ConfigNode> extends ConfigPart {
  readonly kind: 'entries'
  readonly id: RegExp
  readonly entry: E
  /** The kit sends a changed entry as a whole; the platform drops a setting of an entry that no level has. */
  readonly isWhole: boolean
}

export type ConfigNode = Setting | Group | ConfigEntries
export type Nodes = Readonly<Record<string, ConfigNode>>

/** The id of an entry: a segment of a path that is not the name of an object's prototype. */
export const entryId = /^(?!__proto__$)[\w-]+$/
/** The form of ids that are not checked further: a segment of a path. */
export const segment = /^(?!__proto__$)[^.]+$/
const permissionId = /^[a-z0-9_:]+$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const setting = <T>(type: Setting['type']): Setting<T> => ({ kind: 'setting', type })
const oneOf = <const T extends string>(...values: readonly T[]): Setting<T> => ({
  kind: 'setting',
  type: 'string',
  values,
})
const group = <N extends Nodes>(nodes: N): Group<N> => ({ kind: 'group', nodes })
const entries = <E extends ConfigNode>(entry: E, id = entryId): ConfigEntries<E> => ({
  kind: 'entries',
  id,
  entry,
  isWhole: false,
})
const records = <E extends Group>(entry: E, id = entryId): ConfigEntries<E> => ({
  kind: 'entries',
  id,
  entry,
  isWhole: true,
})

const only = <N extends ConfigNode>(level: ConfigLevel, node: N): N => ({ ...node, level })
const later = <N extends ConfigNode>(node: N): N => ({ ...node, isLater: true })
const unset = <N extends ConfigNode>(value: unknown, node: N): N => ({ ...node, unset: value })
const raw = <N extends ConfigNode>(node: N): N & { readonly isRaw: true } => ({ ...node, isRaw: true })
const ofEnvironment = <N extends Nodes>(nodes: N): N =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, only('environment', node)])) as N

type WithFlat<N, F extends string, T> = N & { readonly flat: FlatForm<F, T> }

/** A part that the flat form has under a name of its own, as the schema says. */
function flat<const F extends string, T, N extends ConfigNode>(
  name: F,
  schema: v.GenericSchema<unknown, T>,
  initial: NoInfer<T>,
  node: N,
): WithFlat<N, F, T> {
  return { ...node, flat: { name, schema, initial } }
}

/** A switch that is off where no level says anything. */
function flag<const F extends string>(name: F, initial = false): WithFlat<Setting<boolean>, F, boolean> {
  return flat(name, v.boolean(), initial, unset(false, bool))
}

/** A setting with few values; the first where no level has one, as in a new project. */
function choice<const F extends string, const T extends string>(name: F, ...values: readonly [T, ...T[]]) {
  return flat(name, v.picklist(values), values[0], unset(values[0], oneOf(...values)))
}

const bool = setting<boolean>('boolean')
const text = setting<string>('string')
const number = setting<number>('number')
const texts = setting<readonly string[]>('array')
/** A part that the local platform keeps, and that has no effect here. */
const anything = setting('mixed')
const others = entries(anything, segment)
const granted = entries(bool, /^\$?[a-z0-9_:]+$/)
const off = unset(false, bool)

/** The theme of every project that has chosen none. */
export const defaultThemeId = '1df07ae6-abf3-4a40-83a5-a1a2cbe336ac'

const installed = (names: string) =>
  Object.fromEntries(names.split(' ').map(app => [app, { enabled: app === 'authentication' || app === 'emails' }]))
const apps =
  'authentication fraud-protection onboarding teams rbac api-keys payments emails email-api data-vault webhooks ' +
  'tv-mode launch-checklist catalyst neon convex vercel analytics'

/**
 * The whole configuration of a project. Its keys are the hosted platform's; the shapes within `rbac` and `teams` are those of
 * its files.
 */
export const config = group({
  rbac: group({
    permissions: records(
      group({ description: text, scope: oneOf('team', 'project'), containedPermissionIds: granted }),
      permissionId,
    ),
    defaultPermissions: group({
      teamCreator: flat('teamCreatorDefaultPermissions', permissions(), [{ id: 'team_admin' }], granted),
      teamMember: flat('teamMemberDefaultPermissions', permissions(), [{ id: 'team_member' }], granted),
      signUp: flat('userDefaultPermissions', permissions(), [], granted),
    }),
  }),
  apiKeys: group({ enabled: group({ user: flag('allowUserApiKeys'), team: flag('allowTeamApiKeys') }) }),
  apps: raw(group({ installed: unset(installed(apps), entries(group({ enabled: bool }))) })),
  teams: group({
    allowClientTeamCreation: flag('clientTeamCreationEnabled'),
    createPersonalTeamOnSignUp: flag('createTeamOnSignUp'),
  }),
  users: group({ allowClientUserDeletion: flag('clientUserDeletionEnabled') }),
  onboarding: group({ requireEmailVerification: flag('requireEmailVerification') }),
  domains: group(
    ofEnvironment({
      allowLocalhost: flag('allowLocalhost', true),
      trustedDomains: flat(
        'domains',
        v.array(domain),
        [],
        records(group({ baseUrl: text, handlerPath: unset('/handler', text) })),
      ),
    }),
  ),
  auth: group({
    allowSignUp: unset(true, flag('signUpEnabled', true)),
    password: group({ allowSignIn: flag('credentialEnabled', true) }),
    otp: group({ allowSignIn: flag('magicLinkEnabled') }),
    passkey: group({ allowSignIn: flag('passkeyEnabled') }),
    oauth: group({
      accountMergeStrategy: choice('oauthAccountMergeStrategy', 'link_method', 'raise_error', 'allow_duplicates'),
      providers: flat(
        'oauthProviders',
        v.array(anyProvider),
        [],
        records(
          group(
            withFields(
              { type: text, allowSignIn: off, allowConnectedAccounts: off },
              ofEnvironment({
                isShared: unset(true, bool),
                clientId: text,
                clientSecret: text,
                facebookConfigId: text,
                microsoftTenantId: text,
                appleBundles: entries(group({ bundleId: text })),
                appleBundleIds: later(texts),
                issuerUrl: later(text),
                scope: later(text),
                displayName: later(text),
                customCallbackUrl: later(text),
              }),
            ),
          ),
        ),
      ),
    }),
    signUpRules: flat(
      'signUpRules',
      v.array(signUpRule),
      [],
      records(
        group({
          enabled: off,
          displayName: text,
          priority: unset(0, number),
          condition: text,
          action: group({ type: unset('allow', oneOf('allow', 'reject', 'restrict', 'log')), message: text }),
        }),
      ),
    ),
    signUpRulesDefaultAction: choice('signUpRulesDefaultAction', 'allow', 'reject'),
  }),
  emails: group({
    server: flat(
      'emailConfig',
      emailConfig,
      { type: 'shared' },
      only(
        'environment',
        group({
          isShared: unset(true, bool),
          provider: unset('smtp', oneOf('resend', 'smtp', 'managed')),
          host: text,
          port: number,
          username: text,
          password: text,
          senderName: text,
          senderEmail: text,
          managedSubdomain: text,
          managedSenderLocalPart: text,
        }),
      ),
    ),
    selectedThemeId: flat(
      'emailTheme',
      v.picklist(['default-light', 'default-dark']),
      'default-light',
      unset(defaultThemeId, text),
    ),
    themes: raw(records(group({ displayName: text, tsxSource: text }), uuid)),
    templates: raw(records(group({ displayName: text, tsxSource: text, themeId: anything }), uuid)),
  }),
  payments: raw(
    group({
      blockNewPurchases: off,
      testMode: only('environment', unset(true, bool)),
      products: others,
      items: others,
      productLines: others,
    }),
  ),
  dbSync: raw(group({ externalDatabases: others })),
  dataVault: raw(group({ stores: others })),
  analytics: raw(group({ queryFolders: only('environment', others) })),
  customDashboards: raw(only('environment', others)),
  sourceOfTruth: raw(only('project', unset({ type: 'hosted' }, others))),
  project: only('project', group({ requirePublishableClientKey: flag('requirePublishableClientKey') })),
})
