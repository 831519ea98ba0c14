import * as v from 'valibot'
import { millis } from '../../core/wire'
import { isOwnFile, logosOf } from '../directory/project-logos'
import { themeOf } from '../mail/email-themes'
import { selectedTheme } from '../mail/tsx-mail'
import { inProject } from '../model/engine'
import type { OpenEngine } from '../model/engine'
import type { ProjectConfig } from '../model/project-config'
import { newerSettings, toOwnedProject } from './project-shapes'
import type { ProjectRow } from '../model/projects'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const permissions = () => v.array(v.object({ id: v.string() }))
const logo = () => v.nullable(v.string())

const logos = { logoUrl: logo(), logoFullUrl: logo(), logoDarkModeUrl: logo(), logoFullDarkModeUrl: logo() }

/** A project as its owners read it on the newer release, which has no number of users. */
export const NewerProject = v.object({
  id: v.string(),
  displayName: v.string(),
  description: v.string(),
  createdAt: millis(),
  isProductionMode: v.boolean(),
  ownerTeamId: v.nullable(v.string()),
  onboardingStatus: v.string(),
  isDevelopmentEnvironment: v.optional(v.boolean()),
  ...logos,
  config: v.object({
    allowLocalhost: v.boolean(),
    signUpEnabled: v.boolean(),
    credentialEnabled: v.boolean(),
    magicLinkEnabled: v.boolean(),
    passkeyEnabled: v.boolean(),
    clientTeamCreationEnabled: v.boolean(),
    clientUserDeletionEnabled: v.boolean(),
    createTeamOnSignUp: v.boolean(),
    allowUserApiKeys: v.boolean(),
    allowTeamApiKeys: v.boolean(),
    oauthProviders: v.array(
      v.object({
        id: v.string(),
        providerConfigId: v.string(),
        type: v.picklist(['shared', 'standard']),
        clientId: v.optional(v.string()),
        clientSecret: v.optional(v.string()),
        facebookConfigId: v.optional(v.string()),
        microsoftTenantId: v.optional(v.string()),
        appleBundleIds: v.optional(v.array(v.string())),
      }),
    ),
    enabledOauthProviders: permissions(),
    domains: v.array(v.object({ domain: v.string(), handlerPath: v.string() })),
    emailConfig: v.object({
      type: v.picklist(['shared', 'standard']),
      host: v.optional(v.string()),
      port: v.optional(v.number()),
      username: v.optional(v.string()),
      password: v.optional(v.string()),
      senderName: v.optional(v.string()),
      senderEmail: v.optional(v.string()),
    }),
    emailTheme: v.string(),
    teamCreatorDefaultPermissions: permissions(),
    teamMemberDefaultPermissions: permissions(),
    userDefaultPermissions: permissions(),
    oauthAccountMergeStrategy: v.string(),
  }),
})

const onboardingStatuses: readonly string[] = [
  ...['config_choice', 'apps_selection', 'auth_setup', 'domain_setup', 'email_theme_setup', 'payments_setup'],
  ...['welcome', 'completed'],
]

/** The fields that an owner may change besides a project's name and team. */
export const newerProjectChanges = {
  description: v.optional(v.nullable(v.string())),
  isProductionMode: v.optional(v.boolean()),
  onboardingStatus: v.optional(v.picklist(onboardingStatuses)),
  ...v.partial(v.object(logos)).entries,
  config: v.optional(v.partial(v.object(newerSettings))),
}

type Changes = v.InferOutput<v.ObjectSchema<typeof newerProjectChanges, undefined>>

/** The changes in terms of rows: themes by name, logos and onboarding as the caller sent them. */
export function newerChangesOf({ config, onboardingStatus, ...rest }: Changes, project?: ProjectRow) {
  const { logoUrl, logoFullUrl, logoDarkModeUrl, logoFullDarkModeUrl, ...others } = rest
  const { emailTheme, oauthProviders, ...settings } = config ?? {}
  const selectedThemeId = emailTheme
  const given = { onboardingStatus, logoUrl, logoFullUrl, logoDarkModeUrl, logoFullDarkModeUrl, selectedThemeId }
  return {
    changes: {
      ...others,
      ...(config && {
        config: {
          ...settings,
          ...(emailTheme !== undefined && { emailTheme: themeOf(emailTheme) }),
          ...(oauthProviders && { oauthProviders: oauthProviders.map(({ providerConfigId: _, ...each }) => each) }),
        },
      }),
    },
    newer: Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) => value !== undefined && !(project && isOwnFile(project, name, value)),
      ),
    ) as Partial<ProjectRow>,
  }
}

export function toNewerProject(
  engine: OpenEngine,
  project: ProjectRow,
  origin: string,
): v.InferOutput<typeof NewerProject> {
  const { config, ...rest } = toOwnedProject(engine, project)
  return {
    ...rest,
    ownerTeamId: project.ownerTeamId ?? null,
    onboardingStatus: project.onboardingStatus ?? 'completed',
    ...(engine.rules.hasLaterFields && { isDevelopmentEnvironment: project.isDevelopmentEnvironment ?? false }),
    ...logosOf(project, origin),
    config: {
      ...config,
      oauthProviders: config.oauthProviders.map(provider => ({
        ...provider,
        providerConfigId: provider.id,
        ...bundleIdsOf(project.config, provider.id),
      })),
      emailTheme: selectedTheme(inProject(engine, project.id), project),
    },
  }
}

function bundleIdsOf({ oauthProviders }: ProjectConfig, id: string): { readonly appleBundleIds?: string[] } {
  const { appleBundleIds } = oauthProviders.find(provider => provider.id === id) ?? {}
  return appleBundleIds ? { appleBundleIds: [...appleBundleIds] } : {}
}
