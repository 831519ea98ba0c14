import type { Clock } from '../../core/clock'
import type { GeoInfo } from '../../entities/sessions/client'
import type { WebhookType } from '../../entities/webhooks/server-events'
import type { AccessTokens } from './access-tokens'
import type { UnitOfWork } from '../data/unit'
import type { ProviderUser } from './oauth'
import type { MailRow, RunMail } from './emails'
import type { Database, PlatformJournal, Tables } from './tables'
import { configOf } from './project-config'
import type { ProjectConfig, ProjectRow } from './projects'
import type { SessionRow } from './sessions'
import type { WireRules } from './release'

/** The cost of a password hash. 'test' is fast and protects nothing. */
export type PasswordCost = 'test' | 'real'

/** An event, as in the body of a webhook. */
export interface HappenedEvent {
  readonly type: WebhookType
  readonly data: unknown
}

/** The services that all parts of a platform share; its data is apart. */
interface Services {
  readonly clock: Clock
  readonly accessTokens: AccessTokens
  readonly rules: WireRules
  readonly passwordCost: PasswordCost
  /** Null: refresh tokens do not rotate. */
  readonly rotation: { readonly graceMillis: number } | null
  /** Behaves exactly like the hosted platform, without local additions. */
  readonly isStrict: boolean
  /** Registers passkeys that were made without their user's presence. */
  readonly silentPasskeys: boolean
  /** Users that sign in next at the local provider, without its page; each is used once. */
  readonly nextUsers: (ProviderUser | 'refuses')[]
  /** Delivers a mail whose row has been written. */
  readonly deliver: (mail: MailRow) => void
  /** Whether mail servers refuse connections at present. */
  readonly refusesMail: () => boolean
  /** Called after a commit that may have changed which mail is due next. */
  readonly mailsWait: () => void
  /** Undefined: the sources of mails are played by an interpreter. */
  readonly runMail?: RunMail | undefined
  /** Sends an event to the webhook endpoints after its changes are committed. */
  readonly tellWebhook: (projectId: string, event: HappenedEvent) => void
}

/** The platform's services outside a request. */
export interface PlatformServices extends Services {
  readonly journal: PlatformJournal
  /** Called with the body of each request, for the log. */
  readonly noteBody?: ((request: Request, bytes: Uint8Array) => void) | undefined
}

/** The unit of work of a request: its writes are committed when the request is answered and undone when it is refused. */
export interface OpenEngine extends Services, UnitOfWork {
  /** `projects` and other tables that belong to no project; `of(projectId)` for the tables of one project. */
  readonly database: Database
  readonly place?: GeoInfo | null
  /** The session in the address of the request, as it was before the request waited for its turn. */
  readonly sessionAtArrival?: SessionRow | undefined
}

/** A unit of work for one project, given to handlers. `tables` has the rows of that project only. */
export interface Engine extends OpenEngine {
  readonly projectId: string
  readonly tables: Tables
  /** The present settings of the project. */
  readonly settings: ProjectConfig
}

/** Runs a unit of work. If it rejects, its writes since `keep` are undone. */
export function inUnit<T>(
  { journal, ...services }: PlatformServices,
  work: (engine: OpenEngine) => Promise<T>,
): Promise<T> {
  return journal.run((database, unit) => work({ ...services, ...unit, database }))
}

/** The present row of the engine's project. */
export function projectOf({ database, projectId }: Pick<Engine, 'database' | 'projectId'>): ProjectRow {
  const project = database.projects.get(projectId)
  if (project) return project
  throw new Error(`the project "${projectId}" has been deleted`)
}

export function inProject(engine: OpenEngine, projectId: string): Engine {
  const { database } = engine
  const settings = () => configOf(projectOf({ database, projectId }))
  const inside = { ...engine, projectId, tables: database.of(projectId) }
  return Object.defineProperty(inside as Engine, 'settings', { get: settings, enumerable: true, configurable: true })
}
