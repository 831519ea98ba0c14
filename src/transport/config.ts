import { maxWaitMillis } from '../core/clock'
import { misuse, developerError } from '../errors/auth-error'
import { isBrowser } from '../core/host'
import { isRecord } from '../core/values'
import { localProject } from '../core/defaults'
import { parseUrl, withoutEnding, redact } from '../core/urls'
import type { Access } from './endpoint'
import { setting } from '../errors/setting'

/** The tolerance between two clocks in milliseconds. Throws INVALID_INPUT for values that would disable the comparison. */
export function checkedTolerance(field: string, millis: number): number {
  if (Number.isFinite(millis) && millis >= 0) return millis
  throw misuse(field, `must be a number of milliseconds, 0 or more; it is ${String(millis)}`)
}

/**
 * A limit or period of the app in milliseconds, up to the maximum of timers, or Infinity for none. Throws INVALID_INPUT for
 * other values, which a timer would run at once.
 */
export function checkedPeriod(field: string, millis: number): number {
  if (typeof millis === 'number' && millis > 0 && (millis <= maxWaitMillis || millis === Infinity)) return millis
  throw misuse(
    field,
    `must be above 0 and at most ${maxWaitMillis} milliseconds, or Infinity for none; it is ${String(millis)}`,
  )
}

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

/** Options take precedence over the local platform's values; the environment is not read. `caller`: the function that a message names. */
export function resolveConfig(options: ConfigOptions, keys: KeyHeaders = {}, caller = 'createKit'): Config {
  const baseUrl = checkedBaseUrl(options.baseUrl)
  const local = isLoopback(baseUrl) ? localProject : undefined
  const config: Config = {
    baseUrl,
    projectId: setting('projectId', options.projectId ?? '') || local?.projectId || projectMissing(baseUrl, caller),
    publishableClientKey:
      options.publishableClientKey === null
        ? null
        : setting('publishableClientKey', options.publishableClientKey ?? '') || local?.publishableClientKey || null,
    extraHeaders: options.extraHeaders ?? {},
    keys,
  }
  assertPublic({ ...(!keys.server && { ...config.extraHeaders, ...options }), ...config })
  return config
}

/** Refuses secret keys under any name: everything in a client is public. */
function assertPublic(values: object): void {
  for (const [field, value] of Object.entries(values))
    if (typeof value === 'string' && /^[\s\u200B]*s[as]k_/.test(value))
      throw misuse(
        field,
        'is a secret key, which a client would make public; pass the publishable client key, and revoke this one',
        'is a secret key',
      )
}

/** The text of the option for here: without one it would be another platform, the hosted one. */
export function addressIn(option: ConfigOptions['baseUrl']): string | undefined {
  return isRecord(option) ? setting('baseUrl', option[isBrowser() ? 'browser' : 'server']) : option
}

/** The address without slashes at its end. Paths are appended to it, and messages quote it: it must not contain a password. */
export function checkedBaseUrl(option: ConfigOptions['baseUrl']): string {
  const found = setting('baseUrl', addressIn(option) ?? '')
  const url = parseUrl(found)
  if (!found)
    throw misuse(
      'baseUrl',
      'is missing: the address of the platform; createKit({ ...environmentOptions(), tokens }) takes it from the environment, and the hosted platform where no variable names one',
      'is missing',
    )
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw misuse(
      'baseUrl',
      `must be an http or https address without user, query and fragment, not "${redact(found.replace(/([?#]).*/, '$1…'))}"`,
    )
  const base = withoutEnding(found, '/')
  if (/\/api\/v\d+$/.test(base)) throw misuse('baseUrl', `ends in ${base.slice(-7)}, which the kit adds by itself`)
  return base
}

export function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

function projectMissing(baseUrl: string, caller: string): never {
  const reading = caller === 'createKit' ? ', which environmentOptions() reads' : ''
  throw developerError(
    'INVALID_INPUT',
    `projectId is missing for the platform at ${baseUrl}; pass it to ${caller}(), or set NEXT_PUBLIC_STACK_PROJECT_ID, for Vite VITE_STACK_PROJECT_ID${reading}. For a local platform, start the app by "npx rxauth dev -- npm run dev", which sets them`,
    { what: 'projectId is missing', details: { field: 'projectId', reason: 'is missing' } },
  )
}

/** The publishable key in forms and addresses; the platform defines a text for projects without one. */
export function clientSecretOf({ publishableClientKey }: Config): string {
  return publishableClientKey ?? '__stack_public_client__'
}
