import type { Platform } from '../platform'

/** Bundlers pass only variables with such a prefix to pages; the kit reads all of these. */
const prefixes = ['', 'NEXT_PUBLIC_', 'VITE_'] as const

/** The lines of an `.env` file for a project whose public variables have the prefix. */
export function dotEnv(platform: Platform, url: string, prefix: string): Readonly<Record<string, string>> {
  const { adminOptions, webhooks } = platform
  return {
    [`${prefix}STACK_API_URL`]: url,
    [`${prefix}STACK_PROJECT_ID`]: adminOptions.projectId,
    [`${prefix}STACK_PUBLISHABLE_CLIENT_KEY`]: adminOptions.publishableClientKey,
    STACK_SECRET_SERVER_KEY: adminOptions.secretServerKey,
    STACK_SUPER_SECRET_ADMIN_KEY: adminOptions.superSecretAdminKey,
    STACK_WEBHOOK_SECRET: webhooks.secret,
  }
}

/** The environment variables of a command, with the prefixes of every bundler. */
export function variablesFor(platform: Platform, url: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...prefixes.map(prefix => dotEnv(platform, url, prefix))) as Readonly<Record<string, string>>
}
