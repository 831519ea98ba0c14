import { isRecord } from '../../core/is-record'
import { readCondition, Unreadable } from './sign-up-condition'

/** A part of the configuration: one setting, settings by name, or entries by ids that the project chooses. */
export type ConfigNode =
  | { readonly kind: 'setting'; readonly complaint: (value: unknown) => string | null }
  | { readonly kind: 'group'; readonly nodes: Readonly<Record<string, ConfigNode>>; readonly needs: readonly string[] }
  | { readonly kind: 'entries'; readonly id: RegExp; readonly entry: ConfigNode }

/** The id of an entry: a segment of a path that is not the name of an object's prototype. */
export const entryId = /^(?!__proto__$)[\w-]+$/
/** Of the ids that are not checked further: a segment of a path. */
export const segment = /^(?!__proto__$)[^.]+$/

const setting = (wanted: string, isRight: (value: unknown) => boolean): ConfigNode => ({
  kind: 'setting',
  complaint: value => (isRight(value) ? null : `must be ${wanted}`),
})
const group = (nodes: Readonly<Record<string, ConfigNode>>, needs: readonly string[] = []): ConfigNode => ({
  kind: 'group',
  nodes,
  needs,
})
const entries = (entry: ConfigNode, id = entryId): ConfigNode => ({ kind: 'entries', id, entry })
const oneOf = (...values: readonly string[]) =>
  setting(`one of ${values.join(', ')}`, value => typeof value === 'string' && values.includes(value))

const flag = setting('true or false', value => typeof value === 'boolean')
const text = setting('a text', value => typeof value === 'string')
const number = setting('a number', value => Number.isFinite(value))
const texts = setting('a list of texts', value => Array.isArray(value) && value.every(each => typeof each === 'string'))
const url = setting('an address', value => {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s/]\S*$/.test(value)) return false
  // Domains have wildcards, in the port too.
  return URL.canParse(value.replace(/:\*+(?=\/|$)/, ':1').replaceAll('*', 'a'))
})
const path = setting('a path that begins with /', value => typeof value === 'string' && value.startsWith('/'))
/** A part that the local platform keeps, and that has no effect here. */
const anything = setting('a value', () => true)
const others = entries(anything, segment)

const condition: ConfigNode = {
  kind: 'setting',
  complaint(value) {
    if (typeof value !== 'string') return 'must be a text'
    try {
      readCondition(value)
      return null
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return `must be a condition that the local platform can evaluate: ${error.message}`
    }
  },
}

const permissionId = /^[a-z0-9_:]+$/
const granted = entries(flag, /^\$?[a-z0-9_:]+$/)
const signIn = group({ allowSignIn: flag })

const provider = group(
  {
    ...{ type: text, isShared: flag, clientId: text, clientSecret: text },
    ...{ allowSignIn: flag, allowConnectedAccounts: flag },
    ...{ facebookConfigId: text, microsoftTenantId: text, appleBundleIds: texts, appleBundles: others },
    ...{ issuerUrl: url, scope: text, displayName: text, customCallbackUrl: text },
  },
  ['type'],
)

const signUpRule = group(
  {
    ...{ enabled: flag, displayName: text, priority: number, condition },
    action: group({ type: oneOf('allow', 'reject', 'restrict', 'log'), message: text }, ['type']),
  },
  ['action'],
)

/** The whole configuration. Its keys are the hosted platform's; the shapes within `rbac` and `teams` are those of its files. */
export const configShape = group({
  rbac: group({
    permissions: entries(
      group({ description: text, scope: oneOf('team', 'project'), containedPermissionIds: granted }, ['scope']),
      permissionId,
    ),
    defaultPermissions: group({ teamCreator: granted, teamMember: granted, signUp: granted }),
  }),
  apiKeys: group({ enabled: group({ user: flag, team: flag }) }),
  apps: group({ installed: entries(group({ enabled: flag })) }),
  teams: group({ allowClientTeamCreation: flag, createPersonalTeamOnSignUp: flag }),
  users: group({ allowClientUserDeletion: flag }),
  onboarding: group({ requireEmailVerification: flag }),
  domains: group({
    allowLocalhost: flag,
    trustedDomains: entries(group({ baseUrl: url, handlerPath: path }, ['baseUrl'])),
  }),
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
    server: group({
      ...{ isShared: flag, provider: text, host: text, port: number, username: text, password: text },
      ...{ senderName: text, senderEmail: text },
    }),
    selectedThemeId: text,
    themes: others,
    templates: others,
  }),
  payments: others,
  dbSync: others,
  dataVault: others,
  analytics: others,
  customDashboards: others,
  sourceOfTruth: others,
  project: group({ requirePublishableClientKey: flag }),
})

/** The part below another one; undefined if there is none. */
export function partOf(node: ConfigNode, key: string): ConfigNode | undefined {
  // It would be the prototype of an object.
  if (key === '__proto__') return undefined
  if (node.kind === 'group') return Object.hasOwn(node.nodes, key) ? node.nodes[key] : undefined
  if (node.kind === 'entries') return node.id.test(key) ? node.entry : undefined
  return node === anything ? node : undefined
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

/** Why the configuration has no such path, as a sentence; null: it has. */
export function complaintAboutPath(keys: readonly string[]): string | null {
  return nodeAt(keys) ? null : noSuchKey(keys)
}

/** Why the value is none of this path, as a sentence; null: it is one. A value of null takes the path away. */
export function complaintAt(keys: readonly string[], value: unknown): string | null {
  const node = nodeAt(keys)
  if (!node) return noSuchKey(keys)
  if (value !== null) return complaintOf(node, keys, value)
  const above = nodeAt(keys.slice(0, -1))
  const isNeeded = above?.kind === 'group' && above.needs.includes(keys.at(-1) ?? '')
  return isNeeded ? invalid(keys.slice(0, -1), `it needs "${keys.at(-1)}"`) : null
}

function complaintOf(node: ConfigNode, keys: readonly string[], value: unknown): string | null {
  if (node.kind === 'setting') {
    const complaint = node.complaint(value)
    return complaint === null ? null : invalid(keys, `it ${complaint}`)
  }
  if (!isRecord(value)) return invalid(keys, 'it must be an object')
  for (const [key, inner] of Object.entries(value)) {
    const part = partOf(node, key)
    const complaint = part ? complaintOf(part, [...keys, key], inner) : noSuchKey([...keys, key])
    if (complaint !== null) return complaint
  }
  const missing = node.kind === 'group' ? node.needs.find(need => !Object.hasOwn(value, need)) : undefined
  return missing === undefined ? null : invalid(keys, `it needs "${missing}"`)
}

function noSuchKey(keys: readonly string[]): string {
  return invalid(keys, 'the configuration has no such key')
}

function invalid(keys: readonly string[], reason: string): string {
  return `The key "${keys.join('.')}" is not valid: ${reason}.`
}
