// rxauth/server: for backends, with the secret server key. Never for a browser.
export { changes, type ChangesOptions } from './extras/changes/changes'
export { confirmed, type ExpectedConfirmation } from './extras/confirm/server'
export { currentUser, type CurrentUserOptions } from './kit/current-user'
export { asUser, withSession, type AnswerHeaders } from './kit/requests'
export type { RequestApp, RenderedServerOptions } from './kit/request-app'
export { createServerApp, type ServerApp, type ServerOptions } from './kit/server-app'
export type { VerifyAccessTokenOfServer } from './kit/verifier-of'
export * from './entities/server'
export { teamByApiKey, userByApiKey } from './entities/api-keys/server'
export { branchConfigOverride$, updateBranchConfig, replaceBranchConfig } from './entities/config/server'
export { EmailDeliveryInfo, emailDeliveryInfo$ } from './entities/emails/server'
export * from './entities/email-outbox/server'
export type {
  BranchConfigChanges,
  BranchConfigReplacement,
  BranchOverride,
  ConfigOverride,
} from './entities/config/server'
export { ConfigSource } from './entities/config/server'
export {
  oauthProvidersOf$,
  providerAccountsOf$,
  createOAuthProviderById,
  updateOAuthProviderById,
  deleteOAuthProviderById,
  providerAccountTokenById,
} from './entities/connected-accounts/server'
export { teamMemberPermissions$, type UserPermissionCheck } from './entities/permissions/server'
export { teamPage$, listTeams } from './entities/teams/server'
export type { KeysCache } from './verify/keys-cache'
export { isCacheHeader } from './session/requests/set-cookies'
export { requestAccessToken } from './verify/verify-request'
export { tokenVerifier, type VerifierOptions, type VerifyAccessToken } from './verify/token-verifier'
export type { OfflineVerifyOptions, TokenUser, VerifiedToken, VerifyOptions } from './verify/verified-token'
export type { Verified, VerifyRequest, VerifyRequestOfServer } from './verify/verify-request'
export { verifyWebhook } from './verify/verify-webhook'
export type { VerifyWebhookOptions, WebhookRequest } from './verify/verify-webhook'
export type { UnreadBody } from './verify/verify-webhook'
export type { UnknownWebhookEvent, WebhookEvent, WebhookType } from './entities/webhooks/server-events'
export { readWebhook } from './entities/webhooks/server-events'
export { webhookMemory } from './verify/verify-webhook'
export type { WebhookMemory } from './verify/verify-webhook'
