import type { ListPage, Shape } from '../../core/wire'
import type { PageRows } from '../data/page'
import type { Reply } from './reply'
import * as v from 'valibot'
import { page, toWire } from '../../core/wire'
import { uuid } from '../model/limits'
import { jsonType, platformReply } from './reply'

/** Returned by a handler for an answer that is not just the endpoint's value with its default status. */
export class Answered<R> {
  readonly how:
    | { readonly kind: 'value'; readonly status: number; readonly value: R }
    | { readonly kind: 'reply'; readonly reply: Reply }
    | { readonly kind: 'page'; readonly rows: PageRows<unknown> }
    | { readonly kind: 'again' }

  constructor(how: Answered<R>['how']) {
    this.how = how
  }
}

/** The endpoint's value with another status. */
export function withStatus<R>(status: number, value: R): Answered<R> {
  return new Answered({ kind: 'value', status, value })
}

/** A complete reply, such as a redirect, sent unchanged. */
export function asReply(reply: Reply): Answered<never> {
  return new Answered<never>({ kind: 'reply', reply })
}

/**
 * A page whose items are built in slices while it is sent, after the unit of work has ended. The page reads the tables as
 * they were at the end of its unit; later writes do not show in it.
 */
function asPage<T>(rows: PageRows<T>): Answered<ListPage<T>> {
  return new Answered<ListPage<T>>({ kind: 'page', rows })
}

/** The request is handled again from its beginning, after the units of work that wait now. */
export function askAgain(): Answered<never> {
  return new Answered<never>({ kind: 'again' })
}

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
export function toPage<R, T>(rows: PageRows<R>, show: (row: R) => T): Answered<ListPage<T>> {
  return asPage(shown(rows, show))
}

function* shown<R, T>(rows: PageRows<R>, show: (row: R) => T): Generator<T | null, string | null, undefined> {
  for (;;) {
    const next = rows.next()
    if (next.done) return next.value
    yield next.value === null ? null : show(next.value)
  }
}

interface PagingInput {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly desc?: boolean | undefined
}

/** An answer with a page of a short list, in place of the endpoint's own answer with all of it. */
export function pageOf<T extends { readonly id: string }>(
  item: Shape<T>,
  all: readonly T[],
  { limit, cursor, desc }: PagingInput,
): Answered<never> {
  const ordered = desc ? [...all].reverse() : all
  const start = cursor === undefined ? 0 : ordered.findIndex(({ id }) => id === cursor)
  const rest = start < 0 ? [] : ordered.slice(start)
  const nextCursor = limit === undefined ? null : (rest[limit]?.id ?? null)
  const body = toWire(page(item), { items: rest.slice(0, limit), nextCursor })
  return asReply(platformReply(200, jsonType, JSON.stringify(body)))
}
