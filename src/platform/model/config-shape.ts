import { isRecord } from '../../core/values'
import type { ConfigLevel } from './projects'
import { hideSettings } from './secret-settings'

interface Place {
  /** The only level that takes the part. Absent: that of the part above it, or the branch and the environment. */
  readonly level?: ConfigLevel
  /** Release 2.8.86 does not have the part. */
  readonly isLater?: boolean
}

/** A part of the configuration: one setting, settings by name, or entries by ids that the project chooses. */
export type ConfigNode = Place &
  (
    | { readonly kind: 'setting'; readonly type: string; readonly values?: readonly string[] }
    | { readonly kind: 'group'; readonly nodes: Readonly<Record<string, ConfigNode>> }
    | { readonly kind: 'entries'; readonly id: RegExp; readonly entry: ConfigNode }
  )

/** The id of an entry: a segment of a path that is not the name of an object's prototype. */
export const entryId = /^(?!__proto__$)[\w-]+$/
/** Of the ids that are not checked further: a segment of a path. */
export const segment = /^(?!__proto__$)[^.]+$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const setting = (type: string): ConfigNode => ({ kind: 'setting', type })
const group = (nodes: Readonly<Record<string, ConfigNode>>): ConfigNode => ({ kind: 'group', nodes })
const entries = (entry: ConfigNode, id = entryId): ConfigNode => ({ kind: 'entries', id, entry })
const oneOf = (...values: readonly string[]): ConfigNode => ({ kind: 'setting', type: 'string', values })
const only = (level: ConfigLevel, node: ConfigNode): ConfigNode => ({ ...node, level })
const later = (node: ConfigNode): ConfigNode => ({ ...node, isLater: true })

const flag = setting('boolean')
const text = setting('string')
const number = setting('number')
const texts = setting('array')
/** A part that the local platform keeps, and that has no effect here. */
const anything = setting('mixed')
const others = entries(anything, segment)

const permissionId = /^[a-z0-9_:]+$/
const granted = entries(flag, /^\$?[a-z0-9_:]+$/)
const signIn = group({ allowSignIn: flag })

const ofEnvironment = (nodes: Readonly<Record<string, ConfigNode>>) =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, only('environment', node)]))

const provider = group({
  ...{ type: text, allowSignIn: flag, allowConnectedAccounts: flag },
  ...ofEnvironment({
    ...{ isShared: flag, clientId: text, clientSecret: text, facebookConfigId: text, microsoftTenantId: text },
    appleBundles: entries(group({ bundleId: text })),
    ...{ appleBundleIds: later(texts), issuerUrl: later(text), scope: later(text) },
    ...{ displayName: later(text), customCallbackUrl: later(text) },
  }),
})

const signUpRule = group({
  ...{ enabled: flag, displayName: text, priority: number, condition: text },
  action: group({ type: oneOf('allow', 'reject', 'restrict', 'log'), message: text }),
})

/**
 * The whole configuration. Its keys are the hosted platform's; the shapes within `rbac` and `teams` are those of its files. A
 * write is checked by types and names only: values that make no sense together are stored.
 */
export const configShape = group({
  rbac: group({
    permissions: entries(
      group({ description: text, scope: oneOf('team', 'project'), containedPermissionIds: granted }),
      permissionId,
    ),
    defaultPermissions: group({ teamCreator: granted, teamMember: granted, signUp: granted }),
  }),
  apiKeys: group({ enabled: group({ user: flag, team: flag }) }),
  apps: group({ installed: entries(group({ enabled: flag })) }),
  teams: group({ allowClientTeamCreation: flag, createPersonalTeamOnSignUp: flag }),
  users: group({ allowClientUserDeletion: flag }),
  onboarding: group({ requireEmailVerification: flag }),
  domains: group(
    ofEnvironment({
      allowLocalhost: flag,
      trustedDomains: entries(group({ baseUrl: text, handlerPath: text })),
    }),
  ),
  auth: group({
    allowSignUp: flag,
    ...{ password: signIn, otp: signIn, passkey: signIn },
    oauth: group({
      accountMergeStrategy: oneOf('link_method', 'raise_error', 'allow_duplicates'),
      providers: entries(provider),
    }),
    signUpRules: entries(signUpRule),
    signUpRulesDefaultAction: oneOf('allow', 'reject'),
  }),
  emails: group({
    server: only(
      'environment',
      group({
        ...{ isShared: flag, provider: oneOf('resend', 'smtp', 'managed'), host: text, port: number },
        ...{ username: text, password: text, senderName: text, senderEmail: text },
        ...{ managedSubdomain: text, managedSenderLocalPart: text },
      }),
    ),
    selectedThemeId: text,
    themes: entries(group({ displayName: text, tsxSource: text }), uuid),
    templates: entries(group({ displayName: text, tsxSource: text, themeId: anything }), uuid),
  }),
  payments: group({
    ...{ blockNewPurchases: flag, testMode: only('environment', flag) },
    ...{ products: others, items: others, productLines: others },
  }),
  dbSync: group({ externalDatabases: others }),
  dataVault: group({ stores: others }),
  analytics: group({ queryFolders: only('environment', others) }),
  customDashboards: only('environment', others),
  sourceOfTruth: only('project', others),
  project: only('project', group({ requirePublishableClientKey: flag })),
})

