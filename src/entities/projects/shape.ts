import * as v from 'valibot'
import { millis, newer, withFields } from '../declare'
import { cleanEmail, faultOfEmail } from '../../core/wire'
import { isDomain } from '../../core/domains'
import { invalidInput, misuse } from '../../errors/auth-error'

/** The project's public settings: what it allows its users to do. */
export const publicSettings = {
  signUpEnabled: v.boolean(),
  credentialEnabled: v.boolean(),
  magicLinkEnabled: v.boolean(),
  passkeyEnabled: v.boolean(),
  clientTeamCreationEnabled: v.boolean(),
  clientUserDeletionEnabled: v.boolean(),
  allowUserApiKeys: v.boolean(),
  allowTeamApiKeys: v.boolean(),
}

export const permissions = () => v.array(v.object({ id: v.string() }))

export const oauthProvider = v.object({
  id: v.string(),
  /** 'shared': with the platform's own keys at the provider, for trying out. 'standard': with the project's. */
  type: v.picklist(['shared', 'standard']),
  clientId: v.optional(v.string()),
  clientSecret: v.optional(v.string()),
  facebookConfigId: v.optional(v.string()),
  microsoftTenantId: v.optional(v.string()),
})

/** A sign-up rule, as the local platform is given it. */
export const signUpRule = v.object(
  withFields(
    v.entriesFromList(['id', 'displayName', 'emailDomain', 'condition', 'message'], v.exactOptional(v.string())),
    {
      enabled: v.exactOptional(v.boolean()),
      priority: v.exactOptional(v.number()),
      action: v.picklist(['allow', 'reject', 'restrict', 'log']),
    },
  ),
)

/** With what only the configuration of newer releases has. */
export const anyProvider = v.object(
  withFields(
    v.entriesFromObjects([
      v.omit(oauthProvider, ['type']),
      v.object(v.entriesFromList(['provider', 'issuerUrl', 'scope', 'displayName'], v.optional(v.string()))),
    ]),
    {
      type: v.picklist(['shared', 'standard', 'custom_oidc']),
      appleBundleIds: v.optional(v.array(v.string())),
      allowSignIn: v.optional(v.boolean()),
      allowConnectedAccounts: v.optional(v.boolean()),
    },
  ),
)

export const emailConfig = v.object({
  /** 'shared': the platform's own mail server. 'standard': the project's, with all of the other fields. */
  type: v.picklist(['shared', 'standard']),
  host: v.optional(v.string()),
  port: v.optional(v.number()),
  username: v.optional(v.string()),
  password: v.optional(v.string()),
  senderName: v.optional(v.string()),
  senderEmail: v.optional(v.string()),
})

export const domain = v.object({ domain: v.string(), handlerPath: v.string() })

/** The settings that owners change and read back; the lists and `emailConfig` are replaced as a whole. */
export const projectSettings = withFields(publicSettings, {
  allowLocalhost: v.boolean(),
  createTeamOnSignUp: v.boolean(),
  oauthProviders: v.array(oauthProvider),
  domains: v.array(domain),
  emailConfig,
  emailTheme: v.string(),
  teamCreatorDefaultPermissions: permissions(),
  teamMemberDefaultPermissions: permissions(),
  userDefaultPermissions: permissions(),
  oauthAccountMergeStrategy: v.picklist(['link_method', 'raise_error', 'allow_duplicates']),
})

const logo = () => v.optional(v.nullable(v.string()))

/** A project as its owners read it, including secrets. */
export const adminProjectFields = {
  id: v.string(),
  displayName: v.string(),
  description: v.string(),
  createdAt: millis(),
  /** Absent: the platform does not say (newer releases). */
  userCount: v.optional(v.number()),
  isProductionMode: v.boolean(),
  // Absent: the platform does not say (older releases).
  ownerTeamId: v.optional(v.nullable(v.string())),
  onboardingStatus: v.optional(v.string()),
  logoUrl: logo(),
  logoFullUrl: logo(),
  logoDarkModeUrl: logo(),
  logoFullDarkModeUrl: logo(),
  config: v.object(withFields(projectSettings, { enabledOauthProviders: permissions() })),
}

/** The fields of a project that an owner may change, besides the name, which a new project must have. */
export const adminProjectChanges = {
  description: v.optional(v.nullable(v.string())),
  isProductionMode: v.optional(v.boolean()),
  onboardingStatus: newer(v.optional(v.string())),
  logoUrl: newer(logo()),
  logoFullUrl: newer(logo()),
  logoDarkModeUrl: newer(logo()),
  logoFullDarkModeUrl: newer(logo()),
  config: v.optional(v.partial(v.object(projectSettings)), {}),
}

/** The configuration that an owner may change. */
export type ProjectConfigChanges = NonNullable<
  v.InferInput<v.ObjectSchema<typeof adminProjectChanges, undefined>>['config']
>
type Provider = NonNullable<ProjectConfigChanges['oauthProviders']>[number]
type Email = NonNullable<ProjectConfigChanges['emailConfig']>

/**
 * The configuration for the request. Throws INVALID_INPUT for a provider or a mail server of type 'standard' without one of
 * its fields, for a `senderEmail` that is no e-mail address, and for a domain that is no URL; other fields of type 'shared' are
 * left out.
 */
export function completeProjectConfig<C extends ProjectConfigChanges>(config: C): C {
  return {
    ...config,
    ...(config.oauthProviders && { oauthProviders: config.oauthProviders.map(completeProvider) }),
    ...(config.emailConfig && { emailConfig: completeEmail(config.emailConfig) }),
    ...(config.domains && { domains: config.domains.map(checkedDomain) }),
  }
}

function checkedDomain<D extends { readonly domain: string }>(given: D, index: number): D {
  if (isDomain(given.domain)) return given
  throw misuse(`config.domains.${index}.domain`, notDomain(given.domain))
}

/** Continues the name of the field. */
export function notDomain(text: string): string {
  return `is "${text}", which is no address such as https://app.example.com or https://*.example.com:*`
}

function completeProvider({ id, type, ...own }: Provider, index: number): Provider {
  if (type === 'shared') return { id, type }
  for (const name of ['clientId', 'clientSecret'] as const)
    if (!own[name]) throw lacking(`config.oauthProviders.${index}.${name}`, `the provider ${id}`)
  return { id, type, ...own }
}

const emailFields = ['host', 'port', 'username', 'password', 'senderName', 'senderEmail'] as const

function completeEmail({ type, ...own }: Email): Email {
  // The platform refuses other fields of a shared one.
  if (type === 'shared') return { type }
  for (const name of emailFields)
    if (own[name] === undefined || own[name] === '') throw lacking(`config.emailConfig.${name}`, 'the mail server')
  const { senderEmail = '' } = own
  const fault = faultOfEmail(senderEmail)
  if (fault) throw invalidInput('config.emailConfig.senderEmail', fault)
  return { type, ...own, senderEmail: cleanEmail(senderEmail) }
}

function lacking(field: string, whose: string) {
  return misuse(field, `is missing or empty: ${whose} of type 'standard' needs it`)
}
