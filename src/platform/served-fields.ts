import * as v from 'valibot'
import { localName } from '../core/wire'
import type { Shape } from '../core/wire'
import type { FailCode } from '../errors/codes'
import { splitRoute } from '../transport/endpoint'
import type { Access, Endpoint, Place } from '../transport/endpoint'
import { forms } from './limits'
import type { Fields } from './request-checks'

type AnyEndpoint = Endpoint<Access, unknown, unknown, FailCode>

/** What a request may say in each place. */
export type ServedFields = Readonly<Record<Place, Fields>>

/**
 * The fields of one level of an address, whose highest level is `highest`: what the level declares, and in the place of each
 * `me` that it always says the field that the highest level has there. `stricter` are the platform's own checks; those of a
 * field that only the highest level has do not give it to a lower one. `newer`: as the newer release has them, with these
 * besides, at this level.
 */
export function fieldsOf(
  level: AnyEndpoint,
  highest: AnyEndpoint,
  stricter: Readonly<Record<Place, Fields | undefined>>,
  newer: Readonly<Partial<Record<Place, Fields>>> | null,
): ServedFields {
  const fields = (place: Place): Fields => {
    const above = declaredIn(highest, place, newer !== null)
    const declared = declaredIn(level, place, newer !== null)
    const own = place === 'path' ? above : { ...fixedIn(level, place, above), ...declared }
    const extra = Object.entries(stricter[place] ?? {}).filter(([name]) => name in own || !(name in above))
    return { ...own, ...Object.fromEntries(extra), ...newer?.[place] }
  }
  return { path: fields('path'), query: fields('query'), body: fields('body') }
}

/** The fields that the declaration has in one place, in the form that the platform demands of fields of their names. */
function declaredIn({ input, places }: AnyEndpoint, place: Place, isNewer: boolean): Fields {
  // endpoint() builds its input as an object schema; the interface only hides it.
  const { entries } = input as unknown as { readonly entries: Fields }
  const isKnown = (schema: object) => isNewer || !('isNewer' in schema)
  const here = Object.entries(entries).filter(([name, schema]) => places[name] === place && isKnown(schema))
  return Object.fromEntries(here.map(([name, schema]) => [name, formed(schema, forms[name])]))
}

/** What the declaration always says, which other clients say in their own words. */
function fixedIn({ fixed, route }: AnyEndpoint, place: Place, above: Fields): Fields {
  const [method] = splitRoute(route)
  if (place !== (method === 'GET' || method === 'DELETE' ? 'query' : 'body')) return {}
  return Object.fromEntries(
    Object.keys(fixed).map(key => {
      const [name] = localName(key)
      return [name, above[name] ?? v.optional(forms[name] ?? v.string())]
    }),
  )
}

/** The schema with `form` in the place of the text in it; what may be missing or null still may. */
function formed(schema: Shape<unknown>, form: Shape<unknown> | undefined): Shape<unknown> {
  const { type, wrapped } = schema as { readonly type: string; readonly wrapped?: Shape<unknown> }
  if (!form || (type !== 'string' && !wrapped)) return schema
  if (!wrapped) return form
  if (type === 'nullable') return v.nullable(formed(wrapped, form))
  return type === 'optional' ? v.optional(formed(wrapped, form)) : schema
}
