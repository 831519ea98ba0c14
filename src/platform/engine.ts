import type { Clock } from '../core/clock'
import type { GeoInfo } from '../resources/sessions'
import type { AccessTokens } from './access-tokens'
import type { UnitOfWork } from './data/unit'
import type { PasswordCost } from './passwords'
import type { NextUsers } from './provider/next-users'
import type { Database, MailRow, PlatformJournal, Tables } from './tables'
import type { UserSearch } from './user-search'
import type { HappenedEvent } from './webhook-events'
import type { WireRules } from './wire'

/** What every part of a platform shares, but for its data. */
interface Services {
  readonly clock: Clock
  readonly accessTokens: AccessTokens
  /** What the release that this platform speaks like does differently. */
  readonly rules: WireRules
  readonly passwordCost: PasswordCost
  /** Null: refresh tokens do not rotate. */
  readonly rotation: { readonly graceMillis: number } | null
  /** Behaves exactly as the hosted platform, and offers nothing that it has not. */
  readonly isStrict: boolean
  /** Who signs in next at the local provider, without its page. */
  readonly nextUsers: NextUsers
  /** Finds the users of a project. */
  readonly userSearchOf: (projectId: string) => UserSearch
  /** Delivers a mail that has been written down. */
  readonly deliver: (mail: MailRow) => void
  /** Tells endpoints of an event, whose changes are committed. */
  readonly tellWebhook: (projectId: string, event: HappenedEvent) => void
}

/** A platform between two requests. */
export interface Host extends Services {
  readonly journal: PlatformJournal
  /** Given the body of each request, for the log. */
  readonly noteBody?: ((request: Request, bytes: Uint8Array) => void) | undefined
}

/** A request's unit of work: whatever it writes is committed when it is answered, or taken back when it is refused. */
export interface OpenEngine extends Services, UnitOfWork {
  /** `projects` and what else belongs to no project; `of(projectId)` for the rest. */
  readonly database: Database
  /** Where the person is whose request this is, if something tells. */
  readonly place?: GeoInfo | null
}

/** A unit of work for one project: what a handler works with. It reaches no rows of another project by `tables`. */
export interface Engine extends OpenEngine {
  readonly projectId: string
  readonly tables: Tables
}

/** Runs a unit of work. If it rejects, what it wrote since `keep` is taken back. */
export function inUnit<T>({ journal, ...services }: Host, work: (engine: OpenEngine) => Promise<T>): Promise<T> {
  return journal.run((database, unit) => work({ ...services, ...unit, database }))
}

export function inProject(engine: OpenEngine, projectId: string): Engine {
  return { ...engine, projectId, tables: engine.database.of(projectId) }
}
