import * as v from 'valibot'
import { millis, newer } from '../../core/wire'
import { withFields } from '../../transport/endpoint'
import { publicSettings } from './shape-project-settings'

const permissions = () => v.array(v.object({ id: v.string() }))

const oauthProvider = v.object({
  id: v.string(),
  /** 'shared': with the platform's own keys at the provider, for trying out. 'standard': with the project's. */
  type: v.picklist(['shared', 'standard']),
  clientId: v.optional(v.string()),
  clientSecret: v.optional(v.string()),
  facebookConfigId: v.optional(v.string()),
  microsoftTenantId: v.optional(v.string()),
})

const emailConfig = v.object({
  /** 'shared': the platform's own mail server. 'standard': the project's, with all of the other fields. */
  type: v.picklist(['shared', 'standard']),
  host: v.optional(v.string()),
  port: v.optional(v.number()),
  username: v.optional(v.string()),
  password: v.optional(v.string()),
  senderName: v.optional(v.string()),
  senderEmail: v.optional(v.string()),
})

/** The settings that owners change and read back; the lists and `emailConfig` are replaced as a whole. */
export const projectSettings = withFields(publicSettings, {
  allowLocalhost: v.boolean(),
  createTeamOnSignUp: v.boolean(),
  oauthProviders: v.array(oauthProvider),
  domains: v.array(v.object({ domain: v.string(), handlerPath: v.string() })),
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
