import { DEV } from '../core/dev'
import { isBrowser } from '../core/host'
import { hostedBaseUrl } from '../core/hosted-base-url'
import { isRecord } from '../core/is-record'
import { localProject } from '../core/local-project'
import { parseJson } from '../core/or-undefined'
import { parseUrl } from '../core/parse-url'
import { viteApiUrl, viteClientKey, viteProjectId } from '../core/vite-environment'
import { withoutBlankEnds, withoutEnding } from '../core/without-ending'
import { AuthError, invalidInput } from '../errors/auth-error'
import type { Access } from './endpoint'
import { redact } from '../core/redact'
import { setting, settingOf, variableOf } from '../errors/setting'

/** Where the platform is and which project this is. */
export interface Config {
  readonly projectId: string
  /** Null: none is configured, which newer platforms allow. */
  readonly publishableClientKey: string | null
  /** Without trailing slashes and without `/api/v1`. */
  readonly baseUrl: string
  readonly extraHeaders: Readonly<Record<string, string>>
  /** The extra headers of each level above client access; the kit cannot call a level without them. */
  readonly keys: KeyHeaders
}

/** Key headers by level. */
export type KeyHeaders = Readonly<Partial<Record<Access, Readonly<Record<string, string>>>>>

export interface ConfigOptions {
  readonly projectId?: string
  /** Null: none, even if the environment has one. */
  readonly publishableClientKey?: string | null
  readonly baseUrl?: string | { readonly browser: string; readonly server: string }
  readonly extraHeaders?: Readonly<Record<string, string>>
}

/** Written out one by one because bundlers inline nothing else. */
declare const process: {
  readonly env: {
    readonly NEXT_PUBLIC_HEXCLAVE_PROJECT_ID?: string
    readonly NEXT_PUBLIC_STACK_PROJECT_ID?: string
    readonly HEXCLAVE_PROJECT_ID?: string
    readonly STACK_PROJECT_ID?: string
    readonly NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY?: string
    readonly NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY?: string
    readonly HEXCLAVE_PUBLISHABLE_CLIENT_KEY?: string
    readonly STACK_PUBLISHABLE_CLIENT_KEY?: string
    readonly NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS?: string
    readonly NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS?: string
    readonly NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER?: string
    readonly NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL?: string
    readonly NEXT_PUBLIC_BROWSER_STACK_API_URL?: string
    readonly NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER?: string
    readonly NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL?: string
    readonly NEXT_PUBLIC_SERVER_STACK_API_URL?: string
    readonly NEXT_PUBLIC_HEXCLAVE_API_URL?: string
    readonly NEXT_PUBLIC_STACK_API_URL?: string
    readonly NEXT_PUBLIC_HEXCLAVE_URL?: string
    readonly NEXT_PUBLIC_STACK_URL?: string
    readonly HEXCLAVE_API_URL_BROWSER?: string
    readonly HEXCLAVE_API_URL_SERVER?: string
    readonly HEXCLAVE_API_URL?: string
    readonly STACK_API_URL?: string
  }
}

/** Options take precedence over environment variables, and these over the local platform's values. */
export function resolveConfig(options: ConfigOptions, keys: KeyHeaders = {}): Config {
  const baseUrl = resolveBaseUrl(options.baseUrl)
  const local = isLoopback(baseUrl) ? localProject : undefined
  const config: Config = {
    baseUrl,
    projectId:
      settingOf(
        'projectId',
        options.projectId,
        ['NEXT_PUBLIC_HEXCLAVE_PROJECT_ID', () => process.env.NEXT_PUBLIC_HEXCLAVE_PROJECT_ID],
        ['NEXT_PUBLIC_STACK_PROJECT_ID', () => process.env.NEXT_PUBLIC_STACK_PROJECT_ID],
        ['VITE_STACK_PROJECT_ID', viteProjectId],
        ['HEXCLAVE_PROJECT_ID', () => process.env.HEXCLAVE_PROJECT_ID],
        ['STACK_PROJECT_ID', () => process.env.STACK_PROJECT_ID],
      ) ||
      local?.projectId ||
      projectMissing(baseUrl),
    publishableClientKey:
      options.publishableClientKey === null
        ? null
        : settingOf(
            'publishableClientKey',
            options.publishableClientKey,
            [
              'NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY',
              () => process.env.NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY,
            ],
            ['NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY', () => process.env.NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY],
            ['VITE_STACK_PUBLISHABLE_CLIENT_KEY', viteClientKey],
            ['HEXCLAVE_PUBLISHABLE_CLIENT_KEY', () => process.env.HEXCLAVE_PUBLISHABLE_CLIENT_KEY],
            ['STACK_PUBLISHABLE_CLIENT_KEY', () => process.env.STACK_PUBLISHABLE_CLIENT_KEY],
          ) ||
          local?.publishableClientKey ||
          null,
    extraHeaders: options.extraHeaders ?? headersFromEnvironment(),
    keys,
  }
  assertPublic({ ...(!keys.server && { ...config.extraHeaders, ...options }), ...config })
  return config
}

