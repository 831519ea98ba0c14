import type { Fetch, WebRequest, WebResponse } from '../core/web-types'
import type { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Faults } from './test-tools/faults'
import type { Mail, Mailbox, MailboxOptions } from './mail/mail'
import type { PasswordCost } from './model/engine'
import type { AuthenticatorOptions, SoftwareAuthenticator } from './passkeys/authenticator'
import type { ProviderUser } from './model/oauth'
import type { Seed, PlantOptions } from './test-tools/seed'
import type { WebhookEndpoint, Webhook, Webhooks } from './webhooks/webhooks'
import type { Wire } from './model/release'
import type { LocalTokens } from './test-tools/token-stores'

/**
 * Options of a local platform.
 *
 * @example
 * const options: PlatformOptions = { wire: '2026', seed: { project: { config: { passkeyEnabled: true } } } }
 * const platform = createPlatform(options)
 */
export interface PlatformOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** The initial project, users and teams. */
  readonly seed?: Seed
  /**
   * Off by default, like the hosted platform. On: each refresh answers a new refresh token. The old one gives the same
   * successor for `graceMillis` (default 60,000); using it later ends the session.
   */
  readonly rotation?: boolean | { readonly graceMillis?: number }
  /**
   * 'strict': refuses exactly what the hosted platform refuses (anonymous sign-up is off unless configured). Default
   * 'local'.
   */
  readonly compatibility?: 'local' | 'strict'
  /**
   * The hosted platform's release to emulate. Default '2.8.18', the reference release; '2.8.86' is the release of April
   * 2026, and '2026' that of hosted projects, which has more calls and fields. An app has to work with all of them.
   */
  readonly wire?: Wire
  /** Endpoints for signed webhooks of users, teams and permissions. Planting the seed sends none. */
  readonly webhooks?: readonly WebhookEndpoint[]
  /** Default 'test': fast, protects nothing. 'real': the cost of a password hash on a hosted platform. */
  readonly passwordCost?: PasswordCost
  /**
   * Off by default. On: registers passkeys that a browser has made without asking its user (`mediation: 'conditional'`), which no
   * released platform is known to accept.
   */
  readonly silentPasskeys?: boolean
}

/** The options of a client app that calls the platform in process. */
export interface LocalOptions {
  readonly projectId: string
  readonly publishableClientKey: string
  readonly baseUrl: string
  /** Calls the platform and no other server. Does not follow redirects. */
  readonly fetch: Fetch
  readonly clock: Clock
}

/** One request that the platform has answered. `status` is the true status; `access` is "none" without an access type. */
export interface AnsweredRequest {
  readonly method: string
  /** Without the prefix of the interface, such as `/users/me`. */
  readonly path: string
  readonly access: string
  readonly status: number
}

/** The whole platform, in memory. */
export interface Platform {
  /** Web-standard handler. Rejects only where a connection would break: a lost answer or an aborted request. */
  fetch(request: WebRequest): Promise<WebResponse>
  /** For a client app: `createClientApp({ ...platform.options, tokens })`. */
  readonly options: LocalOptions
  readonly serverOptions: LocalOptions & { readonly secretServerKey: string }
  /** For an app of the project `internal`, whose users own projects: `createClientApp({ ...platform.ownerOptions, tokens })`. */
  readonly ownerOptions: LocalOptions
  readonly adminOptions: Platform['serverOptions'] & { readonly superSecretAdminKey: string }
  /** Signs that user in with a new session. Rejects if no user has the address. */
  tokensFor(email: string): Promise<LocalTokens>
  /**
   * The address of the app's magic-link page that signs in this user, named by e-mail address or id, without a password and a second
   * factor; it works once, and leads to `to`, an address of the app. Rejects where there is no such user, and where the project
   * does not trust `to`.
   */
  signInLink(user: string, options: { readonly to: string }): Promise<string>
  /** Emits every mail when it is sent. */
  readonly mail$: Observable<Mail>
  mailbox(email: string, options?: MailboxOptions): Mailbox
  /** Emits every webhook of every project, after its change is committed; also without an endpoint. */
  readonly webhooks$: Observable<Webhook>
  /** The endpoints of webhooks, and the state of their deliveries. */
  readonly webhooks: Webhooks
  /** Emits every request when its answer is ready. */
  readonly requests$: Observable<AnsweredRequest>
  /**
   * Sets the user that signs in next at the local OAuth provider, or a refusal; its page is then skipped. Several calls
   * queue.
   */
  readonly oauth: {
    nextUser(user: ProviderUser | 'refuses'): void
    /** An identity token for `signInWithAppleToken`, as iOS gives one to the app with the bundle id; valid for an hour. */
    appleToken(input: { readonly bundleId: string; readonly user: ProviderUser }): Promise<string>
  }
  /** A software passkey, usable without a browser; each call makes a separate device. */
  authenticator(options?: AuthenticatorOptions): SoftwareAuthenticator
  readonly faults: Faults
  /** Rejects when `run` made more requests than allowed: `await platform.budget({ 'GET /users/me': 1 }, run)`. */
  budget<T>(allowed: Readonly<Record<string, number>>, run: () => Promise<T>): Promise<T>
  /** Adds users and teams, and changes the project. Rejects and adds nothing if an e-mail address is taken. */
  seed(seed: Seed, options?: PlantOptions): Promise<void>
  /** All data of the platform, as plain JSON. Throws while a seed is being planted. */
  snapshot(): object
  /** Replaces all data by a snapshot of this platform or of a fork of it. */
  restore(snapshot: object): void
  /** A separate platform with the same options and data: one set-up for many tests. */
  fork(): Platform
  /** Completes every stream. Later requests and pending `next` calls of mailboxes reject. */
  dispose(): void
}
