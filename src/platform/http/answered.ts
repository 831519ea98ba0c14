import type { ListPage, Shape } from '../../core/wire'
import { page, toWire } from '../../core/wire'
import type { PageRows } from '../data/page'
import type { Reply } from './reply'
import { jsonType, platformReply } from './reply'
import * as v from 'valibot'
import { uuid } from '../model/limits'

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
  cursor: v.optional(uuid),
  desc: v.optional(v.boolean()),
}

/**
 * An answer with a page of a table: `toPage(tables.users.pageRows('signedUpAt', input), user => toUser(engine, user))`. Its items are
 * built in slices while it is sent, after the unit of work has ended: they are those at the end of the unit.
 */
export function toPage<R, T>(rows: PageRows<R>, show: (row: R) => T): Answered<ListPage<T>> {
  return new Answered<ListPage<T>>({ kind: 'page', rows: shown(rows, show) })
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

/** The smallest part in characters, so that a long answer is sent in few parts. */
const partLength = 64_000

/** A list or page as the codec describes it. */
interface ListShape {
  readonly item?: Shape<unknown>
  readonly wireForm?: string
  readonly entries?: { readonly items: ListShape }
}

/** The shape of the items of a list or page; undefined for any other shape. */
export function itemOf(shape: Shape<unknown>): Shape<unknown> | undefined {
  const { wireForm, item, entries } = shape as ListShape
  return wireForm === 'page' ? entries?.items.item : wireForm === 'items' ? item : undefined
}

/**
 * The JSON text of a list or page, built with one step per row, and in parts if it is long. The parts joined equal
 * `JSON.stringify` of the whole answer.
 */
export function* listBody(
  shape: Shape<unknown>,
  rows: PageRows<unknown>,
  indent: number | undefined,
): Generator<void, string | readonly string[], undefined> {
  const item = itemOf(shape)
  if (!item) throw new Error('only lists and pages have items')
  const parts: string[] = []
  const write = (text: string) => {
    if ((parts.at(-1)?.length ?? partLength) < partLength) parts.push(`${parts.pop() ?? ''}${text}`)
    else parts.push(text)
  }
  const lineBreak = indent === undefined ? '' : `\n${' '.repeat(2 * indent)}`
  let between = ''
  for (;;) {
    const row = rows.next()
    if (row.done) return inFrame(frameOf(shape, between !== '', row.value, indent), parts)
    if (row.value !== null) {
      write(between + JSON.stringify(toWire(item, row.value), null, indent).replaceAll('\n', lineBreak))
      between = `,${lineBreak}`
    }
    yield
  }
}

/** The answer without its items, with a zero in their place. */
function frameOf(
  shape: Shape<unknown>,
  hasItems: boolean,
  nextCursor: string | null,
  indent: number | undefined,
): string {
  const items = hasItems ? [0] : []
  const isPage = (shape as ListShape).wireForm === 'page'
  return JSON.stringify(toWire(shape, isPage ? { items, nextCursor } : items), null, indent)
}

/** Replaces the first zero by the items; they come first in an answer, so no other zero is before it. */
function inFrame(frame: string, parts: readonly string[]): string | readonly string[] {
  const place = frame.indexOf('0')
  const [head, tail] = [frame.slice(0, place), frame.slice(place + 1)]
  if (parts.length === 0) return frame
  return parts.length === 1 ? `${head}${parts.join('')}${tail}` : [head, ...parts, tail]
}