/** Refuses secret keys under any name: everything in a client is public. */
function assertPublic(values: object): void {
  for (const [field, value] of Object.entries(values))
    if (typeof value === 'string' && /^[\s\u200B]*s[as]k_/.test(value))
      throw invalidInput(
        field,
        DEV
          ? 'is a secret key, which a client would make public; pass the publishable client key, and revoke this one'
          : 'is a secret key',
      )
}

export function resolveBaseUrl(option: ConfigOptions['baseUrl']): string {
  const browser = isBrowser()
  const found =
    settingOf(
      'baseUrl',
      // Without a text for here it would be another platform, the hosted one.
      isRecord(option) ? setting('baseUrl', option[browser ? 'browser' : 'server']) : option,
      ...(browser
        ? ([
            ['NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER', () => process.env.NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER],
            ['NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL', () => process.env.NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL],
          ] as const)
        : ([
            ['NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER', () => process.env.NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER],
            ['NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL', () => process.env.NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL],
          ] as const)),
      ['NEXT_PUBLIC_HEXCLAVE_API_URL', () => process.env.NEXT_PUBLIC_HEXCLAVE_API_URL],
      ['NEXT_PUBLIC_HEXCLAVE_URL', () => process.env.NEXT_PUBLIC_HEXCLAVE_URL],
      browser
        ? ['NEXT_PUBLIC_BROWSER_STACK_API_URL', () => process.env.NEXT_PUBLIC_BROWSER_STACK_API_URL]
        : ['NEXT_PUBLIC_SERVER_STACK_API_URL', () => process.env.NEXT_PUBLIC_SERVER_STACK_API_URL],
      ['NEXT_PUBLIC_STACK_API_URL', () => process.env.NEXT_PUBLIC_STACK_API_URL],
      ['NEXT_PUBLIC_STACK_URL', () => process.env.NEXT_PUBLIC_STACK_URL],
      ['VITE_STACK_API_URL', viteApiUrl],
      browser
        ? ['HEXCLAVE_API_URL_BROWSER', () => process.env.HEXCLAVE_API_URL_BROWSER]
        : ['HEXCLAVE_API_URL_SERVER', () => process.env.HEXCLAVE_API_URL_SERVER],
      ['HEXCLAVE_API_URL', () => process.env.HEXCLAVE_API_URL],
      ['STACK_API_URL', () => process.env.STACK_API_URL],
    ) || hostedBaseUrl
  const url = parseUrl(found)
  // Paths are appended to it, and messages quote it, so it must not contain a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidInput(
      'baseUrl',
      DEV ? `must be an http or https address without user, query and fragment, not "${redact(found)}"` : '',
    )
  const base = withoutEnding(found, '/')
  if (/\/api\/v\d+$/.test(base))
    throw invalidInput('baseUrl', DEV ? `ends in ${base.slice(-7)}, which the kit adds by itself` : '')
  return base
}

export function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

function projectMissing(baseUrl: string): never {
  throw new AuthError(
    'INVALID_INPUT',
    DEV
      ? `projectId is missing for the platform at ${baseUrl}; pass projectId to the kit or set NEXT_PUBLIC_STACK_PROJECT_ID, for Vite VITE_STACK_PROJECT_ID`
      : 'projectId is missing',
    { details: { field: 'projectId', reason: 'is missing' } },
  )
}

function headersFromEnvironment(): Readonly<Record<string, string>> {
  const variable = variableOf([
    ['NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS', () => process.env.NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS],
    ['NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS', () => process.env.NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS],
  ])
  if (!variable) return {}
  const [name, read] = variable
  const headers = parseJson(withoutBlankEnds(read() ?? ''))
  if (isHeaders(headers)) return headers
  throw invalidInput(name, DEV ? 'must be a JSON object of texts' : '')
}

function isHeaders(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every(header => typeof header === 'string')
}

/** What forms and addresses carry as the publishable key; the platform defines a text for projects without one. */
export function clientSecretOf({ publishableClientKey }: Config): string {
  return publishableClientKey ?? '__stack_public_client__'
}
