import { isBrowser } from '../core/host'
import { hostedBaseUrl } from '../core/defaults'
import { isRecord, parseJson } from '../core/values'
import { viteApiUrl, viteClientKey, viteProjectId } from '../core/vite-environment'
import { withoutBlankEnds } from '../core/urls'
import { misuse } from '../errors/auth-error'
import { settingOf, variableOf } from '../errors/setting'
import { addressIn, checkedBaseUrl, type ConfigOptions } from './config'

type Brand = 'HEXCLAVE' | 'STACK'
type SideOfUrl = 'BROWSER' | 'SERVER'

/** The names of the variables, under either brand: with their prefix they are in the page too. */
type VariableName =
  | `${'NEXT_PUBLIC_' | ''}${Brand}_${'PROJECT_ID' | 'PUBLISHABLE_CLIENT_KEY' | 'API_URL'}`
  | `NEXT_PUBLIC_${Brand}_${'EXTRA_REQUEST_HEADERS' | 'URL'}`
  | `${'NEXT_PUBLIC_' | ''}HEXCLAVE_API_URL_${SideOfUrl}`
  | `NEXT_PUBLIC_${SideOfUrl}_${Brand}_API_URL`

/** Each variable is read by an expression of its own below, because bundlers inline nothing else. */
declare const process: { readonly env: { readonly [Name in VariableName]?: string } }

/** The options from environment variables; a variable that is not set is left out. */
export interface EnvironmentOptions {
  readonly projectId?: string
  readonly publishableClientKey?: string
  /** The hosted platform if no variable names another one. */
  readonly baseUrl: string
  readonly extraHeaders?: Readonly<Record<string, string>>
}

/**
 * The options that the environment variables of the platform give, under either of its names, for `createKit`: it reads no
 * environment, so that a bundle without this function contains no names of variables. Options that follow take precedence.
 * Apps and `tokenVerifier` read the environment by themselves.
 *
 * Throws INVALID_INPUT for a variable that is not valid, such as an address without `https://`.
 *
 * @example
 * const kit = createKit({ ...environmentOptions(), tokens: cookieTokens() })
 */
export function environmentOptions(): EnvironmentOptions {
  const { projectId, publishableClientKey, baseUrl, extraHeaders } = withEnvironment({})
  return {
    baseUrl,
    ...(projectId && { projectId }),
    ...(publishableClientKey && { publishableClientKey }),
    ...(Object.keys(extraHeaders).length > 0 && { extraHeaders }),
  }
}

/** The options of the environment in the place of those that are left out or blank. */
export function withEnvironment<O extends ConfigOptions>(options: O) {
  return {
    ...options,
    baseUrl: resolveBaseUrl(options.baseUrl),
    projectId: settingOf(
      'projectId',
      options.projectId,
      ['NEXT_PUBLIC_HEXCLAVE_PROJECT_ID', () => process.env.NEXT_PUBLIC_HEXCLAVE_PROJECT_ID],
      ['NEXT_PUBLIC_STACK_PROJECT_ID', () => process.env.NEXT_PUBLIC_STACK_PROJECT_ID],
      ['VITE_STACK_PROJECT_ID', viteProjectId],
      ['HEXCLAVE_PROJECT_ID', () => process.env.HEXCLAVE_PROJECT_ID],
      ['STACK_PROJECT_ID', () => process.env.STACK_PROJECT_ID],
    ),
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
          ),
    extraHeaders: options.extraHeaders ?? headersFromEnvironment(),
  }
}

/**
 * The address of the option, else of the environment, else of the hosted platform: not of that if the option names an address for
 * the other side alone.
 */
export function resolveBaseUrl(option: ConfigOptions['baseUrl']): string {
  const browser = isBrowser()
  const found = settingOf(
    'baseUrl',
    addressIn(option),
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
  )
  return checkedBaseUrl(found || (isRecord(option) ? '' : hostedBaseUrl))
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
  throw misuse(name, 'must be a JSON object of texts')
}

function isHeaders(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every(header => typeof header === 'string')
}
