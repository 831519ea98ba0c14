import { toWire } from '../../core/wire'
import type { Shape } from '../../core/wire'
import type { PageRows } from '../data/page'

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
