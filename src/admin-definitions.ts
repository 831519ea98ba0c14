// What an admin kit can do. rxauth/admin exports every name; an admin app has each function with its kit bound to it.
export * from './admin/email-templates'
export * from './admin/emails'
export * from './admin/internal-api-keys'
export * from './admin/metrics'
export * from './admin/permission-definitions'
export * from './admin/production-mode'
export * from './admin/project'
export * from './admin/webhooks'
