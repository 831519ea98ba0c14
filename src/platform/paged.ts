import * as v from 'valibot'
import type { Shape } from '../core/wire'
import type { Page } from './data/table'
import { uuid } from './limits'

/** What a list that is read page by page is asked for. */
export const pageFields = {
  limit: v.optional(v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'))),
  /** The id of the first row of the page, as the page before it named it. */
  cursor: v.optional(uuid()),
  desc: v.optional(v.boolean()),
}

interface Paged<T> {
  readonly items: readonly T[]
  readonly isPaginated: true
  readonly pagination: { readonly nextCursor: string | null }
}

/** The answer of a list that is read page by page; `toPage` makes one. Source: protocol §6. */
export function paged<T>(item: Shape<T>): Shape<Paged<T>> {
  return v.object({
    items: v.array(item),
    isPaginated: v.literal(true),
    pagination: v.object({ nextCursor: v.nullable(v.string()) }),
  })
}

/** A page of a table as it is answered: `toPage(tables.users.page('signedUpAt', input), user => toUser(engine, user))`. */
export function toPage<R, T>({ rows, nextCursor }: Page<R>, show: (row: R) => T): Paged<T> {
  return { items: rows.map(show), isPaginated: true, pagination: { nextCursor } }
}
