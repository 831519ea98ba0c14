import type { PlatformOptions } from '../platform'
import type { ProjectConfig } from '../model/projects'
import type { Seed, SeedPermission } from '../test-tools/seed'
import type { Wire } from '../model/release'

/** The settings of `rxauth.config.ts`. Flags of the command line override them. */
export interface RxauthConfig {
  /** The port to listen on; 0 takes a free one. Default 8102. */
  readonly port?: number | undefined
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
  /** The SQLite file with the data, relative to the folder of the configuration; or "memory". Default .rxauth/data.sqlite. */
  readonly data?: string | undefined
  readonly wire?: Wire | undefined
  /** 'strict': refuses exactly what the hosted platform refuses. Default 'local'. */
  readonly compatibility?: PlatformOptions['compatibility'] | undefined
  /** Refresh tokens that change with each use, as in the options of `createPlatform`. Default: off. */
  readonly rotation?: boolean | { readonly graceMillis?: number | undefined } | undefined
  /** Additional host names of the platform, besides loopback ones. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Additional origins, besides loopback ones, whose pages may read the mailbox, use secret keys and own projects. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Addresses of apps that receive webhooks. */
  readonly webhooks?: readonly (string | ConfiguredWebhook)[] | undefined
  /** Settings of the project, applied at each start and at each change. Every sign-in method is on by default. */
  readonly project?: ConfiguredProject | undefined
  /** Permissions besides team_admin and team_member, which they may replace. Applied like `project`. */
  readonly permissions?: readonly SeedPermission[] | undefined
  /** Users and teams; missing ones are added at each start and at each change. Default: a ready-made team. */
  readonly seed?: ConfiguredSeed | undefined
  /** Opens the console in a browser. */
  readonly open?: boolean | undefined
  /** Prints a line per request. */
  readonly log?: boolean | undefined
}

/** An address that receives webhooks. */
export interface ConfiguredWebhook {
  readonly url: string
  /** The secret that signs its deliveries. Default: STACK_WEBHOOK_SECRET. */
  readonly secret?: string | undefined
}

/** Settings of the project; those that are not set stay unchanged. */
export interface ConfiguredProject {
  readonly displayName?: string | undefined
  /** An http(s) or data URL; mails show the logo instead of the name. */
  readonly logoUrl?: string | undefined
  /** The colour of buttons and lines in mails, such as `#5b4bdb`. */
  readonly color?: string | undefined
  readonly config?: { readonly [K in keyof ProjectConfig]?: ProjectConfig[K] | undefined } | undefined
}

/** Users, teams and owners of the project. */
export type ConfiguredSeed = Pick<Seed, 'users' | 'teams' | 'owners'>

/**
 * Returns the configuration unchanged, with its type checked in `rxauth.config.ts`.
 *
 * @example
 * export default defineConfig({ project: { displayName: 'My shop', config: { magicLinkEnabled: false } } })
 */
export function defineConfig(config: RxauthConfig): RxauthConfig {
  return config
}