/** The part below another one; undefined if there is none. */
export function partOf(node: ConfigNode, key: string): ConfigNode | undefined {
  // It would be the prototype of an object.
  if (key === '__proto__') return undefined
  if (node.kind === 'group') return Object.hasOwn(node.nodes, key) ? node.nodes[key] : undefined
  if (node.kind === 'entries') return node.id.test(key) ? node.entry : undefined
  return node.type === 'mixed' ? node : undefined
}

/** The part at a path; undefined if the configuration has none. */
export function nodeAt(keys: readonly string[]): ConfigNode | undefined {
  return keys.reduce<ConfigNode | undefined>((node, key) => node && partOf(node, key), configShape)
}

/** The path of the entry that this path leads to, or into; undefined if there is none on the way. */
export function entryIn(keys: readonly string[]): readonly string[] | undefined {
  let node: ConfigNode | undefined = configShape
  for (const [index, key] of keys.entries()) {
    if (node?.kind === 'entries') return keys.slice(0, index + 1)
    node = node && partOf(node, key)
  }
  return undefined
}

/** What a write is checked against. */
export interface ConfigCheck {
  readonly level: ConfigLevel
  readonly hasLaterFields: boolean
}

/** Why a level does not take this override, in the words of the hosted platform; null: it does. */
export function complaintAbout(override: Readonly<Record<string, unknown>>, check: ConfigCheck): string | null {
  for (const value of Object.values(override)) {
    const dotted = dottedIn(value)
    if (dotted !== undefined) return `Key ${dotted} contains a dot, which is not allowed in config override.`
  }
  for (const [path, value] of Object.entries(override)) {
    const keys = path.split('.')
    let node: ConfigNode = configShape
    for (const [index, key] of keys.entries()) {
      const inner = takenPart(node, key, check)
      if (!inner) {
        const known = keys.slice(0, index + 1).join('.')
        return `The key "${path}" is not valid (nested object not found in schema: "${known}").`
      }
      node = inner
    }
    const complaint = complaintOf(node, namesOn(keys), value, check)
    if (complaint !== null) return complaint
  }
  return null
}

/** The part below another one, if the level takes it; its level is that of the part above, unless it has one of its own. */
function takenPart(above: ConfigNode, key: string, { level, hasLaterFields }: ConfigCheck): ConfigNode | undefined {
  const part = partOf(above, key)
  if (!part || (part.isLater && !hasLaterFields)) return undefined
  const whose = part.level ?? above.level
  if (whose === undefined ? level === 'project' : whose !== level) return undefined
  return whose === undefined ? part : { ...part, level: whose }
}

/** The first key with a dot within an object. */
function dottedIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('.') ? key : dottedIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** The path without the ids of entries, which the hosted platform leaves out where it names a part. */
function namesOn(keys: readonly string[]): readonly string[] {
  let node: ConfigNode | undefined = configShape
  return keys.filter(key => {
    const isId = node?.kind === 'entries' && node.entry.kind !== 'setting'
    node = node && partOf(node, key)
    return !isId
  })
}

function complaintOf(node: ConfigNode, names: readonly string[], value: unknown, check: ConfigCheck): string | null {
  // It takes the part away.
  if (value === null) return null
  const path = names.join('.')
  if (node.kind === 'setting') {
    if (node.values) {
      if (typeof value === 'string' && node.values.includes(value)) return null
      return `${path} must be one of the following values: ${node.values.join(', ')}`
    }
    return isOf(node.type, value) ? null : wrongType(names, node.type, value)
  }
  if (!isRecord(value)) return wrongType(names, 'object', value)
  const parts = Object.keys(value).map(key => [key, takenPart(node, key, check)] as const)
  const unknown = parts.filter(([, part]) => !part)
  if (unknown.length > 0) return `${path} contains unknown properties: ${unknown.map(([key]) => key).join(', ')}`
  for (const [key, part] of parts) {
    const inner = node.kind === 'entries' && node.entry.kind !== 'setting' ? names : [...names, key]
    const complaint = part ? complaintOf(part, inner, value[key], check) : null
    if (complaint !== null) return complaint
  }
  return null
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'mixed') return true
  if (type === 'number') return Number.isFinite(value)
  return type === 'array' ? Array.isArray(value) : typeof value === type
}

function wrongType(names: readonly string[], type: string, value: unknown): string {
  const shown = JSON.stringify(hideSettings(value, names.at(-1) ?? '', () => '…'))
  return `${names.join('.')} must be a \`${type}\` type, but the final value was: \`${shown}\`.`
}
