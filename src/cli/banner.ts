import type { ConfiguredSeed } from '../platform-node'
import type { Platform, SeedUser } from '../platform'
import { networkInterfaces } from 'node:os'
import { nameOf } from './config-file'
import type { OpenedData } from './data-place'
import { authenticatorSecret, readyMade } from './ready-made'
import type { DevSettings } from './settings'

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
function dotEnv(platform: Platform, url: string, prefix: string): Readonly<Record<string, string>> {
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

/** The facts about a started platform that the banner shows. */
export interface Started {
  readonly platform: Platform
  readonly data: OpenedData
  readonly settings: DevSettings
  readonly configFile: string | null
  readonly url: string
  /** The address of the console; null if this platform has none. */
  readonly consoleUrl: string | null
  /** How to get passkeys to work; null if they do. */
  readonly passkeyAdvice: string | null
  readonly folder: string
  /** The prefix of variables for the project's bundler. */
  readonly prefix: string
  /** The usual address of the app. */
  readonly appUrl: string
}

/** Larger seeds are for tests; their users are not listed. */
const maxPeople = 8

/** The banner for a terminal. */
export function banner(started: Started): string {
  const { platform, data, settings, configFile, url, consoleUrl, passkeyAdvice, folder, prefix } = started
  const { file, sqlite } = data
  const inMemory = 'in memory: it is gone when the platform ends'
  const rows: (readonly [name: string, value: string] | null)[] = [
    ['Local platform', url],
    consoleUrl === null ? null : ['Console', consoleUrl],
    mailboxOf(started) === null ? null : ['Mailbox', mailboxOf(started) ?? ''],
    ['Data', file === null || sqlite === null ? inMemory : `${nameOf(file, folder)} (${sqlite})`],
    configFile === null ? null : ['Configuration', nameOf(configFile, folder)],
    ['Project id', platform.options.projectId],
    ['Publishable key', platform.options.publishableClientKey],
    settings.webhooks.length > 0 ? ['Webhook secret', platform.webhooks.secret] : null,
  ]
  const table = rows.flatMap(row => (row ? [`${row[0].padEnd(18)}${row[1]}\n`] : [])).join('')
  const lines = Object.entries(dotEnv(platform, url, prefix)).map(([name, value]) => `  ${name}=${value}\n`)
  return [
    table,
    data.howToKeep === null ? '' : `\nTo keep the data: ${data.howToKeep}\n`,
    passkeyAdvice === null ? '' : `\nTo use passkeys: ${passkeyAdvice}\n`,
    exposure(settings, url),
    people(started),
    `\nFor .env, where the command is not run by \`rxauth dev -- command\`:\n${lines.join('')}\n`,
  ].join('')
}

/** The banner as one line of JSON, for programs. */
export function jsonLine(started: Started): string {
  const { platform, data, settings, configFile, url, consoleUrl } = started
  const { users = [], owners = [] } = seedOf(settings)
  return `${JSON.stringify({
    url,
    console: consoleUrl,
    mailbox: mailboxOf(started),
    projectId: platform.options.projectId,
    publishableClientKey: platform.options.publishableClientKey,
    data: data.file,
    config: configFile,
    wire: settings.wire,
    users: users.map(user => ({ ...personOf(user), signIn: signInAddress(started, user) })),
    owners: owners.map(personOf),
    env: variablesFor(platform, url),
    pid: process.pid,
  })}\n`
}

function personOf(user: SeedUser): object {
  const { email, password, displayName } = user
  return {
    email: email ?? null,
    password: password ?? null,
    displayName: displayName ?? null,
    totpSecret: authenticatorSecret(user),
  }
}

/** Signs in as that person, without a password; null on a platform that has no pages of its own. */
function signInAddress({ url, settings, appUrl }: Started, { email }: Partial<SeedUser> = {}): string | null {
  if (settings.compatibility === 'strict' || email === undefined) return null
  // The platform itself leads to this one.
  return `${url}/as/${email}${appUrl === 'http://localhost:3000/' ? '' : `?to=${appUrl}`}`
}

function mailboxOf({ url, settings }: Started): string | null {
  return settings.compatibility === 'strict' ? null : `${url}/mailbox`
}

/** Typed as in the configuration, not as the constant of the ready-made seed. */
function seedOf({ seed }: DevSettings): ConfiguredSeed {
  return seed ?? readyMade
}

/** The users of the seed; the data of an earlier start may have others. */
function people(started: Started): string {
  const { data, settings } = started
  const { users = [], owners = [] } = seedOf(settings)
  const listed = users.filter(({ email }) => email !== undefined)
  const rows = [
    ...listed.slice(0, maxPeople).map(user => row(user, signInAddress(started, user))),
    ...owners.map(user => row(user, 'owns the project')),
  ]
  if (rows.length === 0) return ''
  const more = listed.length > maxPeople ? `  and ${listed.length - maxPeople} more\n` : ''
  const asPlanted = data.isNew ? '' : ', with the passwords that they began with'
  const how =
    signInAddress(started, listed[0]) === null
      ? ''
      : `  Each address signs in at ${started.appUrl}, or where it says so: ?to=${started.appUrl}account\n`
  return `\nPeople to sign in with${asPlanted}:\n${rows.join('')}${more}${how}`
}

function row({ email = '', password, displayName = '', ...user }: SeedUser, last: string | null): string {
  const secret = authenticatorSecret(user)
  const notes = [
    password === undefined ? 'no password' : `password "${password}"`,
    secret === null ? '' : `second factor ${secret}`,
    last ?? '',
  ]
  return `  ${email.padEnd(20)} ${displayName.padEnd(14)} ${notes.filter(note => note !== '').join(', ')}\n`
}

function exposure({ host }: DevSettings, url: string): string {
  if (isLoopback(host)) return ''
  const { port } = new URL(url)
  const addresses = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(
      ({ internal, family, address }) => !internal && family === 'IPv4' && (isEverywhere(host) || address === host),
    )
    .map(({ address }) => `http://${address}:${port}`)
  return `
Exposed: whatever reaches ${[...new Set(addresses)].join(' or ') || `${host}:${port}`} can read every mail and do everything with the secret keys,
which are no secrets. Do this only on a network that you trust. Names other than addresses need --allow-host.
`
}

export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Whether a host is this machine; the brackets are those that IPv6 addresses have in URLs. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host)
}
