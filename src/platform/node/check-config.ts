import * as v from 'valibot'
import { secretSetting } from '../model/config-override'
import type { ConfiguredSeed, RxauthConfig } from './config'
import { nearest } from '../../core/nearest'
import { entryId, segment } from '../../entities/config/shape'
import { emailConfig, oauthProvider, signUpRule } from '../../entities/projects/shape'
import { GeoInfo } from '../../entities/sessions/client'
import { configFields, providerIds } from '../model/projects'
import { wires } from '../model/release'
import { firstRepeated } from '../model/sign-up-rules'

const port = v.pipe(
  v.number(),
  v.integer('a whole number'),
  v.minValue(0, 'a number from 0 to 65535'),
  v.maxValue(65_535, 'a number from 0 to 65535'),
)
const url = v.pipe(
  v.string(),
  v.check(text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'an http or https address'),
)
const logo = v.pipe(v.string(), v.regex(/^(https?:\/\/|data:image\/)/, 'an http, https or data address of a picture'))
const color = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i, 'a colour such as #5b4bdb'))
const email = v.pipe(v.string(), v.regex(/^[^\s@]+@\S+$/, 'an e-mail address'))
const text = v.optional(v.string())
const flag = v.optional(v.boolean())
/** JSON has no dates. */
const date = v.optional(
  v.pipe(
    v.union([v.date(), v.string()]),
    v.check(given => !Number.isNaN(new Date(given).getTime()), 'a date such as 2026-01-31T12:00:00Z'),
    v.transform(given => new Date(given)),
  ),
)

const id = v.pipe(v.string(), v.regex(entryId, 'an id of letters, digits, _ and -'))

/** An object with these settings alone; the message for another one names the closest. */
function settings<E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, ({ expected, input }) => {
    const known = expected === 'never' ? nearest(String(input), Object.keys(entries)) : undefined
    return `is no setting${known === undefined ? '' : `; did you mean ${known}?`}`
  })
}

/** Objects of lists without other fields than the schema's; a field that may be missing may be undefined too. */
function strict(schema: v.GenericSchema): v.GenericSchema {
  const { item, entries } = schema as Partial<Record<'item', v.GenericSchema>> & { readonly entries?: v.ObjectEntries }
  return item ? v.array(strict(item)) : entries ? settings(lax(entries)) : schema
}

function lax(entries: v.ObjectEntries): v.ObjectEntries {
  const fields = Object.entries(entries).map(([name, schema]) => {
    const { type, wrapped } = schema as { readonly type: string; readonly wrapped?: v.GenericSchema }
    return [name, type === 'exact_optional' && wrapped ? v.optional(wrapped) : schema] as const
  })
  return Object.fromEntries(fields)
}

const purposes = { allowSignIn: flag, allowConnectedAccounts: flag }
const providerSettings = v.variant('type', [
  settings({
    ...oauthProvider.entries,
    id: v.picklist(providerIds),
    appleBundleIds: v.optional(v.array(v.string())),
    ...purposes,
  }),
  settings({
    id,
    type: v.literal('custom_oidc'),
    issuerUrl: url,
    clientId: v.string(),
    clientSecret: v.string(),
    displayName: text,
    scope: text,
    ...purposes,
  }),
])

const checked = {
  domains: v.array(
    settings({
      domain: v.pipe(v.string(), v.regex(/^https?:\/\/./, 'an http or https address')),
      handlerPath: v.pipe(v.string(), v.startsWith('/', 'a path such as /handler')),
    }),
  ),
  oauthProviders: v.array(providerSettings),
  emailConfig: settings({ ...emailConfig.entries, port: v.optional(port), senderEmail: v.optional(email) }),
  signUpRules: v.pipe(
    v.array(settings({ ...lax(signUpRule.entries), id: v.optional(id) })),
    v.check(rules => firstRepeated(rules) === undefined, 'a list of rules with different ids'),
  ),
}
const strictFields = Object.entries(configFields).map(([name, schema]) => [name, strict(schema)] as const)
const projectSettings = v.partial(settings({ ...Object.fromEntries(strictFields), ...checked }))

