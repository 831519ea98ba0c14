import { anonymousRoutes } from './routes/anonymous'
import { cliRoutes } from './routes/cli'
import { connectedAccountRoutes } from './routes/connected-accounts'
import { contactChannelRoutes } from './routes/contact-channels'
import { credentialScanningRoutes } from './routes/credential-scanning'
import { currentUserRoutes } from './routes/current-user'
import { emailTemplateRoutes } from './routes/email-templates'
import { emailRoutes } from './routes/emails'
import { internalApiKeyRoutes } from './routes/internal-api-keys'
import { internalEmailRoutes } from './routes/internal-emails'
import { internalMetricsRoutes } from './routes/internal-metrics'
import { internalProjectRoutes } from './routes/internal-projects'
import { magicLinkRoutes } from './routes/magic-link'
import { mfaRoutes } from './routes/mfa'
import { newerConfigRoutes } from './routes/newer-config'
import { newerAppleRoutes } from './routes/newer-apple'
import { newerConnectedAccountRoutes } from './routes/newer-connected-accounts'
import { newerAnalyticsRoutes } from './routes/newer-analytics'
import { newerEmailDeliveryRoutes } from './routes/newer-email-delivery'
import { newerEmailDraftRoutes } from './routes/newer-email-drafts'
import { newerEmailOutboxRoutes } from './routes/newer-email-outbox'
import { newerEmailTemplateRoutes } from './routes/newer-email-templates'
import { laterEmailThemeRoutes, newerEmailThemeRoutes } from './routes/newer-email-themes'
import { newerEmailRoutes } from './routes/newer-emails'
import { newerOAuthProviderRoutes } from './routes/newer-oauth-providers'
import { newerProjectRoutes } from './routes/newer-projects'
import { newerSignUpRuleRoutes } from './routes/newer-sign-up-rules'
import { newerTeamInvitationRoutes } from './routes/newer-team-invitations'
import { notificationPreferenceRoutes } from './routes/notification-preferences'
import { oauthAuthorizeRoutes } from './routes/oauth-authorize'
import { oauthCallbackRoutes } from './routes/oauth-callback'
import { oauthTokenRoutes } from './routes/oauth-token'
import { passwordRoutes } from './routes/password'
import { passkeyRoutes } from './routes/passkeys'
import { passwordResetRoutes } from './routes/password-reset'
import { permissionDefinitionRoutes } from './routes/permission-definitions'
import { permissionRoutes } from './routes/permissions'
import { projectRoutes } from './routes/projects'
import { rootRoutes } from './routes/root'
import { sessionRoutes } from './routes/sessions'
import { teamApiKeyRoutes } from './routes/team-api-keys'
import { teamInvitationRoutes } from './routes/team-invitations'
import { teamMemberRoutes } from './routes/team-members'
import { teamRoutes } from './routes/teams'
import { userApiKeyRoutes } from './routes/user-api-keys'
import { userRoutes } from './routes/users'
import { utilityRoutes } from './routes/utilities'
import { webhookTokenRoutes } from './routes/webhook-token'
import { compile, patternOf } from './http/router'
import type { Address } from './http/router'
import type { Served } from './http/serve'
import type { WireRules } from './model/release'

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
