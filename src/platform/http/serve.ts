import * as v from 'valibot'
import { presentIn } from '../../core/values'
import { items, page, toWire, type Shape } from '../../core/wire'
import type { Access, Route } from '../../transport/endpoint'
import type { Caller } from './authenticate'
import { endpointOf, fieldsOf } from './declared'
import type { AnswerOf, Declared, InputOf, Pair, ServedEndpoint, ServedFields } from './declared'
import type { Engine, OpenEngine } from '../model/engine'
import { uuid } from '../model/limits'
import type { Wire } from '../model/release'
import { jsonType, platformReply, type Reply } from './reply'
import type { BodyForm, Fields } from './request-checks'

/** A request that has passed every check. */
export interface Call<I, C = Caller, E = Engine> {
  /** The services of the platform, and the tables of the caller's project: `engine.tables`. */
  readonly engine: E
  readonly caller: C
  readonly input: I
  /** The origin of the request's URL; access tokens name it as their issuer. */
  readonly origin: string
  readonly headers: Headers
  /** The unchecked query and body of an endpoint that accepts anything; else empty. */
  readonly sent: Readonly<Record<string, string>>
  /** The parsed body; checked only if the endpoint declares fields. */
  readonly body: unknown
}

/** Returned by a handler for an answer that is not just the endpoint's value with its default status. */
export class Answered<R> {
  readonly how: { readonly status: number; readonly value: R } | { readonly reply: Reply }

  constructor(how: Answered<R>['how']) {
    this.how = how
  }
}

/**
 * Returned by a handler that has to wait for something outside: its unit of work ends, and the function that `outside` brings gives the value in another one. The
 * handler has written nothing until then.
 */
export class Awaited<R> {
  readonly outside: () => Promise<(engine: Engine) => R | Promise<R>>

  constructor(outside: Awaited<R>['outside']) {
    this.outside = outside
  }
}

/** A complete reply, such as a redirect, sent unchanged. */
export function asReply(reply: Reply): Answered<never> {
  return new Answered<never>({ reply })
}

/** A complete answer of 200, in wire names. */
export function asJson(body: object): Answered<never> {
  return asReply(platformReply(200, jsonType, JSON.stringify(body)))
}

export const pageFields = {
  limit: v.optional(
    v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be greater than or equal to 1')),
  ),
  /** The id of the page's first row, as the page before it gave it. */
  cursor: v.optional(uuid),
  desc: v.optional(v.boolean()),
}

/** An answer with a page of a short list, in place of the endpoint's own answer with all of it. */
export function pageOf<T extends { readonly id: string }>(
  item: Shape<T>,
  all: readonly T[],
  { limit, cursor, desc }: { readonly [K in keyof typeof pageFields]?: v.InferOutput<(typeof pageFields)[K]> },
): Answered<never> {
  const ordered = desc ? [...all].reverse() : all
  const start = cursor === undefined ? 0 : ordered.findIndex(({ id }) => id === cursor)
  const rest = start < 0 ? [] : ordered.slice(start)
  const nextCursor = limit === undefined ? null : (rest[limit]?.id ?? null)
  return asJson(toWire(page(item), { items: rest.slice(0, limit), nextCursor }) as object)
}

type FieldEntries = v.ObjectEntries
type OutputOf<E extends FieldEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>

/** The input with newer fields, which are missing on the reference release. */
type Renewed<I, N extends FieldEntries> = [keyof N] extends [never]
  ? I
  : Omit<I, keyof N> & { readonly [K in keyof N]: v.InferOutput<N[K]> | (K extends keyof I ? I[K] : undefined) }

interface Handling {
  /** Other clients call it with their own fields: none is checked or refused. */
  readonly takesAnything?: boolean
  /** Accepts any body or none; the handler checks it. */
  readonly takesAnyBody?: boolean
  readonly asText?: boolean
  /** Default 200. */
  readonly status?: number
  /** Reported as invalid fields if missing. */
  readonly requires?: readonly ('user' | 'refreshToken')[]
  /** An unknown branch has no users; elsewhere it is an error. */
  readonly anyBranch?: boolean
  /** A client without a user is refused before path and body are checked, whatever user id they contain. */
  readonly userFirst?: boolean
  /** The hosted platform's duration, at least and at most; simulated on a strict platform only. */
  readonly takesMillis?: readonly [min: number, max: number]
}

/** Requests and answers of a route on one release. */
interface ReleaseForm {
  readonly fields: ServedFields
  readonly answers: Shape<unknown> | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The body has one of these forms: each needs its first field, and has none of the others' fields. */
  readonly oneOf?: readonly BodyForm[]
  /** Unknown fields of the query are ignored. */
  readonly ignoresOthers?: boolean
}

/**
 * The platform's additions to an endpoint's declaration. Fields of the endpoint get stricter checks; other fields are
 * extra ones, which the kit does not send.
 */
interface Serving<
  P extends FieldEntries,
  Q extends FieldEntries,
  B extends FieldEntries,
  R,
  NQ extends FieldEntries,
  NB extends FieldEntries,