const ownerFields = {
  id: text,
  email: v.optional(email),
  password: text,
  displayName: text,
  verified: flag,
  totpSecret: text,
  restricted: flag,
  sessions: v.optional(v.array(settings({ createdAt: date, lastUsedAt: date, lastUsedFrom: v.optional(GeoInfo) }))),
}

const seedSchema = settings({
  users: v.optional(v.array(settings({ ...ownerFields, serverMetadata: v.optional(v.unknown()) }))),
  teams: v.optional(
    v.array(
      settings({
        id: text,
        displayName: v.string(),
        members: v.optional(v.array(settings({ email, permissions: v.optional(v.array(v.string())) }))),
      }),
    ),
  ),
  owners: v.optional(v.array(settings(ownerFields))),
})

const configSchema = settings({
  port: v.optional(port),
  host: v.optional(v.pipe(v.string(), v.nonEmpty('an address such as 127.0.0.1'))),
  data: v.optional(v.pipe(v.string(), v.nonEmpty('a file, or "memory"'))),
  wire: v.optional(v.picklist(wires)),
  compatibility: v.optional(v.picklist(['local', 'strict'])),
  rotation: v.optional(v.union([v.boolean(), settings({ graceMillis: v.optional(v.number()) })])),
  allowedHosts: v.optional(v.array(v.string())),
  allowedOrigins: v.optional(v.array(v.string())),
  webhooks: v.optional(v.array(v.union([url, settings({ url, secret: text })]))),
  project: v.optional(
    settings({
      displayName: text,
      logoUrl: v.optional(logo),
      color: v.optional(color),
      config: v.optional(projectSettings),
    }),
  ),
  permissions: v.optional(
    v.array(
      settings({
        id: v.pipe(v.string(), v.regex(segment, 'an id without dots')),
        scope: v.picklist(['team', 'project']),
        contains: v.optional(v.array(v.string())),
        description: text,
      }),
    ),
  ),
  seed: v.optional(seedSchema),
  open: flag,
  log: flag,
})

/** Checks a configuration. Throws an error that names each wrong setting and its value. */
export function checkConfig(given: unknown, file: string): RxauthConfig {
  // Schema and type agree; a test compares them.
  return check(configSchema, given, file) as unknown as RxauthConfig
}

export function checkSeed(given: unknown, file: string): ConfiguredSeed {
  return check(seedSchema, given, file) as unknown as ConfiguredSeed
}

function check<T>(schema: v.GenericSchema<unknown, T>, given: unknown, file: string): T {
  const result = v.safeParse(schema, given)
  if (result.success) return withoutUndefined(result.output)
  const lines = result.issues.flatMap(issue => linesOf(issue))
  throw new Error([`${file} is not understood:`, ...new Set(lines)].join('\n  - '))
}

function linesOf(issue: v.BaseIssue<unknown>): string[] {
  // The alternative with the deepest issue is the closest of several.
  if (issue.type === 'union' && issue.issues?.some(({ path }) => path)) {
    const nested = issue.issues.filter(({ path }) => path)
    return nested.flatMap(inner => linesOf({ ...inner, path: [...(issue.path ?? []), ...(inner.path ?? [])] as never }))
  }
  const path = pathOf(issue)
  if (issue.type === 'strict_object' && issue.expected === 'never') return [`${path} ${issue.message}`]
  const what = issue.kind === 'validation' ? issue.message : wordFor(issue.expected)
  if (issue.input === undefined) return [`${path} is missing`]
  const name = path.split('.').at(-1) ?? ''
  return [
    secretSetting.test(name) ? `${path} has to be ${what}` : `${path} has to be ${what}, not ${shown(issue.input)}`,
  ]
}

function pathOf({ path }: v.BaseIssue<unknown>): string {
  const text = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text.replace(/^\./, '') || 'the default export'
}

function wordFor(expected: string | null): string {
  const words: Readonly<Record<string, string>> = {
    boolean: 'true or false',
    string: 'a text',
    number: 'a number',
    Array: 'a list',
    Date: 'a date',
    Object: 'an object',
  }
  const options = (expected ?? '').replace(/[()]/g, '').split(' | ')
  return options.map(option => words[option] ?? option).join(' or ')
}

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value)
}

function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutUndefined(part as unknown)])) as T
}
