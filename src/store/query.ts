import type { Signal } from '../core/web-types'
import { DEV } from '../core/dev'
import { call, checkInput } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import type { ErrorCode } from '../errors/codes'
import { orThrow } from '../core/result'
import { isPlain, isRecord } from '../core/values'
import { isAuthError, isRefusedWith, misuse, type Refusal } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { coreOf, type Kit } from './kit-parts'
import { narrowed, sourceOf, type Arguments, type Query, type Target, type PartOf } from './definition'
import type { LoadOptions, Source } from './source'
import type { Projection } from './view'
import { storeOf } from './cell-store'
import type { Store } from './store'

/** The values of a store when the platform gives none. */
export interface QueryOptions<S, N> extends PartOf {
  /**
   * The value while signed out: `[]` or null. Present: the entity belongs to the session and is dropped with it. Absent: it
   * does not, and its requests carry no user tokens.
   */
  readonly signedOut?: S
  /**
   * Refusals that mean "there is none": codes that the endpoint declares, or a status. The value is then that of
   * `signedOut`, else null.
   */
  readonly absent?: N
}

/** Options that only stores of the kit have. */
export interface OwnOptions<O> {
  /** As `Source.shown`. */
  readonly shown?: (value: O, identity: Identity) => O
  /** As `Source.heard`. */
  readonly heard?: (kit: Kit, value: O) => void
  /** Called after each answer, which is shown once the returned promise has resolved. */
  readonly answered?: (kit: Kit, value: O, options: LoadOptions) => Promise<void> | undefined
  /** Stale whenever one of these is: for changes by writes of lower levels, which cannot name stores of a higher one. */
  readonly follows?: readonly Target[]
}

// The values of a store that its answer does not have.
export type Also<S, N> = (S extends readonly unknown[] ? never : S) | (N extends readonly [] ? never : None<S>)
type None<S> = [S] extends [never] ? null : S extends readonly unknown[] ? never : null

/** The third argument of the app's own loader, after kit and input. */
export interface LoaderOptions {
  readonly signal: Signal
}

/** A method, so that the compiler reports a missing option rather than the fields of the input. */
interface Loader<I, O> {
  load(kit: Kit, input: I, options: LoaderOptions): Promise<O>
}

type LoaderOwner<O> = PartOf &
  (
    | { readonly key: string; readonly ownedBy: 'app' }
    | { readonly key: string; readonly ownedBy: 'session'; readonly signedOut: NoInfer<O> }
  )

/**
 * Declares a store over the app's own backend, in the same cache: same throttle, idle time, identity and overlay rules.
 *
 * @example
 * const notes$ = query(
 *   async (kit, _: {}, { signal }): Promise<string[]> => {
 *     const response = await fetch('/api/notes', { headers: await authHeaders(kit, { signal }) })
 *     return response.json()
 *   },
 *   { key: 'notes', ownedBy: 'session', signedOut: [] },
 * )
 * notes$(kit).subscribe(notes => console.log(notes.length))
 */
export function query<I extends object, O>(load: Loader<I, O>['load'], options: LoaderOwner<O>): Query<'client', I, O>
/** Declares a store over an endpoint. */
export function query<
  A extends Access,
  I,
  O,
  F extends ErrorCode,
  S = never,
  const N extends readonly Refusal<F>[] = readonly [],
>(endpoint: Endpoint<A, I, O, F>, options?: QueryOptions<S, N>): Query<A, I, O | Also<S, N>>
export function query(
  declared:
    | Endpoint<Access, object, unknown, ErrorCode>
    | ((kit: Kit, input: object, options: LoaderOptions) => Promise<unknown>),
  options: EndpointOptions | LoaderOwner<unknown> = {},
): Query<Access, object, unknown> {
  return typeof declared === 'function'
    ? define(loaderSource(declared, options as LoaderOwner<unknown>), undefined)
    : ownQuery(declared, options)
}

/** A store over an endpoint, with options that only stores of the kit have: `entities/declare.ts` has the types. */
export function ownQuery(
  endpoint: Endpoint<Access, object, unknown, ErrorCode>,
  options: EndpointOptions,
): Query<Access, object, unknown> {
  return define(endpointSource(endpoint, options), undefined, endpoint)
}

