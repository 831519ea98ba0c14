import * as v from 'valibot'
import { items, page } from '../core/wire'
import type { Shape } from '../core/wire'
import type { FailCode } from '../errors/codes'
import type { Access, Endpoint, Route } from '../transport/endpoint'
import type { Answered } from './answered'
import type { Caller } from './authenticate'
import { endpointOf } from './declared'
import type { AnswerOf, Declared, InputOf, Pair } from './declared'
import type { Engine, OpenEngine } from './engine'
import { fieldsOf } from './served-fields'
import type { ServedFields } from './served-fields'

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

/** The input with newer fields: what the reference release does not have may be missing. */
type Renewed<I, N extends Entries> = [keyof N] extends [never]
  ? I
  : Omit<I, keyof N> & { readonly [K in keyof N]: v.InferOutput<N[K]> | (K extends keyof I ? I[K] : undefined) }

/**
 * What the platform adds to an endpoint's declaration. A field that the endpoint has is checked more strictly, any other
 * is one that the kit does not send.
 */
interface Serving<P extends Entries, Q extends Entries, B extends Entries, R, NQ extends Entries, NB extends Entries> {
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
  /** A client hears that there is no user before path and body are looked at, whomever it names. */
  readonly userFirst?: boolean
  /** The hosted platform takes so long, at least and at most; a strict one does, too. */
  readonly takesMillis?: readonly [min: number, max: number]
  /**
   * What only the newer release has: fields of the request, added or in the place of others, and fields of its answer. The
   * handler sees the fields under both releases, so that each of them may be missing.
   */
  readonly newer?: {
    readonly query?: NQ
    readonly body?: NB
    readonly answers?: Entries
    /** Names of fields of the body and the answer that clients neither send nor see. */
    readonly serversOnly?: readonly string[]
    readonly headers?: Readonly<Record<string, string>>
  }
}

type Result<R> = NoInfer<R> | Answered<NoInfer<R>> | Promise<NoInfer<R> | Answered<NoInfer<R>>>

/** A route of the platform at one access level and those above it. */
export interface Served {
  readonly route: Route
  readonly access: Access
  readonly isPublic: boolean
  readonly fields: ServedFields
  /** The same as the newer release has them. */
  readonly newerFields: ServedFields
  readonly needsBody: boolean
  readonly takesAnything: boolean
  readonly takesAnyBody: boolean
  readonly answers: Shape<unknown> | undefined
  readonly newerAnswers: Shape<unknown> | undefined
  readonly asText: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly newerHeaders: Readonly<Record<string, string>>
  readonly requires: readonly ('user' | 'refreshToken')[]
  readonly anyBranch: boolean
  readonly userFirst: boolean
  readonly takesMillis: readonly [min: number, max: number]
  /** Where it was declared; a pair has the higher level's address at both. */
  readonly declared: Endpoint<Access, unknown, unknown, FailCode>
  run(call: Call<Readonly<Record<string, unknown>>, Caller | null, OpenEngine>): unknown
}

/**
 * Answers an endpoint at its own access level and above. The endpoint may be given as the definition that calls it.
 *
 * A pair answers one address at two levels with one handler: what each level may send, and what it is shown, is what its own
 * declaration says. Address and types are the higher level's. Where the lower level always says `me`, other clients give an
 * id at both; whether that id is the caller's own is for the handler to check.
 *
 * The handler's value must be what the higher endpoint returns, in local terms; it is encoded, and cut to each level's shape.
 */
export function serve<
  const D extends Declared | Pair,
  P extends Entries = {},
  Q extends Entries = {},
  B extends Entries = {},
  R = AnswerOf<D>,
  NQ extends Entries = {},
  NB extends Entries = {},
>(
  declared: D,
  serving: Serving<P, Q, B, R, NQ, NB>,
  handler: (call: Call<Renewed<InputOf<D> & OutputOf<P> & OutputOf<Q> & OutputOf<B>, NoInfer<NQ & NB>>>) => Result<R>,
): readonly Served[] {
  return served(declared, serving, false, handler)
}

/** Answers an endpoint that needs no keys; if headers name a caller, they are checked all the same. */
export function servePublic<
  const D extends Declared,
  P extends Entries = {},
  Q extends Entries = {},
  B extends Entries = {},
  R = AnswerOf<D>,
  NQ extends Entries = {},
  NB extends Entries = {},
>(
  declared: D,
  serving: Serving<P, Q, B, R, NQ, NB>,
  handler: (
    call: Call<
      Renewed<InputOf<D> & OutputOf<P> & OutputOf<Q> & OutputOf<B>, NoInfer<NQ & NB>>,
      Caller | null,
      OpenEngine
    >,
  ) => Result<R>,
): readonly Served[] {
  return served(declared, serving, true, handler)
}

function served(
  declared: Declared | Pair,
  serving: Serving<Entries, Entries, Entries, unknown, Entries, Entries>,
  isPublic: boolean,
  run: Served['run'],
): readonly Served[] {
  const levels = (isPair(declared) ? declared : [declared]).map(endpointOf)
  return levels.map(endpoint => {
    const highest = levels.at(-1) ?? endpoint
    const { path, query, body, newer = {} } = serving
    const stricter = { path, query, body }
    const fields = fieldsOf(endpoint, highest, stricter, null)
    const hidden = endpoint.access === 'client' ? newer.serversOnly : undefined
    const added = { query: newer.query ?? {}, body: without(newer.body, hidden) }
    const answers = serving.answers ?? endpoint.returns
    return {
      route: highest.route,
      access: endpoint.access,
      isPublic,
      fields,
      newerFields: fieldsOf(endpoint, highest, stricter, added),
      needsBody: !serving.mayLackBody && (serving.body !== undefined || Object.keys(fields.body).length > 0),
      takesAnything: serving.takesAnything ?? false,
      takesAnyBody: serving.takesAnyBody ?? false,
      answers,
      newerAnswers: answers && newer.answers ? extended(answers, without(newer.answers, hidden)) : answers,
      asText: serving.asText ?? false,
      status: serving.status ?? 200,
      headers: serving.headers ?? {},
      newerHeaders: { ...serving.headers, ...newer.headers },
      requires: serving.requires ?? [],
      anyBranch: serving.anyBranch ?? false,
      userFirst: serving.userFirst ?? false,
      takesMillis: serving.takesMillis ?? [0, 0],
      declared: endpoint,
      run,
    }
  })
}

function without(fields: Entries = {}, names: readonly string[] = []): Entries {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** The shape with more fields; of a list or a page, with more fields of each item. */
export function extended(shape: Shape<unknown>, fields: Entries): Shape<unknown> {
  const { wireForm, entries = {}, item: listed } = shape as Listing
  if (listed) return items(extended(listed, fields))
  if (wireForm !== 'page') return v.object({ ...entries, ...fields })
  const { item } = entries['items'] as unknown as { readonly item: Shape<unknown> }
  return page(extended(item, fields))
}

interface Listing {
  readonly wireForm?: string
  readonly entries?: Entries
  readonly item?: Shape<unknown>
}

function isPair(declared: Declared | Pair): declared is Pair {
  return Array.isArray(declared)
}
