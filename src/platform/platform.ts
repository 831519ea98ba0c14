import type { Fetch, WebRequest, WebResponse } from '../core/web-types'
import type { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Faults } from './faults'
import type { Mail } from './mail'
import type { Mailbox, MailboxOptions } from './mailbox'
import type { PasswordCost } from './passwords'
import type { SoftwareAuthenticator } from './passkeys/authenticator'
import type { ProviderUser } from './provider/next-users'
import type { Seed } from './seed'
import type { PlantOptions } from './seed-missing'
import type { WebhookEndpoint } from './webhook-receiver'
import type { Webhook, Webhooks } from './webhooks'
import type { Wire } from './wire'

/**
 * What a local platform is made with.
 *
 * @example
 * const options: PlatformOptions = { wire: '2026', seed: { project: { config: { passkeyEnabled: true } } } }
 * const platform = createPlatform(options)
 */
export interface PlatformOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** Project, users and teams to begin with. */
  readonly seed?: Seed
  /**
   * Off by default, like the hosted platform. On: each refresh answers a new refresh token; the old one gives the same
   * successor for `graceMillis` (default 60,000), afterwards its use ends the session.
   */
  readonly rotation?: boolean | { readonly graceMillis?: number }
  /** 'strict': exactly the hosted platform's refusals (anonymous sign-up off unless configured). Default 'local'. */
  readonly compatibility?: 'local' | 'strict'
  /**
   * The release of the hosted platform that this one speaks like. Default '2.8.18', the reference release; '2026' is what
   * hosted projects run: an app has to work with both.
   */
  readonly wire?: Wire
  /** Where signed webhooks of users, teams and permissions are delivered. A seed causes none. */
  readonly webhooks?: readonly WebhookEndpoint[]
  /** Default 'test': fast and no protection. 'real': what a hosted platform would spend on a password. */
  readonly passwordCost?: PasswordCost
}

/**
 * What a client app needs to reach the platform in process.
 *
 * @example
 * const connect = (options: LocalOptions) => createClientApp({ ...options, tokens: memoryTokens() })
 * connect(platform.options)
 */
export interface LocalOptions {
  readonly projectId: string
  readonly publishableClientKey: string
  readonly baseUrl: string
  /** Reaches the platform and nothing else. Does not follow redirects. */
  readonly fetch: Fetch
  readonly clock: Clock
}

/**
 * A user's tokens, kept in memory; a token store for a kit.
 *
 * @example
 * const tokens: LocalTokens = await platform.tokensFor('ada@example.com')
 * const app = createClientApp({ ...platform.options, tokens })
 */
export interface LocalTokens {
  read(): TokenPair | null
  replace(expected: TokenPair | null, next: TokenPair | null): boolean
}

/**
 * The two tokens of a session.
 *
 * @example
 * const pair: TokenPair | null = (await platform.tokensFor('ada@example.com')).read()
 */
export interface TokenPair {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

/**
 * One request that the platform has answered. `status` is the true one, `access` "none" without an access type.
 *
 * @example
 * const line = ({ method, path, status }: AnsweredRequest) => `${method} ${path} ${status}`
 * platform.requests$.subscribe(request => console.log(line(request)))
 */
export interface AnsweredRequest {
  readonly method: string
  /** Without the prefix of the interface: `/users/me`. */
  readonly path: string
  readonly access: string
  readonly status: number
}

/**
 * The whole platform, in memory.
 *
 * @example
 * const count = async (platform: Platform) => {
 *   const server = createServerApp(platform.serverOptions)
 *   return (await server.users$().get()).items.length
 * }
 */
export interface Platform {
  /** Web-standard handler. Rejects only where a connection would break: a lost answer, an aborted request. */
  fetch(request: WebRequest): Promise<WebResponse>
  /** For a client app: `createClientApp({ ...platform.options, tokens })`. */
  readonly options: LocalOptions
  readonly serverOptions: LocalOptions & { readonly secretServerKey: string }
  /** For an app of the project `internal`, whose users own projects: `createClientApp({ ...platform.ownerOptions, tokens })`. */
  readonly ownerOptions: LocalOptions
  readonly adminOptions: Platform['serverOptions'] & { readonly superSecretAdminKey: string }
  /** A real session of that user. Rejects if nobody has the address. */
  tokensFor(email: string): Promise<LocalTokens>
  /** Every mail, as it is sent. */
  readonly mail$: Observable<Mail>
  mailbox(email: string, options?: MailboxOptions): Mailbox
  /** Every webhook of every project, when what it tells of has been done; also without an endpoint. */
  readonly webhooks$: Observable<Webhook>
  /** What becomes of the webhooks of the option `webhooks`. */
  readonly webhooks: Webhooks
  /** Every request, when its answer is ready. */
  readonly requests$: Observable<AnsweredRequest>
  /** Who signs in next at the local OAuth provider, or refuses; its page is not shown then. Several wait in order. */
  readonly oauth: { nextUser(user: ProviderUser | 'refuses'): void }
  /** A passkey without a browser; each one is a device of its own. */
  authenticator(): SoftwareAuthenticator
  readonly faults: Faults
  /** Fails the test when more requests than allowed were made: `await platform.budget({ 'GET /users/me': 1 }, run)`. */
  budget<T>(allowed: Readonly<Record<string, number>>, run: () => Promise<T>): Promise<T>
  /** Adds users and teams, changes the project. Rejects, with nothing added, if an e-mail address is taken. */
  seed(seed: Seed, options?: PlantOptions): Promise<void>
  /** Everything that the platform knows, as plain JSON. Throws while a seed is being planted. */
  snapshot(): object
  /** Back to a snapshot of this platform or a fork of it. */
  restore(snapshot: object): void
  /** A platform of its own with the same options and contents: one set-up, many tests. */
  fork(): Platform
  /** Ends every stream; later requests and waiting mailboxes reject. */
  dispose(): void
}
