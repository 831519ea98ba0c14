import type { Signal } from '../core/web-types'
import { call } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import { checkInput } from '../transport/call'
import type { ErrorCode } from '../errors/codes'
import { orThrow } from '../core/result'
import { invalidInput, isAuthError } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { coreOf } from './kit'
import type { Kit } from './kit'
import { narrowed, sourceOf } from './definition'
import type { Arguments, LoadOptions, Query, Source, Target } from './definition'
import type { Project } from './outlet'
import { CellStore } from './cell-store'
import { isRefusedWith } from './refusals'
import type { Refusal } from './refusals'
import type { Store } from './store'

/**
 * What a store says where the platform gives no value.
 *
 * @example
 * const options: QueryOptions<null, []> = { signedOut: null }
 */
export interface QueryOptions<S, N> {
  /**
   * The value while signed out: `[]` or null. Present: the entity belongs to the session and is dropped with it. Absent: it
   * does not, and its requests carry no user tokens.
   */
  readonly signedOut?: S
  /**
   * These refusals mean "there is none", and the value is that of `signedOut`, else null: codes that the endpoint declares,
   * or a status.
   */
  readonly absent?: N
}

/** What the session tells besides the platform's answer; for the kit's own stores. */
interface Beside<O> {
  /** As `Source.shown`. */
  readonly '~shown'?: (value: O, identity: Identity) => O
  /** Runs after each answer, before it is shown. */
  readonly '~answered'?: (kit: Kit, value: O, options: LoadOptions) => void
  /** Stale whenever one of these is: what writes of lower levels change, which cannot name a store of a higher one. */
  readonly '~follows'?: readonly Target[]
}

type Also<S, N> = (S extends readonly unknown[] ? never : S) | (N extends readonly [] ? never : None<S>)
type None<S> = [S] extends [never] ? null : S extends readonly unknown[] ? never : null

/**
 * What the app's own loader is given besides kit and input.
 *
 * @example
 * const load = async ({ signal }: LoaderOptions) => (signal.aborted ? [] : ['buy tea'])
 * const notes$ = query((_kit, _: {}, options) => load(options), { key: 'notes', ownedBy: 'app' })
 */
export interface LoaderOptions {
  readonly signal: Signal
}

/** A method, so that an option that is missing is what the compiler names, and not the fields of the input. */
interface Loader<I, O> {
  load(kit: Kit, input: I, options: LoaderOptions): Promise<O>
}

type LoaderOwner<O> =
  | { readonly key: string; readonly ownedBy: 'app' }
  | { readonly key: string; readonly ownedBy: 'session'; readonly signedOut: NoInfer<O> }

/**
 * Declares a store over the app's own backend, in the same cache: same throttle, idle, identity and optimistic rules.
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
>(
  endpoint: Endpoint<A, I, O, F>,
  options?: QueryOptions<S, N> & Beside<NoInfer<O | Also<S, N>>>,
): Query<A, I, O | Also<S, N>>
export function query(
  declared:
    | Endpoint<Access, object, unknown, ErrorCode>
    | ((kit: Kit, input: object, options: LoaderOptions) => Promise<unknown>),
  options: EndpointOptions | LoaderOwner<unknown> = {},
): Query<Access, object, unknown> {
  return typeof declared === 'function'
    ? define(ownSource(declared, options as LoaderOwner<unknown>), undefined)
    : define(endpointSource(declared, options as EndpointOptions), undefined, declared)
}

/**
 * Declares a store that projects another one: no cell and no request of its own. In `refreshes` it means its source;
 * `patch` does not take it.
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
  readonly '~project'?: Project<S, T>
}

function define<A extends Access, I, O>(
  source: Source<I>,
  project: Project<unknown, O>,
  endpoint?: Endpoint<A, I, unknown, ErrorCode>,
): Query<A, I, O> {
  const open = (kit: Kit<A>, ...[input]: Arguments<I>): Store<O> =>
    new CellStore(coreOf(kit), source as Source, input ?? {}, project)
  return Object.assign(open, { '~source': source, '~project': project, endpoint })
}

type EndpointOptions = QueryOptions<unknown, readonly Refusal[]> & Beside<unknown>

function endpointSource<I extends object>(
  endpoint: Endpoint<Access, I, unknown, ErrorCode>,
  { absent = [], '~shown': shown, '~answered': answered, '~follows': follows, ...options }: EndpointOptions,
): Source<I> {
  return {
    shown,
    follows: follows?.map(target => narrowed(target).source.key),
    key: `${endpoint.access} ${endpoint.route}`,
    ownedBy: 'signedOut' in options ? 'session' : 'app',
    signedOut: options.signedOut,
    normalise(input) {
      try {
        return checkInput(endpoint, input)
      } catch {
        // Said by the load, which has somebody to tell.
        return input
      }
    },
    async load(kit, input, context) {
      const none = options.signedOut ?? null
      try {
        const result = await call(coreOf(kit).transport, endpoint, checkInput(endpoint, input), context)
        // A code that is thrown may be the refresh's, and says nothing about this endpoint.
        if (!result.ok && isRefusedWith(result.error, absent)) return none
        const value = orThrow(result)
        answered?.(kit, value, context)
        return value
      } catch (error) {
        if (isAuthError(error, 'REQUEST_FAILED') && isRefusedWith(error, absent)) return none
        throw error
      }
    },
  }
}

function ownSource<I extends object>(
  load: (kit: Kit, input: I, options: LoaderOptions) => Promise<unknown>,
  options: LoaderOwner<unknown>,
): Source<I> {
  if (typeof options.key !== 'string' || options.key === '')
    throw invalidInput('key', 'is missing: the name of the query, the same in every tab, that no other query has')
  return {
    key: options.key,
    isOwn: true,
    ownedBy: options.ownedBy,
    signedOut: 'signedOut' in options ? options.signedOut : undefined,
    normalise: input => input,
    load: (kit, input, { signal }) => load(kit, input, { signal }),
  }
}
