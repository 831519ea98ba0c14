// rxauth/admin: administers a project, with its admin key or an owner's session.
export { createAdminApp } from './kit/admin-app'
export type { AdminApp, AdminKeys, AdminOptions, OwnerOptions } from './kit/admin-app'
export { productionModeErrors } from './definitions/admin/production-mode-check'
export type { ProductionModeError } from './definitions/admin/production-mode-check'
export * from './kit/admin-definitions'
export { readWebhook } from './definitions/server/webhook-events'
export type { WebhookEvent } from './definitions/server/webhook-events'
