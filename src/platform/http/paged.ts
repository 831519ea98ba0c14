import * as v from 'valibot'
import type { Page } from '../../core/wire'
import { asPage } from './answered'
import type { Answered } from './answered'
import type { PageRows } from '../data/page'
import { uuid } from '../model/limits'

/** The fields of a request for a list in pages. */
export const pageFields = {
  limit: v.optional(v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'))),
  /** The id of the page's first row, as the page before it gave it. */
  cursor: v.optional(uuid()),
  desc: v.optional(v.boolean()),
}

/** An answer with a page of a table: `toPage(tables.users.pageRows('signedUpAt', input), user => toUser(engine, user))`. */
export function toPage<R, T>(rows: PageRows<R>, show: (row: R) => T): Answered<Page<T>> {
  return asPage(shown(rows, show))
}

function* shown<R, T>(rows: PageRows<R>, show: (row: R) => T): Generator<T | null, string | null, undefined> {
  for (;;) {
    const next = rows.next()
    if (next.done) return next.value
    yield next.value === null ? null : show(next.value)
  }
}
