import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { adminProjectFields, oauthProvider, projectSettings } from '../../entities/projects/shape'
import type { adminProjectChanges } from '../../entities/projects/shape'
import type { OwnedProject } from '../../entities/projects/client-owned'
import { withFields } from '../../transport/endpoint'
import { isDomainOf } from '../directory/trusted-url'
import { inProject, type OpenEngine } from '../model/engine'
import { laxEmail, uuid } from '../model/limits'
import { enabledProviders, providerIds, type OAuthProviderConfig, type ProjectRow } from '../model/projects'
import { fileOf, logosOf } from '../directory/projects'
import { configOf } from '../model/project-config'
import { selectedTheme } from '../mail/tsx-mail'
import { schemaError } from '../model/refusal'

const filled = v.pipe(v.string(), v.nonEmpty('must not be empty'))

const provider = { ...oauthProvider.entries, id: v.picklist(providerIds) }

const hasItsKeys = ({ type, clientId, clientSecret }: OAuthProviderConfig) =>
  type === 'shared' || (!!clientId && !!clientSecret)

const lacksKeys = 'of type standard needs client_id and client_secret'

export const mailServer = {
  host: filled,
  port: v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0), v.maxValue(65_535)),
  username: filled,
  password: filled,
  senderName: filled,
  senderEmail: laxEmail,
}

const emailConfig = v.pipe(
  v.object({ type: v.picklist(['shared', 'standard']), ...v.partial(v.object(mailServer)).entries }),
  v.check(({ type, ...server }) => {
    const given = Object.values(server).filter(value => value !== undefined).length
    return given === (type === 'shared' ? 0 : 6)
  }, 'is complete with type standard, and has nothing else with type shared'),
)

const notUrl = 'is not a valid URL'
const handlerPath = v.pipe(v.string(), v.startsWith('/', 'must begin with /'))
const domain = v.pipe(
  v.string(),
  v.check(text => /^https?:\/\//.test(text) && URL.canParse(text), notUrl),
)

/** The platform's checks of a project's configuration, beyond the kit's declarations. */
const settings = withFields(projectSettings, {
  oauthProviders: v.array(
    v.pipe(
      v.object(provider),
      v.check(given => hasItsKeys(given), lacksKeys),
    ),
  ),
  domains: v.array(v.object({ domain, handlerPath })),
  emailConfig,
  emailTheme: v.picklist(['default-light', 'default-dark']),
})

/** Replaces the kit's declaration by the platform's checks. */
export const projectChecks = { config: v.optional(v.partial(v.object(settings))) }

/** The settings on the newer release: its rules say what a domain is, and themes are named by id. */
const newerSettings = {
  ...settings,
  domains: v.array(v.object({ domain: v.string(), handlerPath })),
  oauthProviders: v.array(
    v.pipe(
      v.object({
        ...provider,
        // Also the id of a provider that the project itself defines.
        id: v.string(),
        providerConfigId: v.optional(v.string()),
        appleBundleIds: v.optional(v.array(v.string())),
      }),
      v.check(given => hasItsKeys(given), lacksKeys),
    ),
  ),
  emailTheme: uuid,
  requireEmailVerification: v.boolean(),
}

/** A project as its owners read it. The newer release has no number of users, and names its theme by id. */
export function toOwnedProject(engine: OpenEngine, project: ProjectRow, origin: string): OwnedProject {
  const { database, rules } = engine
  const { id, displayName, description, isProductionMode } = project
  const config = configOf(project)
  const shown = {
    ...{ id, displayName, description, isProductionMode },
    createdAt: new Date(project.createdAt),
    config: {
      ...config,
      oauthProviders: byKey(config.oauthProviders.map(toProvider), 'id'),
      enabledOauthProviders: enabledProviders(config),
      domains: byKey([...config.domains], 'domain'),
      teamCreatorDefaultPermissions: byKey([...config.teamCreatorDefaultPermissions], 'id'),
      teamMemberDefaultPermissions: byKey([...config.teamMemberDefaultPermissions], 'id'),
      userDefaultPermissions: byKey([...config.userDefaultPermissions], 'id'),
    },
  }
  if (!rules.hasNewerAnswers) return { ...shown, userCount: database.of(id).users.size }
  return {
    ...shown,
    ownerTeamId: project.ownerTeamId ?? null,
    onboardingStatus: project.onboardingStatus ?? 'completed',
    ...(rules.hasLaterFields && { isDevelopmentEnvironment: project.isDevelopmentEnvironment ?? false }),
    ...logosOf(project, origin),
    config: {
      ...shown.config,
      oauthProviders: shown.config.oauthProviders.map(provider => ({ ...provider, providerConfigId: provider.id })),
      emailTheme: selectedTheme(inProject(engine, id)),
    },
  }
}

/** Leaves out the platform's own keys. */
function toProvider({
  type,
  appleBundleIds,
  ...provider
}: OAuthProviderConfig): OwnedProject['config']['oauthProviders'][number] {
  // Checked configurations have ids of the schema only; a seed is not checked.
  const id = provider.id as (typeof providerIds)[number]
  return { ...(type === 'shared' ? { type } : { ...provider, type: 'standard' }), ...{ appleBundleIds }, id }
}

function byKey<K extends string, T extends Readonly<Record<K, string>>>(list: T[], key: K): T[] {
  return list.sort((left, right) => (left[key] < right[key] ? -1 : 1))
}

/** The fields of a project that the newer release adds or answers in another form. */
export const newerProject = {
  isDevelopmentEnvironment: v.optional(v.boolean()),
  config: v.object({
    ...adminProjectFields.config.entries,
    oauthProviders: v.array(
      v.object({
        ...oauthProvider.entries,
        providerConfigId: v.string(),
        appleBundleIds: v.optional(v.array(v.string())),
      }),
    ),
  }),
}

const onboardingStatuses: readonly string[] = [
  ...['config_choice', 'apps_selection', 'auth_setup', 'domain_setup', 'email_theme_setup', 'payments_setup'],
  ...['welcome', 'completed'],
]

export const newerProjectChecks = {
  onboardingStatus: v.optional(v.picklist(onboardingStatuses)),
  config: v.optional(v.partial(v.object(newerSettings))),
}

type ProjectUpdate = v.InferOutput<
  v.ObjectSchema<Omit<typeof adminProjectChanges, 'config'> & typeof newerProjectChecks, undefined>
>

/** The changes in terms of rows; logos and onboarding as the caller sent them. */
export function changesOf(
  { rules }: OpenEngine,
  { config, onboardingStatus, ...rest }: ProjectUpdate,
  project?: ProjectRow,
) {
  const wrong = config?.domains?.findIndex(given => !isDomainOf(rules, given.domain)) ?? -1
  if (wrong >= 0) throw schemaError(`body.config.domains[${wrong}].domain ${notUrl}`)
  const { logoUrl, logoFullUrl, logoDarkModeUrl, logoFullDarkModeUrl, ...others } = rest
  const { oauthProviders, ...settings } = config ?? {}
  // The address of a logo's own file is what a caller sends back unchanged.
  const newer = presentIn({ onboardingStatus, logoUrl, logoFullUrl, logoDarkModeUrl, logoFullDarkModeUrl })
  return {
    changes: {
      ...others,
      ...(config && {
        config: {
          ...settings,
          ...(oauthProviders && { oauthProviders: oauthProviders.map(({ providerConfigId: _, ...each }) => each) }),
        },
      }),
    },
    newer: Object.fromEntries(
      Object.entries(newer).filter(([name, url]) => !(project && url?.endsWith(fileOf(project, name, '')))),
    ) as Partial<ProjectRow>,
  }
}
