import type { Platform } from '../platform'

/** The names of each variable, the hosted platform's new name and its old one, in the order in which a kit on a server reads them. */
export const variableNames = {
  url: [
    ...['NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER', 'NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL', 'NEXT_PUBLIC_HEXCLAVE_API_URL'],
    ...['NEXT_PUBLIC_HEXCLAVE_URL', 'NEXT_PUBLIC_SERVER_STACK_API_URL', 'NEXT_PUBLIC_STACK_API_URL'],
    ...['NEXT_PUBLIC_STACK_URL', 'VITE_STACK_API_URL', 'HEXCLAVE_API_URL_SERVER', 'HEXCLAVE_API_URL', 'STACK_API_URL'],
  ],
  projectId: [
    ...['NEXT_PUBLIC_HEXCLAVE_PROJECT_ID', 'NEXT_PUBLIC_STACK_PROJECT_ID', 'VITE_STACK_PROJECT_ID'],
    ...['HEXCLAVE_PROJECT_ID', 'STACK_PROJECT_ID'],
  ],
  clientKey: [
    ...['NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY', 'NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY'],
    ...['VITE_STACK_PUBLISHABLE_CLIENT_KEY', 'HEXCLAVE_PUBLISHABLE_CLIENT_KEY', 'STACK_PUBLISHABLE_CLIENT_KEY'],
  ],
  adminKey: ['HEXCLAVE_SUPER_SECRET_ADMIN_KEY', 'STACK_SUPER_SECRET_ADMIN_KEY'],
  serverKey: ['HEXCLAVE_SECRET_SERVER_KEY', 'STACK_SECRET_SERVER_KEY'],
} as const

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

/** The environment variables of a command under all their names: lines of its `.env` file for another platform have no effect. */
export function variablesFor({ adminOptions, webhooks }: Platform, url: string): Readonly<Record<string, string>> {
  const under = (names: readonly string[], value: string) => Object.fromEntries(names.map(name => [name, value]))
  const { url: urlNames, projectId, clientKey, serverKey, adminKey } = variableNames
  return {
    ...under([...urlNames, ...urlNames.map(name => name.replace('SERVER', 'BROWSER'))], url),
    ...under(projectId, adminOptions.projectId),
    ...under(clientKey, adminOptions.publishableClientKey),
    ...under(serverKey, adminOptions.secretServerKey),
    ...under(adminKey, adminOptions.superSecretAdminKey),
    STACK_WEBHOOK_SECRET: webhooks.secret,
  }
}
