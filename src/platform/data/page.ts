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
