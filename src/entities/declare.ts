import type * as v from 'valibot'
import type { Shape } from '../core/wire'
import type { Refusal } from '../errors/auth-error'
import type { ErrorCode, FailCode } from '../errors/codes'
import type { Query } from '../store/definition'
import { ownQuery, type Also, type OwnOptions, type QueryOptions } from '../store/query'
import type { Effects } from '../store/write/effects'
import { mutation, type Mutation, type Sending } from '../store/write/mutation'
import { endpoint } from '../transport/endpoint'
import type { Access, FieldsInput, Lacking, PathInput, Route } from '../transport/endpoint'

// The words with which entities are declared: a file of an entity has its imports from here.
export { email, epoch, field, items, json, millis, newer, page, type Shape } from '../core/wire'
export { allOf, type Target } from '../store/definition'
export { coreOf, slot, type Kit } from '../store/kit-parts'
export { eachOf } from '../store/page/pages'
export { query, view } from '../store/query'
export { renewToken } from '../store/session-effects'
export { topic, type Patch } from '../store/source'
export type { CallOptions } from '../store/write/effects'
export { mutation, only, patch, type Attempted } from '../store/write/mutation'
export { checkedInput, endpoint, withFields } from '../transport/endpoint'
export { lacking, withHint } from '../transport/lacking'
export { lenient } from '../transport/lenient'

/** A call of the wire, as `endpoint` takes it, without its level. */
interface CallOfLevel<B, Q, O, F> {
  readonly body?: B
  readonly query?: Q
  readonly fixed?: Readonly<Record<string, string>>
  readonly returns?: Shape<O>
  readonly fails?: F
  readonly notOnPlatform?: Lacking
  readonly ownedBy?: 'app' | 'session'
}

type FieldsOf<T> = { [K in keyof T]: T[K] } & {}
type InputAt<R, B extends v.ObjectEntries, Q extends v.ObjectEntries> = FieldsOf<
  PathInput<R> & FieldsInput<B> & FieldsInput<Q>
>

/** Declares a store over a call of one level: `query(endpoint(…), …)`, by one object. */
interface StoreOfLevel<A extends Access> {
  <
    const R extends Route,
    B extends v.ObjectEntries = {},
    Q extends v.ObjectEntries = {},
    O = void,
    const F extends readonly ErrorCode[] = [],
    S = never,
    const N extends readonly Refusal<F[number]>[] = readonly [],
  >(
    route: R,
    declared: CallOfLevel<B, Q, O, F> & QueryOptions<S, N> & OwnOptions<NoInfer<O | Also<S, N>>>,
  ): Query<A, InputAt<R, B, Q>, O | Also<S, N>>
}

/** Declares a write by a call of one level: `mutation(endpoint(…), …)`, by one object. */
interface WriteOfLevel<A extends Access> {
  <
    const R extends Route,
    B extends v.ObjectEntries = {},
    Q extends v.ObjectEntries = {},
    O = void,
    const F extends readonly FailCode[] = [],
    I = InputAt<R, B, Q>,
  >(
    route: R,
    declared: CallOfLevel<B, Q, O, F> &
      Effects<NoInfer<InputAt<R, B, Q>>, NoInfer<O>> &
      Sending<A, I, NoInfer<InputAt<R, B, Q>>>,
  ): Mutation<A, I, O, F[number], InputAt<R, B, Q>>
}

// Endpoint and definition each take their own part of the object; the types are those of the interfaces.
const storeAt = <A extends Access>(access: A) =>
  ((route: Route, declared: object) => ownQuery(endpoint(route, { ...declared, access }), declared)) as StoreOfLevel<A>
const writeAt = <A extends Access>(access: A) =>
  ((route: Route, declared: Effects<object, void>) =>
    mutation(endpoint(route, { ...declared, access }), declared)) as unknown as WriteOfLevel<A>

/** Declares a store or a write over a call that users may make. */
export const clientStore = storeAt('client')
export const clientWrite = writeAt('client')
/** Declares a store or a write over a call with the secret server key. */
export const serverStore = storeAt('server')
export const serverWrite = writeAt('server')
/** Declares a store or a write over a call of a project's admins. */
export const adminStore = storeAt('admin')
export const adminWrite = writeAt('admin')
