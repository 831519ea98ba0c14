// Compiled, never run: the list of names in src/core/names.ts has every call that no app has as a member.
import type * as client from 'rxauth'
import type * as admin from 'rxauth/admin'
import type * as server from 'rxauth/server'
import type { OtherNames } from '../../src/core/names'
import type { Equal, Expect } from './equal'

type Exports = typeof client & typeof server & typeof admin
type Members = keyof (client.ClientApp & server.ServerApp & admin.AdminApp)

/** The stores and writes among the exports. */
type Calls = {
  [K in keyof Exports]-?: Exports[K] extends { readonly endpoint?: infer E } ? (unknown extends E ? never : K) : never
}[keyof Exports]

/** Stores and writes that ask what another one asks, whose name is the plainer one, and those that ask nothing. */
type WithoutName =
  | 'cancelEmail'
  | 'changePrimaryEmail'
  | 'impersonation$'
  | 'metricsWithAnonymous$'
  | 'otherAccounts$'
  | 'pauseEmail'
  | 'providerAccounts$'
  | 'renderTsxEmail'
  | 'resumeEmail'
  | 'retryEmail'
  | 'teamMemberPermissions$'
  | 'teamPage$'
  | 'teamPermissionDefinitionPage$'

type NamesIn<List> = List[keyof List]
type Lacking<List> = Exclude<Calls, Members | WithoutName | NamesIn<List>>
type TooMany<List> = Exclude<NamesIn<List>, keyof Exports>

export type HasAll = Expect<Equal<Lacking<OtherNames>, never>>
export type HasNoOther = Expect<Equal<TooMany<OtherNames>, never>>

// A name that is lacking, and one too many, are found.
export type FindsLacking = Expect<Equal<Lacking<Omit<OtherNames, 'admin GET /internal/email-drafts'>>, 'emailDrafts$'>>
export type FindsTooMany = Expect<Equal<TooMany<OtherNames & { readonly 'client GET /x': 'gone$' }>, 'gone$'>>
