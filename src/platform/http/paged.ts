import * as v from 'valibot'
import { page, toWire } from '../../core/wire'
import type { Page, Shape } from '../../core/wire'
import { asPage, asReply } from './answered'
import type { Answered } from './answered'
import type { PageRows } from '../data/page'
import { uuid } from '../model/limits'
import { jsonType, platformReply } from './reply'

/** The fields of a request for a list in pages. */
export const pageFields = {
  limit: v.optional(
    v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be greater than or equal to 1')),
  ),
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

interface Paging {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly desc?: boolean | undefined
}

/** An answer with a page of a short list, in place of the endpoint's own answer with all of it. */
export function pageOf<T extends { readonly id: string }>(
  item: Shape<T>,
  all: readonly T[],
  { limit, cursor, desc }: Paging,
): Answered<never> {
  const ordered = desc ? [...all].reverse() : all
  const start = cursor === undefined ? 0 : ordered.findIndex(({ id }) => id === cursor)
  const rest = start < 0 ? [] : ordered.slice(start)
  const nextCursor = limit === undefined ? null : (rest[limit]?.id ?? null)
  const body = toWire(page(item), { items: rest.slice(0, limit), nextCursor })
  return asReply(platformReply(200, jsonType, JSON.stringify(body)))
}
