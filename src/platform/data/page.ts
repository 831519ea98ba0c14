import { throwIfAborted } from '../../core/signals'

/** Selects the rows of a list and their order. */
export interface PageQuery<R> {
  /**
   * The id of the page's first row; undefined for the first page. With the id of a row outside the list the page is
   * empty.
   */
  readonly cursor?: string | undefined
  /** Undefined: no limit. */
  readonly limit?: number | undefined
  readonly desc?: boolean | undefined
  /** Rows that do not match are skipped, one per step. */
  readonly where?: (row: R) => boolean
}

/** The rows of a page, and the id of the next page's first row; null without a limit and on the last page. */
export interface RowPage<R> {
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

/** The rows of a page one by one, with null for each skipped row; returns the id of the next page's first row. */
export type PageRows<R> = Iterator<R | null, string | null>

/** The first matching rows; reads no further than one matching row after them. */
export function* pageRows<R extends { readonly id: string }>(
  rows: Iterable<R>,
  { limit = Infinity, where = () => true }: Pick<PageQuery<R>, 'limit' | 'where'>,
): Generator<R | null, string | null, undefined> {
  let taken = 0
  for (const row of rows) {
    const isTaken = where(row)
    if (isTaken && taken >= limit) return row.id
    if (isTaken) taken++
    yield isTaken ? row : null
  }
  return null
}

/** Reads the whole page at once. */
export function takePage<R>(rows: PageRows<R>): RowPage<R> {
  const taken: R[] = []
  for (;;) {
    const next = rows.next()
    if (next.done) return { rows: taken, nextCursor: next.value }
    if (next.value !== null) taken.push(next.value)
  }
}

/** Rows per turn of the event loop, few enough not to delay other requests. */
export const sliceLength = 250

/** The global as this file loads: fake timers of a test replace it later, and would hold every long list. */
// eslint-disable-next-line no-restricted-properties -- it ends a turn and measures no time
const { setTimeout } = globalThis

/** The turns of the event loop, in real time also beside a virtual clock. */
export const turns = {
  /** Resolves in the next turn. */
  next: () => new Promise<void>(resolve => void setTimeout(resolve, 0)),
}

/** Runs all steps, in slices of `length`. Rejects with the signal's reason between two slices. */
export async function inSlices<R>(
  steps: Iterator<unknown, R>,
  { length = sliceLength, signal }: { readonly length?: number; readonly signal?: AbortSignal } = {},
): Promise<R> {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    if (count % length !== 0) continue
    await turns.next()
    if (signal) throwIfAborted(signal)
  }
}
