import * as v from 'valibot'
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

/** Objects of lists without other fields than the schema's; a field that may be missing may be undefined too. */
function strict(schema: v.GenericSchema): v.GenericSchema {
  const { item, entries } = schema as Partial<Record<'item', v.GenericSchema>> & { readonly entries?: v.ObjectEntries }
  return item ? v.array(strict(item)) : entries ? v.strictObject(lax(entries)) : schema
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
  v.strictObject({
    ...oauthProvider.entries,
    id: v.picklist(providerIds),
    appleBundleIds: v.optional(v.array(v.string())),
    ...purposes,
  }),
  v.strictObject({
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

/** Checks of a file beyond the forms of the settings. */
const checked = {
  oauthProviders: v.array(providerSettings),
  emailConfig: v.strictObject({ ...emailConfig.entries, port: v.optional(port), senderEmail: v.optional(email) }),
  signUpRules: v.pipe(
    v.array(v.strictObject({ ...lax(signUpRule.entries), id: v.optional(id) })),
    v.check(rules => firstRepeated(rules) === undefined, 'a list of rules with different ids'),
  ),
}
const strictFields = Object.entries(configFields).map(([name, schema]) => [name, strict(schema)] as const)
const projectSettings = v.partial(v.strictObject({ ...Object.fromEntries(strictFields), ...checked }))

const ownerFields = {
  id: text,
  email: v.optional(email),
  password: text,
  displayName: text,
  verified: flag,
  totpSecret: text,
  restricted: flag,
  sessions: v.optional(
    v.array(v.strictObject({ createdAt: date, lastUsedAt: date, lastUsedFrom: v.optional(GeoInfo) })),
  ),
}

/** Users and teams. */
export const seedSchema = v.strictObject({
  users: v.optional(v.array(v.strictObject({ ...ownerFields, serverMetadata: v.optional(v.unknown()) }))),
  teams: v.optional(
    v.array(
      v.strictObject({
        id: text,
        displayName: v.string(),
        members: v.optional(v.array(v.strictObject({ email, permissions: v.optional(v.array(v.string())) }))),
      }),
    ),
  ),
  owners: v.optional(v.array(v.strictObject(ownerFields))),
})

export const configSchema = v.strictObject({
  port: v.optional(port),
  host: v.optional(v.pipe(v.string(), v.nonEmpty('an address such as 127.0.0.1'))),
  data: v.optional(v.pipe(v.string(), v.nonEmpty('a file, or "memory"'))),
  wire: v.optional(v.picklist(wires)),
  compatibility: v.optional(v.picklist(['local', 'strict'])),
  rotation: v.optional(v.union([v.boolean(), v.strictObject({ graceMillis: v.optional(v.number()) })])),
  allowedHosts: v.optional(v.array(v.string())),
  allowedOrigins: v.optional(v.array(v.string())),
  webhooks: v.optional(v.array(v.union([url, v.strictObject({ url, secret: text })]))),
  project: v.optional(
    v.strictObject({
      displayName: text,
      logoUrl: v.optional(logo),
      color: v.optional(color),
      config: v.optional(projectSettings),
    }),
  ),
  permissions: v.optional(
    v.array(
      v.strictObject({
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
