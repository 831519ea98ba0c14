// rxauth/platform: the local platform, for development and tests. Web-standard; it runs wherever `fetch` does.
export { totpCode } from './core/totp'
export { createPlatform } from './platform/create-platform'
export { tokenStoreConformance } from './platform/test-tools/token-store-conformance'
export type { ConformingTokenStore } from './platform/test-tools/token-store-conformance'
export { virtualClock } from './platform/test-tools/virtual-clock'
export type { VirtualClock, Work } from './platform/test-tools/virtual-clock'
export type {
  AnsweredRequest,
  LocalOptions,
  Platform,
  PlatformOptions,
} from './platform/platform'
export type { LocalTokens, TokenPair } from './platform/test-tools/memory-tokens'
export type { Fault, Faults, PlannedFault } from './platform/test-tools/faults'
export type { LoggedBody, LoggedExchange, LoggedRequest } from './platform/console/exchanges'
export type { LocalEvent, LocalMail, LocalTime, LocalWebhook } from './platform/console/local-events'
export type { Mail } from './platform/mail/mail'
export type { Mailbox, MailboxOptions } from './platform/mail/mailbox'
export type { SoftwareAuthenticator } from './platform/passkeys/authenticator'
export type { ProviderUser } from './platform/model/next-users'
export type { PasswordCost } from './platform/model/engine'
export type { PlantOptions } from './platform/test-tools/seed-missing'
export type { Seed, SeedPermission, SeedSession, SeedTeam, SeedUser } from './platform/test-tools/seed'
export type { ProjectConfig, SignUpRule } from './platform/model/project-config'
export type { WebhookDelivery, WebhookEndpoint } from './platform/webhooks/webhook-receiver'
export type { Webhook, Webhooks } from './platform/webhooks/webhooks'
export type { Wire } from './platform/model/release'