/** Declares a store over what this browser keeps, which follows it while it is watched: `Source.retain`. */
export function browserQuery<O>(
  load: Loader<{}, O>['load'],
  key: string,
  retain: NonNullable<Source['retain']>,
): Query<'client', {}, O> {
  return define({ ...loaderSource<{}>(load, { key, ownedBy: 'app' }), retain }, undefined)
}

/**
 * Declares a store that projects another one, without a cell or requests of its own. In `refreshes` it stands for its
 * source; `patch` does not accept it.
 *
 * @example
 * const initials$ = view(user$, user => (user?.displayName ?? '?').slice(0, 1))
 * const initials = await initials$(kit).get()
 */
export function view<A extends Access, I, O, P>(
  source: Query<A, I, O>,
  project: (value: O) => P,
): Query<A, I, P> & { readonly '~view': true } {
  const { '~project': before } = source as Projecting<unknown, O>
  const whole = before ? (value: unknown) => project(before(value)) : (project as (value: unknown) => P)
  return Object.assign(define<A, I, P>(sourceOf(source) as Source<I>, whole, source.endpoint), {
    '~view': true as const,
  })
}

interface Projecting<S, T> {
  readonly '~project'?: Projection<S, T>
}

function define<A extends Access, I, O>(
  source: Source<I>,
  project: Projection<unknown, O>,
  endpoint?: Endpoint<A, I, unknown, ErrorCode>,
): Query<A, I, O> {
  const open = (kit: Kit<A>, ...[input]: Arguments<I>): Store<O> =>
    storeOf(coreOf(kit), source as Source, input ?? {}, project)
  return Object.assign(open, { '~source': source, '~project': project, endpoint })
}

type EndpointOptions = QueryOptions<unknown, readonly Refusal[]> & OwnOptions<unknown>

function endpointSource<I extends object>(
  endpoint: Endpoint<Access, I, unknown, ErrorCode>,
  { absent = [], shown, heard, answered, follows, ...options }: EndpointOptions,
): Source<I> {
  const none = options.signedOut ?? null
  return {
    // An anonymous user is signed out in lists.
    shown: shown ?? ((value, identity) => (identity.isAnonymous && none) || value),
    heard,
    follows: follows?.map(target => narrowed(target).source.key),
    key: `${endpoint.access} ${endpoint.route}`,
    partOf: options.partOf,
    ownedBy: 'signedOut' in options ? 'session' : 'app',
    signedOut: options.signedOut,
    returns: endpoint.returns,
    normalise(input) {
      try {
        return checkInput(endpoint, input)
      } catch {
        // The load reports it to its callers.
        return input
      }
    },
    async load(kit, input, context) {
      try {
        const result = await call(coreOf(kit).transport, endpoint, checkInput(endpoint, input), context)
        // A code that was thrown may come from the refresh, and does not concern this endpoint.
        if (!result.ok && isRefusedWith(result.error, absent)) return none
        const value = orThrow(result)
        const held = answered?.(kit, value, context)
        if (held) await held
        return value
      } catch (error) {
        if (isAuthError(error, 'REQUEST_FAILED') && isRefusedWith(error, absent)) return none
        throw error
      }
    },
  }
}

/** Throws INVALID_INPUT for arguments that JSON leaves out or empties: all of a kind would be one store. */
const checkedArguments = (DEV &&
  (<I>(value: I, name = 'input'): I => {
    const fields = Object.entries(Object(value) as object)
    const isLost = isRecord(value)
      ? fields.length === 0 && !isPlain(value) && !('toJSON' in value)
      : typeof value === 'function' || typeof value === 'symbol'
    if (isLost)
      throw misuse(
        name,
        'is none of what JSON can hold, so that all of its kind would be one store; pass an array or an id',
      )
    if (typeof value === 'object') for (const [field, part] of fields) checkedArguments(part, field)
    return value
  })) as <I>(value: I, name?: string) => I

function loaderSource<I extends object>(
  load: (kit: Kit, input: I, options: LoaderOptions) => Promise<unknown>,
  options: LoaderOwner<unknown>,
): Source<I> {
  if (typeof options.key !== 'string' || options.key === '')
    throw misuse('key', 'is missing: a name that is unique among queries and the same in every tab')
  return {
    key: options.key,
    isOwn: true,
    partOf: options.partOf,
    ownedBy: options.ownedBy,
    signedOut: 'signedOut' in options ? options.signedOut : undefined,
    normalise: DEV ? checkedArguments : input => input,
    load: (kit, input, { signal }) => load(kit, input, { signal }),
  }
}
