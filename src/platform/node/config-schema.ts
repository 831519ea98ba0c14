import * as v from 'valibot'
import { entryId, segment } from '../../entities/config/shape'
import { providerIds } from '../model/projects'
import { firstRepeated } from '../model/sign-up-rules'
import { GeoInfo } from '../../entities/sessions/client'
import { wires } from '../model/release'

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
const ids = v.array(v.strictObject({ id: v.string() }))
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

const purposes = { allowSignIn: flag, allowConnectedAccounts: flag }
const providerSettings = v.variant('type', [
  v.strictObject({
    id: v.picklist(providerIds),
    type: v.picklist(['shared', 'standard']),
    clientId: text,
    clientSecret: text,
    facebookConfigId: text,
    microsoftTenantId: text,
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

const emailSettings = v.strictObject({
  type: v.picklist(['shared', 'standard']),
  host: text,
  port: v.optional(port),
  username: text,
  password: text,
  senderName: text,
  senderEmail: v.optional(email),
})

const signUpRules = v.pipe(
  v.array(
    v.strictObject({
      id: v.optional(id),
      displayName: text,
      enabled: flag,
      priority: v.optional(v.number()),
      emailDomain: text,
      condition: text,
      action: v.picklist(['allow', 'reject', 'restrict', 'log']),
      message: text,
    }),
  ),
  v.check(rules => firstRepeated(rules) === undefined, 'a list of rules with different ids'),
)

const projectSettings = v.strictObject({
  allowLocalhost: flag,
  signUpEnabled: flag,
  credentialEnabled: flag,
  magicLinkEnabled: flag,
  passkeyEnabled: flag,
  clientTeamCreationEnabled: flag,
  clientUserDeletionEnabled: flag,
  createTeamOnSignUp: flag,
  allowUserApiKeys: flag,
  allowTeamApiKeys: flag,
  anonymousSignUpEnabled: flag,
  domains: v.optional(v.array(v.strictObject({ domain: v.string(), handlerPath: v.string() }))),
  oauthProviders: v.optional(v.array(providerSettings)),
  oauthAccountMergeStrategy: v.optional(v.picklist(['link_method', 'raise_error', 'allow_duplicates'])),
  emailConfig: v.optional(emailSettings),
  emailTheme: v.optional(v.picklist(['default-light', 'default-dark'])),
  teamCreatorDefaultPermissions: v.optional(ids),
  teamMemberDefaultPermissions: v.optional(ids),
  userDefaultPermissions: v.optional(ids),
  requirePublishableClientKey: flag,
  requireEmailVerification: flag,
  signUpRules: v.optional(signUpRules),
  signUpRulesDefaultAction: v.optional(v.picklist(['allow', 'reject'])),
  botChallengeToken: v.optional(v.nullable(v.string())),
})

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
