import * as v from 'valibot'
import type { Page as PageOf } from '../core/wire'
import type { Page } from './data/page'
import { uuid } from './limits'

/** What a list that is read page by page is asked for. */
export const pageFields = {
  limit: v.optional(v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'))),
  /** The id of the first row of the page, as the page before it named it. */
  cursor: v.optional(uuid()),
  desc: v.optional(v.boolean()),
}

/** A page of a table as it is answered: `toPage(tables.users.page('signedUpAt', input), user => toUser(engine, user))`. */
export function toPage<R, T>({ rows, nextCursor }: Page<R>, show: (row: R) => T): PageOf<T> {
  return { items: rows.map(show), nextCursor }
}
