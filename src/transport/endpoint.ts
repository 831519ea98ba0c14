import * as v from 'valibot'
import type { Shape } from '../core/wire'
import type { AuthError } from '../errors/auth-error'
import type { ErrorCode, FailCode } from '../errors/codes'

/** The level of keys that a call needs, sent as `x-stack-access-type`. */
export type Access = 'client' | 'server' | 'admin'

/** The methods of the wire. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The request line, easy to search for: `PATCH /contact-channels/me/{contactChannelId}`. */
export type Route = `${Method} /${string}`

/** Where an input field goes in the request. */
export type FieldPlace = 'path' | 'query' | 'body'

/** The declaration of one call of the wire, for the kit and the local platform. */
export interface Endpoint<A extends Access, I, O, F extends FailCode> {
  /** Carries the types; never present at run time. */
  readonly '~types'?: readonly [A, I, O, F]
  readonly route: Route
  readonly access: A
  /** The input, by local names. */
  readonly input: Shape<object>
  readonly places: Readonly<Record<string, FieldPlace>>
  /** Sent unchanged with every call, in wire names: in the query of GET and DELETE, else in the body. */
  readonly fixed: Readonly<Record<string, string>>
  /** Undefined: the answer says only that the call is done. */
  readonly returns: Shape<O> | undefined
  /** Errors returned as values. INVALID_INPUT: a wrong value in a field that users type into, found before the request. */
  readonly fails: readonly F[]
  /** Knows by which refusals a release of the platform says that it lacks the call. */
  readonly notOnPlatform?: Lacking | undefined
  /**
   * 'app': the call carries no user tokens (signing in, the project). Default: calls at client access belong to the session;
   * calls above do not, since they name their user.
   */
  readonly ownedBy: 'app' | 'session'
  /** 'form': the body is form-encoded and sent without the kit's headers. */
  readonly sentAs: 'json' | 'form'
}

/** Calls and fields that the release may lack: the refusal that says so, or null after a success. */
export type Absent = Map<string, AuthError | null>

/** The part of an answer that says why a call is refused. */
export interface RefusalAnswer {
  readonly status: number
  readonly code: ErrorCode | null
  readonly headers: { get(name: string): string | null }
}

/**
 * Asked before a call: throws NOT_ON_THIS_PLATFORM if the kit knows that this release of the platform lacks the call. The
 * function that it returns is told the outcome, and throws the same if a refusal says so for the first time.
 */
export type Lacking = (
  known: { absent?: Absent },
  endpoint: Endpoint<Access, unknown, unknown, FailCode>,
  input: Readonly<Record<string, unknown>>,
) => (error?: AuthError, refusal?: RefusalAnswer) => void

/**
 * Encoding makes any text safe but these: parsers resolve `.` and `..` in any spelling, and half a surrogate pair has none.
 */
const segment = /^(?!\.\.?$)\P{Surrogate}+$/u

type Flattened<T> = { [K in keyof T]: T[K] } & {}

// The input type of a path's parameters.
export type PathInput<R> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [_ in Name]: string } & PathInput<Rest>
  : unknown

/** The input type of a group of fields. */
export type FieldsInput<E extends v.ObjectEntries> = v.InferInput<v.ObjectSchema<E, undefined>>

/**
 * Declares one call of the wire.
 *
 * The input is one object of path parameters, query and body in local names; the schemas determine the wire form. `fails`
 * lists the expected errors, which are returned as values; all others are thrown. `notOnPlatform` says by which
 * refusals a release lacks this call; they become NOT_ON_THIS_PLATFORM.
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
    readonly notOnPlatform?: Lacking
    readonly ownedBy?: 'app' | 'session'
    readonly sentAs?: 'form'
  },
): Endpoint<A, Flattened<PathInput<R> & FieldsInput<B> & FieldsInput<Q>>, O, F[number]> {
  const { access, body = {}, query = {}, fixed = {}, returns, fails = [], notOnPlatform } = declaration
  const { ownedBy = access === 'client' ? 'session' : 'app', sentAs = 'json' } = declaration
  const path = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const places: Record<string, FieldPlace> = {}
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

/** Two groups of fields as one; a spread in a declaration would keep it in every bundle. */
export function withFields<A extends object, B extends object>(fields: A, more: B): A & B {
  return { ...fields, ...more }
}

/**
 * The endpoint with a check of fields that depend on each other: unless `isFine`, the call rejects with an INVALID_INPUT
 * that names `field`. `message` completes the sentence "`field` …".
 */
export function checkedInput<A extends Access, I extends object, O, F extends FailCode>(
  declared: Endpoint<A, I, O, F>,
  field: keyof I & string,
  isFine: (input: I) => boolean,
  message: string,
): Endpoint<A, I, O, F> {
  // I is derived from the entries of this schema; a path in a type parameter is beyond the library's types.
  const input = declared.input as unknown as v.GenericSchema<Record<string, unknown>>
  const check = v.check<Record<string, unknown>, string>(fields => isFine(fields as I), message)
  return { ...declared, input: v.pipe(input, v.forward(check, [field])) }
}
