import type { ClientApp, Store } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { Platform, Wire } from 'rxauth/platform'
import type { RequestApp } from 'rxauth/server'
import type { Write } from './stage'

/**
 * What `test/entities/<entity>/samples.ts` says about an entity for the tests of all entities. A write may stand several times,
 * with a note on the difference: `'updateTeam, its name'`.
 */
export interface Samples {
  /** Every function of a client kit that changes something. */
  readonly client?: Writes<ClientApp>
  /** Those of a server kit, done to the user whose tokens the kit has unless the name says otherwise. */
  readonly server?: Writes<RequestApp>
  /** Functions of a server kit that send mail: only admins can list sent mails. */
  readonly mails?: Writes<RequestApp>
  readonly admin?: Writes<AdminApp>
  /** Functions that change no store: they read, send mail, navigate, or leave no project to load. */
  readonly reads?: readonly string[]
  /** Writes to what a user or a team owns, tried in process and over HTTP, with faults. */
  readonly owned?: readonly OwnedWrite[]
}

export type Writes<A extends ClientApp | AdminApp> = Readonly<Record<string, Write<A>>>

/** A row of any list. */
export type Row = object

/** A write to something that a user or a team owns. */
export interface OwnedWrite {
  readonly name: string
  /** The route on the platform. */
  readonly route: string
  /** Whether the request can be repeated, so that the kit sends it again after a lost answer. */
  readonly isRepeated: boolean
  /** The release that has the call; default 2.8.18. */
  readonly wire?: Wire
  /** Makes what the write needs; returns its id. */
  readonly prepare: (app: ClientApp, platform: Platform) => Promise<string>
  /** The list that shows the result. */
  readonly store: (app: ClientApp) => Store<readonly Row[]>
  readonly write: (app: ClientApp, id: string) => Promise<unknown>
  readonly isDone: (shown: readonly Row[], id: string) => boolean
}

/** The preparation of a write that needs none. */
export const nothing = async () => Promise.resolve('')
export const field = (row: Row | undefined, name: string) =>
  (row as Readonly<Record<string, unknown>> | undefined)?.[name]
export const one = (shown: readonly Row[], id: string) => shown.find(row => field(row, 'id') === id)

/** An older session of Ada. */
export const formerSession = { createdAt: new Date('2020-01-01') }
