import { anonymousRoutes } from './anonymous'
import { cliRoutes } from './cli'
import { connectedAccountRoutes } from './connected-accounts'
import { contactChannelRoutes } from './contact-channels'
import { credentialScanningRoutes } from './credential-scanning'
import { currentUserRoutes } from './current-user'
import { emailTemplateRoutes } from './email-templates'
import { emailRoutes } from './emails'
import { internalApiKeyRoutes } from './internal-api-keys'
import { internalEmailRoutes } from './internal-emails'
import { internalMetricsRoutes } from './internal-metrics'
import { internalProjectRoutes } from './internal-projects'
import { magicLinkRoutes } from './magic-link'
import { mfaRoutes } from './mfa'
import { newerConfigRoutes } from './config'
import { newerAppleRoutes } from './newer-apple'
import { newerConnectedAccountRoutes } from './newer-connected-accounts'
import { newerAnalyticsRoutes } from './newer-analytics'
import { newerEmailDeliveryRoutes } from './newer-email-delivery'
import { newerEmailDraftRoutes } from './email-drafts'
import { newerEmailOutboxRoutes } from './newer-email-outbox'
import { newerEmailTemplateRoutes } from './newer-email-templates'
import { laterEmailThemeRoutes, newerEmailThemeRoutes } from './email-themes'
import { newerEmailRoutes } from './newer-emails'
import { newerOAuthProviderRoutes } from './newer-oauth-providers'
import { newerProjectRoutes } from './newer-projects'
import { newerSignUpRuleRoutes } from './sign-up-rules'
import { newerTeamInvitationRoutes } from './newer-team-invitations'
import { notificationPreferenceRoutes } from './notification-preferences'
import { oauthAuthorizeRoutes } from './oauth-authorize'
import { oauthCallbackRoutes } from './oauth-callback'
import { oauthTokenRoutes } from './oauth-token'
import { passwordRoutes } from './password'
import { passkeyRoutes } from './passkeys'
import { passwordResetRoutes } from './password-reset'
import { permissionDefinitionRoutes } from './permission-definitions'
import { permissionRoutes } from './permissions'
import { projectRoutes } from './projects'
import { rootRoutes } from './root'
import { sessionRoutes } from './sessions'
import { teamApiKeyRoutes } from './team-api-keys'
import { teamInvitationRoutes } from './team-invitations'
import { teamMemberRoutes } from './team-members'
import { teamRoutes } from './teams'
import { userApiKeyRoutes } from './user-api-keys'
import { userRoutes } from './users'
import { utilityRoutes } from './utilities'
import { webhookTokenRoutes } from './webhook-token'
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