> extends Handling {
  readonly path?: P
  readonly query?: Q
  /** If present, even empty, the request must have a body. */
  readonly body?: B
  /** A missing body counts as an empty object. */
  readonly mayLackBody?: boolean
  /** Replaces the endpoint's own answer. */
  readonly answers?: Shape<R>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The newer release's fields: those of the request, added or replaced, and those of the answer. The handler is typed
   * for both releases, so each may be missing.
   */
  readonly newer?: Pick<ReleaseForm, 'headers' | 'oneOf' | 'ignoresOthers'> & {
    readonly query?: NQ
    readonly body?: NB
    readonly answers?: FieldEntries
    /** Fields of the query, the body and the answer that only servers send and see. */
    readonly serversOnly?: readonly string[]
    /** Fields of the request that release 2.8.86 does not have. */
    readonly later?: readonly string[]
  }
}

type HandlerValue<R> = R | Answered<R> | Awaited<R>
type HandlerResult<R> = HandlerValue<NoInfer<R>> | Promise<HandlerValue<NoInfer<R>>>

/** A route for one access level and the levels above it. */
export interface ServedRoute extends Handling {
  readonly route: Route
  readonly access: Access
  readonly isPublic: boolean
  readonly forms: Readonly<Record<Wire, ReleaseForm>>
  readonly needsBody: boolean
  /** The declaration; both routes of a pair have the higher level's address. */
  readonly declared: ServedEndpoint
  run(call: Call<Readonly<Record<string, unknown>>, Caller | null, OpenEngine>): unknown
}

type Serve<C, E> = <
  const D extends Declared | Pair,
  P extends FieldEntries = {},
  Q extends FieldEntries = {},
  B extends FieldEntries = {},
  R = AnswerOf<D>,
  NQ extends FieldEntries = {},
  NB extends FieldEntries = {},
>(
  declared: D,
  serving: Serving<P, Q, B, R, NQ, NB>,
  handler: (
    call: Call<Renewed<InputOf<D> & OutputOf<P> & OutputOf<Q> & OutputOf<B>, NoInfer<NQ & NB>>, C, E>,
  ) => HandlerResult<R>,
) => readonly ServedRoute[]

/**
 * Serves an endpoint for its own access level and above. It may be given as the definition that calls it.
 *
 * A pair serves one address at two levels with one handler. The declaration of a level says which fields the level may send
 * and see. The address and the types are those of the higher level. If the lower level declares `me`, other clients may send
 * an id there, and the handler checks that the id is the caller's own.
 *
 * The handler returns the value of the higher endpoint in local terms. Each level's answer has only the fields of its shape.
 */
export const serve: Serve<Caller, Engine> = (declared, serving, handler) => served(declared, serving, false, handler)

/** Serves an endpoint that needs no keys; keys in headers are checked all the same. */
export const servePublic: Serve<Caller | null, OpenEngine> = (declared, serving, handler) =>
  served(declared, serving, true, handler)

function served(
  declared: Declared | Pair,
  serving: Serving<FieldEntries, FieldEntries, FieldEntries, unknown, FieldEntries, FieldEntries>,
  isPublic: boolean,
  run: (call: never) => unknown,
): readonly ServedRoute[] {
  const levels = (isPair(declared) ? declared : [declared]).map(endpointOf)
  const { path, query, body, mayLackBody = false, answers: answered, newer = {}, headers, ...handling } = serving
  const { later, oneOf, ignoresOthers } = newer
  return levels.map(endpoint => {
    const highest = levels.at(-1) ?? endpoint
    const answers = answered ?? endpoint.returns
    const fields = fieldsOf(endpoint, highest, { path, query, body }, null)
    const hidden = endpoint.access === 'client' ? newer.serversOnly : undefined
    const added = { query: without(newer.query, hidden), body: without(newer.body, hidden) }
    const newest: ReleaseForm = {
      fields: fieldsOf(endpoint, highest, { path, query, body }, added),
      answers: answers && newer.answers ? extended(answers, without(newer.answers, hidden)) : answers,
      headers: { ...headers, ...newer.headers },
      ...presentIn({ oneOf, ignoresOthers }),
    }
    const { query: queried, body: sent } = newest.fields
    const april = { ...newest.fields, query: without(queried, later), body: without(sent, later) }
    return {
      ...handling,
      route: highest.route,
      access: endpoint.access,
      isPublic,
      forms: {
        '2.8.18': { fields, answers, ...presentIn({ headers }) },
        '2.8.86': { ...newest, fields: april },
        '2026': newest,
      },
      needsBody: !mayLackBody && (body !== undefined || Object.keys(fields.body).length > 0),
      declared: endpoint,
      run,
    }
  })
}

function without<F extends Fields>(fields: F | undefined, names: readonly string[] = []): F {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !names.includes(name))) as F
}

/** The shape with additional fields; for a list or a page, in each item. */
export function extended(shape: Shape<unknown>, fields: FieldEntries): Shape<unknown> {
  const { wireForm, entries = {}, item: listed } = shape as ListSchema
  if (listed) return items(extended(listed, fields))
  if (wireForm !== 'page') return v.object({ ...entries, ...fields })
  const { item } = entries['items'] as unknown as { readonly item: Shape<unknown> }
  return page(extended(item, fields))
}

/** The kit's shape of an answer, for a handler that leaves out what the kit reads as null. */
export function sparse<T>(shape: Shape<T>): Shape<Sparse<T>> {
  return shape
}

type Sparse<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: T[K] | undefined
}

interface ListSchema {
  readonly wireForm?: string
  readonly entries?: FieldEntries
  readonly item?: Shape<unknown>
}

function isPair(declared: Declared | Pair): declared is Pair {
  return Array.isArray(declared)
}
