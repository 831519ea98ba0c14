import { anonymousRoutes, magicLinkRoutes, mfaRoutes } from './sign-ins'
import { cliRoutes } from './cli'
import { connectedAccountRoutes, newerConnectedAccountRoutes, newerOAuthProviderRoutes } from './connected-accounts'
import { contactChannelRoutes } from './contact-channels'
import { credentialScanningRoutes, teamApiKeyRoutes, userApiKeyRoutes } from './api-keys'
import { currentUserRoutes, userRoutes } from './users'
import {
  emailTemplateRoutes,
  newerEmailTemplateRoutes,
  laterEmailThemeRoutes,
  newerEmailThemeRoutes,
} from './email-templates'
import { emailRoutes, newerEmailRoutes } from './emails'
import { internalApiKeyRoutes } from './internal-api-keys'
import { internalEmailRoutes, newerEmailDeliveryRoutes } from './email-delivery'
import { internalMetricsRoutes, newerAnalyticsRoutes } from './metrics'
import { internalProjectRoutes, newerProjectRoutes, projectRoutes } from './projects'
import { newerConfigRoutes } from './config'
import { newerAppleRoutes, oauthTokenRoutes } from './oauth-token'
import { newerEmailDraftRoutes } from './email-drafts'
import { newerEmailOutboxRoutes } from './email-outbox'
import { newerSignUpRuleRoutes } from './sign-up-rules'
import { newerTeamInvitationRoutes, teamInvitationRoutes } from './team-invitations'
import { notificationPreferenceRoutes } from './notification-preferences'
import { oauthAuthorizeRoutes } from './oauth-authorize'
import { oauthCallbackRoutes } from './oauth-callback'
import { passwordRoutes, passwordResetRoutes } from './password'
import { passkeyRoutes } from './passkeys'
import { permissionDefinitionRoutes, permissionRoutes } from './permissions'
import { rootRoutes, utilityRoutes, webhookTokenRoutes } from './platform'
import { sessionRoutes } from './sessions'
import { teamMemberRoutes } from './team-members'
import { teamRoutes } from './teams'
import { compile, patternOf } from '../http/router'
import type { Address } from '../http/router'
import type { Served } from '../http/serve'
import type { WireRules } from '../model/release'

/** Every route of the platform; each resource has its own file. */
export const routes: readonly Served[] = [
  ...rootRoutes,
  ...utilityRoutes,
  ...passwordRoutes,
  ...passwordResetRoutes,
  ...magicLinkRoutes,
  ...anonymousRoutes,
  ...passkeyRoutes,
  ...mfaRoutes,
  ...cliRoutes,
  ...oauthAuthorizeRoutes,
  ...oauthCallbackRoutes,
  ...oauthTokenRoutes,
  ...connectedAccountRoutes,
  ...sessionRoutes,
  ...currentUserRoutes,
  ...userRoutes,
  ...contactChannelRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...permissionRoutes,
  ...permissionDefinitionRoutes,
  ...userApiKeyRoutes,
  ...teamApiKeyRoutes,
  ...teamInvitationRoutes,
  ...credentialScanningRoutes,
  ...notificationPreferenceRoutes,
  ...emailRoutes,
  ...projectRoutes,
  ...internalProjectRoutes,
  ...internalApiKeyRoutes,
  ...emailTemplateRoutes,
  ...internalEmailRoutes,
  ...internalMetricsRoutes,
  ...webhookTokenRoutes,
].flat()

/** Routes that only the newer release has, or has in another form; they replace the ones above. */
export const newerRoutes: readonly Served[] = [
  ...newerProjectRoutes,
  ...newerConfigRoutes,
  ...newerSignUpRuleRoutes,
  ...newerEmailRoutes,
  ...newerEmailOutboxRoutes,
  ...newerAnalyticsRoutes,
  ...newerEmailDeliveryRoutes,
  ...newerEmailTemplateRoutes,
  ...newerEmailThemeRoutes,
  ...laterEmailThemeRoutes,
  ...newerEmailDraftRoutes,
  ...newerTeamInvitationRoutes,
  ...newerConnectedAccountRoutes,
  ...newerOAuthProviderRoutes,
  ...newerAppleRoutes,
].flat()

/** The routes of a release. */
export function routesOf({ hasEmailTemplates, hasNewerAnswers, hasLaterFields }: WireRules): readonly Served[] {
  const gone = new Set(hasEmailTemplates ? [] : emailTemplateRoutes.flat())
  const kept = routes.filter(one => !gone.has(one))
  if (!hasNewerAnswers) return kept
  const later = new Set(hasLaterFields ? [] : laterEmailThemeRoutes.flat())
  const added = newerRoutes.filter(one => !later.has(one))
  const replaced = new Set(added.map(({ route }) => route))
  return [...kept.filter(({ route }) => !replaced.has(route)), ...added]
}

const compiled = new Map<WireRules, readonly Address[]>()

/** The addresses of a release: one list for all of its platforms, since a test makes thousands of them. */
export function addressesOf(rules: WireRules): readonly Address[] {
  const addresses = compiled.get(rules) ?? compile(routesOf(rules))
  compiled.set(rules, addresses)
  return addresses
}

/** `METHOD path` of every address of these routes. */
export function servedRoutes(served = routes): readonly string[] {
  return compile(served).map(patternOf)
}
