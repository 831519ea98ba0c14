import * as v from 'valibot'
import { localName } from '../core/wire'
import type { Shape } from '../core/wire'
import type { ErrorCode } from '../errors/codes'
import type { Access, Endpoint, Place, Route } from '../transport/endpoint'
import type { Answered } from './answered'
import type { Caller } from './authenticate'
import type { Engine, OpenEngine } from './engine'
import type { Fields } from './request-checks'

/** One request that has passed every check. */
export interface Call<I, C = Caller, E = Engine> {
  /** The services of the platform, and the tables of the caller's project: `engine.tables`. */
  readonly engine: E
  readonly caller: C
  readonly input: I
  /** The part of the address that the platform is reached under; access tokens name it as their issuer. */
  readonly origin: string
  readonly headers: Headers
  /** Query and body as they were sent, of an endpoint that takes anything; else empty. */
  readonly sent: Readonly<Record<string, string>>
  /** As it was read; checked only if its endpoint declares fields. */
  readonly body: unknown
}

type Entries = v.ObjectEntries
type OutputOf<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>

/**
 * What the platform adds to an endpoint's declaration. A field that the endpoint has is checked more strictly, any other
 * is one that the kit does not send.
 */
interface Serving<P extends Entries, Q extends Entries, B extends Entries, R> {
  readonly path?: P
  readonly query?: Q
  /** Present, even if empty: the request must have a body. */
  readonly body?: B
  /** A request without a body is as good as one with an empty object. */
  readonly mayLackBody?: boolean
  /** Others than the kit call it, with fields of their own: none is checked, none refused. */
  readonly takesAnything?: boolean
  /** Any body will do, or none; what it must be is for the handler to say. */
  readonly takesAnyBody?: boolean
  /** Instead of what the endpoint returns. */
  readonly answers?: Shape<R>
  /** The answer is text, not JSON. */
  readonly asText?: boolean
  /** Default 200. */
  readonly status?: 201
  readonly headers?: Readonly<Record<string, string>>
  /** Missing, they are errors of the request's form. */
  readonly requires?: readonly ('user' | 'refreshToken')[]
  /** A branch that does not exist has no users, instead of being an error. */
  readonly anyBranch?: boolean
  /** A client, and whoever says `me`, hears that there is no user before path and body are looked at. */
  readonly userFirst?: boolean
  /** The hosted platform takes so long, at least and at most; a strict one does, too. */
  readonly takesMillis?: readonly [min: number, max: number]
}

type Result<R> = NoInfer<R> | Answered<NoInfer<R>> | Promise<NoInfer<R> | Answered<NoInfer<R>>>

/** A route of the platform at one access level and those above it. */
export interface Served {
  readonly route: Route
  readonly access: Access
  readonly isPublic: boolean
  readonly fields: Readonly<Record<Place, Fields>>
  readonly needsBody: boolean
  readonly takesAnything: boolean
  readonly takesAnyBody: boolean
  readonly answers: Shape<unknown> | undefined
  readonly asText: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly requires: readonly ('user' | 'refreshToken')[]
  readonly anyBranch: boolean
  readonly userFirst: boolean
  readonly takesMillis: readonly [min: number, max: number]
  run(call: Call<Readonly<Record<string, unknown>>, Caller | null, OpenEngine>): unknown
}

/**
 * Answers an endpoint at its own access level and above. Another endpoint of the same route with a higher level takes over
 * from there. The handler's value must be what the endpoint returns, in local terms; it is encoded, and cut to that shape.
 */
export function serve<I, O, P extends Entries = {}, Q extends Entries = {}, B extends Entries = {}, R = O>(
  endpoint: Endpoint<Access, I, O, ErrorCode>,
  serving: Serving<P, Q, B, R>,
  handler: (call: Call<I & OutputOf<P> & OutputOf<Q> & OutputOf<B>>) => Result<R>,
): Served {
  return route(endpoint, serving, false, handler)
}

/** Answers an endpoint that needs no keys; if headers name a caller, they are checked all the same. */
export function servePublic<I, O, P extends Entries = {}, Q extends Entries = {}, B extends Entries = {}, R = O>(
  endpoint: Endpoint<Access, I, O, ErrorCode>,
  serving: Serving<P, Q, B, R>,
  handler: (call: Call<I & OutputOf<P> & OutputOf<Q> & OutputOf<B>, Caller | null, OpenEngine>) => Result<R>,
): Served {
  return route(endpoint, serving, true, handler)
}

function route(
  endpoint: Endpoint<Access, unknown, unknown, ErrorCode>,
  serving: Serving<Entries, Entries, Entries, unknown>,
  isPublic: boolean,
  run: Served['run'],
): Served {
  const fields = {
    path: { ...declared(endpoint, 'path'), ...fieldsOf(serving.path) },
    query: { ...declared(endpoint, 'query'), ...fieldsOf(serving.query) },
    body: { ...declared(endpoint, 'body'), ...fieldsOf(serving.body) },
  }
  return {
    route: endpoint.route,
    access: endpoint.access,
    isPublic,
    fields,
    needsBody: !serving.mayLackBody && (serving.body !== undefined || Object.keys(fields.body).length > 0),
    takesAnything: serving.takesAnything ?? false,
    takesAnyBody: serving.takesAnyBody ?? false,
    answers: serving.answers ?? endpoint.returns,
    asText: serving.asText ?? false,
    status: serving.status ?? 200,
    headers: serving.headers ?? {},
    requires: serving.requires ?? [],
    anyBranch: serving.anyBranch ?? false,
    userFirst: serving.userFirst ?? false,
    takesMillis: serving.takesMillis ?? [0, 0],
    run,
  }
}

function declared(endpoint: Endpoint<Access, unknown, unknown, ErrorCode>, place: Place): Fields {
  const { input, places, fixed, route } = endpoint
  // endpoint() builds its input as an object schema; the interface only hides it.
  const { entries } = input as unknown as { readonly entries: Fields }
  const fields = Object.entries(entries).filter(([name]) => places[name] === place)
  const fixedPlace = /^(GET|DELETE) /.test(route) ? 'query' : 'body'
  const names = fixedPlace === place ? Object.keys(fixed) : []
  const sentAlways = names.map((name): [string, Shape<unknown>] => [localName(name)[0], v.optional(v.string())])
  return Object.fromEntries([...sentAlways, ...fields])
}

function fieldsOf(entries: Entries = {}): Fields {
  return entries
}
