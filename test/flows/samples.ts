import type { ClientApp } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { RequestApp } from 'rxauth/server'
import type { Write } from './stage'

/**
 * What `test/entities/<entity>/samples.ts` says about an entity for the tests of all entities. A write may stand several times,
 * with a note on the difference: `'updateTeam, its name'`.
 */
export interface Samples {
  /** What the calls of the entity answer at least; a test names each call that is missing. */
  readonly sparse?: SparseAnswers
  /** Every function of a client kit that changes something. */
  readonly client?: Writes<ClientApp>
  /** Those of a server kit, done to the user whose tokens the kit has unless the name says otherwise. */
  readonly server?: Writes<RequestApp>
  /** Functions of a server kit that send mail: only admins can list sent mails. */
  readonly mails?: Writes<RequestApp>
  readonly admin?: Writes<AdminApp>
  /** Functions that change no store: they read, send mail, navigate, or leave no project to load. */
  readonly reads?: readonly string[]
}

/** The least answers of a platform, in the names of the wire, by level and route: `client|server GET /teams/{}`. */
export interface SparseAnswers {
  /** Objects by a name, which answers and other objects use: `{ shape: 'team' }`. */
  readonly shapes: Readonly<Record<string, unknown>>
  readonly answers: Readonly<Record<string, SparseAnswer>>
  /** The calls whose answer says only that they are done. */
  readonly others?: readonly string[]
}

/** The name of a shape: the answer itself, or the rows of a list or of a page. */
export type SparseAnswer = string | { readonly items: string } | { readonly page: string }

export type Writes<A extends ClientApp | AdminApp> = Readonly<Record<string, Write<A>>>
