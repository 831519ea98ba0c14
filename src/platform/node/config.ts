import type { PlatformOptions } from '../platform'
import type { ProjectConfig } from '../project-config'
import type { Seed, SeedPermission } from '../seed'
import type { Wire } from '../wire'

/**
 * What `rxauth.config.ts` says. A flag of the command line goes before the setting of its name.
 *
 * @example
 * const config: RxauthConfig = { port: 8200, webhooks: ['http://localhost:3000/api/webhooks'], log: true }
 */
export interface RxauthConfig {
  /** The port to listen on; 0 takes a free one. Default 8102. */
  readonly port?: number | undefined
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
  /** The SQLite file of the data, from the folder of the configuration; or "memory". Default .rxauth/data.sqlite. */
  readonly data?: string | undefined
  readonly wire?: Wire | undefined
  /** 'strict': exactly the hosted platform's refusals. Default 'local'. */
  readonly compatibility?: PlatformOptions['compatibility'] | undefined
  /** Refresh tokens that change with each use, as an option of `createPlatform`. Default: off. */
  readonly rotation?: boolean | { readonly graceMillis?: number | undefined } | undefined
  /** Names that the platform is reached by besides loopback ones. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins, besides loopback ones, whose pages may read the mailbox, use secret keys and own projects. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Addresses of apps that are told of what happens. */
  readonly webhooks?: readonly (string | ConfiguredWebhook)[] | undefined
  /** Settings of the project. They are set at each start, and when they change. Every sign-in method is on by default. */
  readonly project?: ConfiguredProject | undefined
  /** Permissions of the project besides team_admin and team_member, which they may replace. Set like `project`. */
  readonly permissions?: readonly SeedPermission[] | undefined
  /** People and teams; those that are missing are added at each start, and when they change. Default: a ready-made team. */
  readonly seed?: ConfiguredSeed | undefined
  /** Opens the console in a browser. */
  readonly open?: boolean | undefined
  /** Prints a line per request. */
  readonly log?: boolean | undefined
}

/**
 * An address of an app that is told of what happens.
 *
 * @example
 * const hook: ConfiguredWebhook = { url: 'http://localhost:3000/api/webhooks', secret: 'whsec_c2VjcmV0' }
 */
export interface ConfiguredWebhook {
  readonly url: string
  /** What its deliveries are signed with. Default: STACK_WEBHOOK_SECRET. */
  readonly secret?: string | undefined
}

/**
 * Settings of the project; what is not named stays as it is.
 *
 * @example
 * const project: ConfiguredProject = { displayName: 'My shop', config: { anonymousSignUpEnabled: false } }
 */
export interface ConfiguredProject {
  readonly displayName?: string | undefined
  /** An http(s) or data URL; mails show it in the place of the name. */
  readonly logoUrl?: string | undefined
  /** Of buttons and lines in mails, such as `#5b4bdb`. */
  readonly color?: string | undefined
  readonly config?: { readonly [K in keyof ProjectConfig]?: ProjectConfig[K] | undefined } | undefined
}

/**
 * People, teams and owners of the project.
 *
 * @example
 * const seed: ConfiguredSeed = { users: [{ email: 'sam@example.com', password: 'correct horse' }] }
 */
export type ConfiguredSeed = Pick<Seed, 'users' | 'teams' | 'owners'>

/**
 * The configuration itself: for its types in `rxauth.config.ts`.
 *
 * @example
 * export default defineConfig({ project: { displayName: 'My shop', config: { magicLinkEnabled: false } } })
 */
export function defineConfig(config: RxauthConfig): RxauthConfig {
  return config
}
