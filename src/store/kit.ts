import type { CountedClock } from '../core/clock'
import type { Host } from '../core/host'
import type { Disposing } from '../core/web-types'
import type { Navigation } from '../navigation/targets'
import type { TokenSession } from '../session/token-session'
import type { Access } from '../transport/endpoint'
import type { Transport } from '../transport/transport'
import type { Commits } from './commit'
import type { CommittedSession } from './committed-session'

/**
 * The first argument of every definition. Its type says which definitions it may call: a client kit calls no server
 * definition.
 *
 * @example
 * const teamNames = async (kit: Kit) => (await teams$(kit).get()).map(team => team.displayName)
 */
export interface Kit<in A extends Access = 'client'> extends Disposing {
  /** Carries the level; never present at run time. */
  readonly '~access'?: (level: A) => void
  /** Stops everything; pending calls reject with DISPOSED. */
  dispose(): void
}

/** The parts of a kit that its cells use. */
export interface KitParts {
  readonly kit: Kit
  readonly clock: CountedClock
  readonly host: Host
  readonly transport: Transport
  readonly session: TokenSession
  readonly committedSession: CommittedSession
  readonly navigation: Navigation
  /** The option, which the calls of passkeys read. */
  readonly passkeys: object
  readonly passwordLimits: { readonly min?: number; readonly max?: number }
  readonly oauthScopes: Readonly<Partial<Record<string, readonly string[]>>>
  readonly commits: Commits
  readonly slots: Map<unknown, unknown>
  /** Called with an error of the app's code that no caller awaits. */
  readonly onUnhandled: (error: unknown) => void
  /** Throws DISPOSED after the kit's disposal. */
  assertAlive(): void
}
