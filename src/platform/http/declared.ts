import { splitRoute, type Endpoint, type Access, type FieldPlace } from '../../transport/endpoint'
import type { FailCode } from '../../errors/codes'
import * as v from 'valibot'
import { localName, type Shape } from '../../core/wire'
import { formOf } from '../model/limits'
import type { Fields } from './request-checks'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any endpoint, with any input and answer
type AnyEndpoint = Endpoint<any, any, any, any>

/** An endpoint, or the kit's definition that calls it. */
export type Declared = AnyEndpoint | { readonly endpoint?: AnyEndpoint | undefined }

/** Two access levels of one address. */
export type Pair = readonly [lower: Declared, higher: Declared]

/** The declaration that a handler is typed by: the higher one of a pair. */
type Higher<D> = D extends Pair ? D[1] : D

type EndpointIn<D> = D extends { readonly endpoint?: infer E } ? NonNullable<E> : D

/** The input of a request, in local terms. */
export type InputOf<D> =
  EndpointIn<Higher<D>> extends { readonly '~types'?: readonly [unknown, infer I, unknown, unknown] } ? I : never

/** The answer in local terms, without null: "signed out" and "none" are no answers of an endpoint. */
export type AnswerOf<D> =
  Higher<D> extends (...args: never[]) => { get(): Promise<infer O> }
    ? Exclude<O, null>
    : EndpointIn<Higher<D>> extends { readonly '~types'?: readonly [unknown, unknown, infer O, unknown] }
      ? O
      : never

/** The declaration of a served address, of any type. */
export type ServedEndpoint = Endpoint<Access, unknown, unknown, FailCode>

export function endpointOf(declared: Declared): ServedEndpoint {
  if ('route' in declared) return declared as ServedEndpoint
  if (declared.endpoint) return declared.endpoint as ServedEndpoint
  throw new Error('this definition calls no endpoint of the platform')
}

/** The accepted fields in each part of a request. */
export type ServedFields = Readonly<Record<FieldPlace, Fields>>

/**
 * The fields of one level of an address: its declared fields, and for each field that it always sends as `me` the field of
 * `highest`, the highest level. `stricter` replaces fields by the platform's checks, but adds no field that only the highest
 * level has. `newer` adds the fields of the newer release.
 */
export function fieldsOf(
  level: ServedEndpoint,
  highest: ServedEndpoint,
  stricter: Readonly<Record<FieldPlace, Fields | undefined>>,
  newer: Readonly<Partial<Record<FieldPlace, Fields>>> | null,
): ServedFields {
  const fields = (place: FieldPlace): Fields => {
    const above = declaredIn(highest, place, newer !== null)
    const declared = declaredIn(level, place, newer !== null)
    const own = place === 'path' ? above : { ...fixedIn(level, place, above), ...declared }
    const extra = Object.entries(stricter[place] ?? {}).filter(([name]) => name in own || !(name in above))
    return { ...own, ...Object.fromEntries(extra), ...newer?.[place] }
  }
  return { path: fields('path'), query: fields('query'), body: fields('body') }
}

function declaredIn({ input, places }: ServedEndpoint, place: FieldPlace, isNewer: boolean): Fields {
  // endpoint() builds its input as an object schema; the interface hides that.
  const { entries } = input as unknown as { readonly entries: Fields }
  const isKnown = (schema: object) => isNewer || !('isNewer' in schema)
  const here = Object.entries(entries).filter(([name, schema]) => places[name] === place && isKnown(schema))
  return Object.fromEntries(here.map(([name, schema]) => [name, formed(schema, formOf(name, place))]))
}

/** The fields that the declaration always sends with one value; other clients may send other values. */
function fixedIn({ fixed, route }: ServedEndpoint, place: FieldPlace, above: Fields): Fields {
  const [method] = splitRoute(route)
  if (place !== (method === 'GET' || method === 'DELETE' ? 'query' : 'body')) return {}
  return Object.fromEntries(
    Object.keys(fixed).map(key => {
      const [name] = localName(key)
      return [name, above[name] ?? v.optional(formOf(name, place) ?? v.string())]
    }),
  )
}

/** The schema with its text replaced by `form`; optional and nullable stay. */
function formed(schema: Shape<unknown>, form: Shape<unknown> | undefined): Shape<unknown> {
  const { type, wrapped } = schema as { readonly type: string; readonly wrapped?: Shape<unknown> }
  if (!form || (type !== 'string' && !wrapped)) return schema
  if (!wrapped) return form
  if (type === 'nullable') return v.nullable(formed(wrapped, form))
  return type === 'optional' ? v.optional(formed(wrapped, form)) : schema
}
