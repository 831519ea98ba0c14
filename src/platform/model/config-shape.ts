import { isRecord } from '../../core/is-record'
import { readCondition, Unreadable } from './sign-up-condition'

/** A part of the configuration: one setting, settings by name, or entries by ids that the project chooses. */
export type ConfigNode =
  | { readonly kind: 'setting'; readonly complaint: (value: unknown) => string | null }
  | { readonly kind: 'group'; readonly nodes: Readonly<Record<string, ConfigNode>> }
  | { readonly kind: 'entries'; readonly id: RegExp; readonly entry: ConfigNode; readonly needs: readonly string[] }

/** The id of an entry: a segment of a path that is not the name of an object's prototype. */
export const entryId = /^(?!__proto__$)[\w-]+$/
/** Of the ids that are not checked further: a segment of a path. */
export const segment = /^(?!__proto__$)[^.]+$/

const setting = (wanted: string, isRight: (value: unknown) => boolean): ConfigNode => ({
  kind: 'setting',
  complaint: value => (isRight(value) ? null : `must be ${wanted}`),
})
const group = (nodes: Readonly<Record<string, ConfigNode>>): ConfigNode => ({ kind: 'group', nodes })
const entries = (entry: ConfigNode, needs: readonly string[] = [], id = entryId): ConfigNode => ({
  kind: 'entries',
  id,
  entry,
  needs,
})
const oneOf = (...values: readonly string[]) =>
  setting(`one of ${values.join(', ')}`, value => typeof value === 'string' && values.includes(value))

const flag = setting('true or false', value => typeof value === 'boolean')
const text = setting('a text', value => typeof value === 'string')
const number = setting('a number', value => Number.isFinite(value))
const texts = setting('a list of texts', value => Array.isArray(value) && value.every(each => typeof each === 'string'))
const url = setting('an address', value => typeof value === 'string' && /^https?:\/\/[^\s/]/.test(value))
const path = setting('a path that begins with /', value => typeof value === 'string' && value.startsWith('/'))
/** A part that the local platform keeps, and that has no effect here. */
const anything = setting('a value', () => true)
const others = entries(anything, [], segment)

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
const granted = entries(flag, [], /^\$?[a-z0-9_:]+$/)
const signIn = group({ allowSignIn: flag })

const provider = group({
  ...{
    type: text,
    isShared: flag,
    clientId: text,
    clientSecret: text,
    allowSignIn: flag,
    allowConnectedAccounts: flag,
  },
  ...{ facebookConfigId: text, microsoftTenantId: text, appleBundleIds: texts, appleBundles: anything },
  ...{ issuerUrl: url, scope: text, displayName: text, customCallbackUrl: text },
})

const signUpRule = group({
  ...{ enabled: flag, displayName: text, priority: number, condition },
  action: group({ type: oneOf('allow', 'reject', 'restrict', 'log'), message: text }),
})

/** The whole configuration. Its keys are the hosted platform's; the shapes within `rbac` and `teams` are those of its files. */
export const configShape = group({
  rbac: group({
    permissions: entries(
      group({ description: text, scope: oneOf('team', 'project'), containedPermissionIds: granted }),
      ['scope'],
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
    trustedDomains: entries(group({ baseUrl: url, handlerPath: path }), ['baseUrl']),
  }),
  auth: group({
    allowSignUp: flag,
    ...{ password: signIn, otp: signIn, passkey: signIn },
    oauth: group({
      accountMergeStrategy: oneOf('link_method', 'raise_error', 'allow_duplicates'),
      providers: entries(provider, ['type']),
    }),
    signUpRules: entries(signUpRule, ['action']),
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

/** The part at a path; undefined if the configuration has none. */
export function nodeAt(keys: readonly string[]): ConfigNode | undefined {
  let node: ConfigNode | undefined = configShape
  for (const key of keys) {
    // It would be the prototype of an object.
    if (key === '__proto__') return undefined
    if (node === anything) continue
    if (node?.kind === 'group') node = Object.hasOwn(node.nodes, key) ? node.nodes[key] : undefined
    else if (node?.kind === 'entries') node = node.id.test(key) ? node.entry : undefined
    else return undefined
  }
  return node
}

/** The path of the entry that this path leads to, or into; undefined if there is none on the way. */
export function entryIn(keys: readonly string[]): readonly string[] | undefined {
  const record = keys.findIndex((_, index) => nodeAt(keys.slice(0, index))?.kind === 'entries')
  return record < 0 ? undefined : keys.slice(0, record + 1)
}

/** Why the value is none of this path, as a sentence; null: it is one. */
export function complaintAt(keys: readonly string[], value: unknown): string | null {
  const node = nodeAt(keys)
  if (!node) return `The key "${keys.join('.')}" is not valid: the configuration has no such key.`
  return value === null ? null : complaintOf(node, keys, value)
}

function complaintOf(node: ConfigNode, keys: readonly string[], value: unknown): string | null {
  const name = keys.join('.')
  if (node.kind === 'setting') {
    const complaint = node.complaint(value)
    return complaint && `The key "${name}" is not valid: it ${complaint}.`
  }
  if (!isRecord(value)) return `The key "${name}" is not valid: it must be an object.`
  for (const [key, part] of Object.entries(value)) {
    const complaint = complaintAt([...keys, key], part)
    if (complaint !== null) return complaint
  }
  const parent = nodeAt(keys.slice(0, -1))
  const missing = parent?.kind === 'entries' ? parent.needs.find(need => !(need in value)) : undefined
  return missing === undefined ? null : `The key "${name}" is not valid: it needs "${missing}".`
}
