/** Which rows of a list to take, and in what order. */
export interface PageQuery<R> {
  /** The id of the first row of the page; undefined: of the list. A row that is not in the list begins no page. */
  readonly cursor?: string | undefined
  /** Undefined: all. */
  readonly limit?: number | undefined
  readonly desc?: boolean | undefined
  /** The ids of the only rows that may match, each once; undefined: any may. */
  readonly among?: readonly string[] | undefined
  /** Rows that do not match are passed over, one by one. */
  readonly where?: (row: R) => boolean
}

/** The rows of a page, and the id of the first row of the next one; null without a limit and on the last page. */
export interface Page<R> {
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

/** The rows of a page one by one, null for each that is passed over; in the end the id of the first row of the next page. */
export type PageRows<R> = Iterator<R | null, string | null>

/** The first rows that match; it reads no further than the row after them. */
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

/** The same as a whole. */
export function takePage<R>(rows: PageRows<R>): Page<R> {
  const taken: R[] = []
  for (;;) {
    const next = rows.next()
    if (next.done) return { rows: taken, nextCursor: next.value }
    if (next.value !== null) taken.push(next.value)
  }
}
