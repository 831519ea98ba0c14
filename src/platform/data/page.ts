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

/** The first rows that match, as a page; it reads no further than the row after them. */
export function takePage<R extends { readonly id: string }>(
  rows: Iterable<R>,
  { limit = Infinity, where = () => true }: Pick<PageQuery<R>, 'limit' | 'where'>,
): Page<R> {
  const taken: R[] = []
  for (const row of rows) {
    if (!where(row)) continue
    if (taken.length >= limit) return { rows: taken, nextCursor: row.id }
    taken.push(row)
  }
  return { rows: taken, nextCursor: null }
}
