import * as v from 'valibot'
import type { Shape } from '../core/wire'
import type { ErrorCode, FailCode } from '../errors/codes'

/**
 * Which keys a call needs, sent as `x-stack-access-type`.
 *
 * @example
 * const access: Access = 'client'
 * const readNotes = endpoint('GET /notes', { access })
 */
export type Access = 'client' | 'server' | 'admin'

/**
 * The methods of the wire.
 *
 * @example
 * const isRead = (method: Method) => method === 'GET'
 */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * `PATCH /contact-channels/me/{contactChannelId}`: the request line as a person would search for it.
 *
 * @example
 * const route: Route = 'GET /users/me'
 */
export type Route = `${Method} /${string}`

/**
 * Where an input field goes in the request.
 *
 * @example
 * const fieldsOf = (places: Readonly<Record<string, Place>>) => Object.keys(places).filter(field => places[field] === 'body')
 */
export type Place = 'path' | 'query' | 'body'

/**
 * One call of the wire, declared: everything that the kit and the local platform need to know of it.
 *
 * @example
 * const read: Endpoint<'client', { noteId: string }, void, never> = endpoint('GET /notes/{noteId}', { access: 'client' })
 */
export interface Endpoint<A extends Access, I, O, F extends FailCode> {
  /** Carries the types; never there at run time. */
  readonly '~types'?: readonly [A, I, O, F]
  readonly route: Route
  readonly access: A
  /** Every field of the input under its local name. */
  readonly input: Shape<object>
  readonly places: Readonly<Record<string, Place>>
  /** Sent as it stands with every call, in wire names: in the query of GET and DELETE, else in the body. */
  readonly fixed: Readonly<Record<string, string>>
  /** Undefined: the answer says nothing that a caller could use. */
  readonly returns: Shape<O> | undefined
  /** Errors that come back as values; INVALID_INPUT: a value that a person may have typed is wrong, before a request. */
  readonly fails: readonly F[]
  /** Codes, and statuses without a code, that mean: this release of the platform does not have the call. */
  readonly notOnPlatform: readonly (ErrorCode | number)[]
  /**
   * 'app': no session owns this call, so it carries no user tokens (signing in, the project). Default: a session owns the
   * calls at client access, and no other ones, because those name the user whom they mean.
   */
  readonly ownedBy: 'app' | 'session'
  /** 'form': the body is form-encoded, and none of the kit's headers go with it. */
  readonly sentAs: 'json' | 'form'
}

/** Encoding cures any text but these: parsers resolve `.` and `..` whatever their spelling, and half a character has none. */
const segment = /^(?!\.\.?$)\P{Surrogate}+$/u

type Flat<T> = { [K in keyof T]: T[K] } & {}

type PathInput<R> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [_ in Name]: string } & PathInput<Rest>
  : unknown

/** The input type of a group of fields. */
export type InputOf<E extends v.ObjectEntries> = v.InferInput<v.ObjectSchema<E, undefined>>

/**
 * Declares one call of the wire.
 *
 * The input is path parameters, query and body in one object of local names; what is on the wire follows from the schemas.
 * `fails` are the errors that a caller is expected to handle: they come back as values, everything else is thrown.
 * `notOnPlatform` are the refusals by which a release that does not have the call is known: they are NOT_ON_THIS_PLATFORM.
 *
 * @example
 * const readNotes = endpoint('GET /notes/{noteId}', { access: 'client', ownedBy: 'session' })
 * const note$ = query(readNotes, { absent: [404] })
 */
export function endpoint<
  const R extends Route,
  A extends Access,
  B extends v.ObjectEntries = {},
  Q extends v.ObjectEntries = {},
  O = void,
  const F extends readonly FailCode[] = [],
>(
  route: R,
  declaration: {
    readonly access: A
    readonly body?: B
    readonly query?: Q
    readonly fixed?: Readonly<Record<string, string>>
    readonly returns?: Shape<O>
    readonly fails?: F
    readonly notOnPlatform?: readonly (ErrorCode | number)[]
    readonly ownedBy?: 'app' | 'session'
    readonly sentAs?: 'form'
  },
): Endpoint<A, Flat<PathInput<R> & InputOf<B> & InputOf<Q>>, O, F[number]> {
  const { access, body = {}, query = {}, fixed = {}, returns, fails = [], notOnPlatform = [] } = declaration
  const { ownedBy = access === 'client' ? 'session' : 'app', sentAs = 'json' } = declaration
  const path = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const places: Record<string, Place> = {}
  const entries: Record<string, v.GenericSchema> = {}
  for (const name of path) {
    places[name] = 'path'
    entries[name] = v.pipe(v.string(), v.regex(segment))
  }
  for (const [group, place] of [
    [query, 'query'],
    [body, 'body'],
  ] as const)
    for (const [name, schema] of Object.entries(group)) {
      places[name] = place
      entries[name] = schema as v.GenericSchema
    }
  const input = v.strictObject(entries)
  return { route, access, input, places, fixed, returns, fails, notOnPlatform, ownedBy, sentAs }
}

/** Method and path of a route. */
export function splitRoute(route: string): readonly [method: string, path: string] {
  const space = route.indexOf(' ')
  return [route.slice(0, space), route.slice(space + 1)]
}

/** Two groups of fields as one. A spread in a declaration would do the same, and keep it in every bundle. */
export function withFields<A extends object, B extends object>(fields: A, more: B): A & B {
  return { ...fields, ...more }
}
