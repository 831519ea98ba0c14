import { toWire } from '../core/wire'
import type { Shape } from '../core/wire'
import type { PageRows } from './data/page'

/** Characters in a part, at least: enough that a long answer has few of them. */
const partLength = 64_000

/** What the codec says of a list or a page. */
interface Listing {
  readonly item?: Shape<unknown>
  readonly wireForm?: string
  readonly entries?: { readonly items: Listing }
}

/** Of a list or a page, the shape of each item; undefined for any other shape. */
export function itemOf(shape: Shape<unknown>): Shape<unknown> | undefined {
  const { wireForm, item, entries } = shape as Listing
  return wireForm === 'page' ? entries?.items.item : wireForm === 'items' ? item : undefined
}

/**
 * The JSON text of a list or a page, with a step for each row; a long one in parts. Together they are what `JSON.stringify`
 * gives for all of it at once.
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

/** A whole answer; where there are items, a zero stands in their place. */
function frameOf(
  shape: Shape<unknown>,
  hasItems: boolean,
  nextCursor: string | null,
  indent: number | undefined,
): string {
  const items = hasItems ? [0] : []
  const isPage = (shape as Listing).wireForm === 'page'
  return JSON.stringify(toWire(shape, isPage ? { items, nextCursor } : items), null, indent)
}

/** The items come first in an answer, so that nothing before them has a zero. */
function inFrame(frame: string, parts: readonly string[]): string | readonly string[] {
  const place = frame.indexOf('0')
  const [head, tail] = [frame.slice(0, place), frame.slice(place + 1)]
  if (parts.length === 0) return frame
  return parts.length === 1 ? `${head}${parts.join('')}${tail}` : [head, ...parts, tail]
}
