/** Rows are replaced, never changed in place: a copy of the table is a copy of the references. */
export interface Row {
  readonly id: string
}

/** Rows by id, in the order in which they were first put in. */
export class Table<R extends Row> {
  #rows = new Map<string, R>()

  get(id: string): R | undefined {
    return this.#rows.get(id)
  }

  find(matches: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row
    return undefined
  }

  filter(matches: (row: R) => boolean): R[] {
    return this.rows().filter(matches)
  }

  rows(): R[] {
    return [...this.#rows.values()]
  }

  /** Adds the row, or replaces the one with its id where that stands. */
  put(row: R): R {
    this.#rows.set(row.id, row)
    return row
  }

  /** Replaces some fields of a row that must exist. */
  patch(id: string, changes: Partial<Omit<R, 'id'>>): R {
    const row = this.#rows.get(id)
    if (!row) throw new Error(`there is no row "${id}" to change`)
    return this.put({ ...row, ...changes })
  }

  delete(id: string): boolean {
    return this.#rows.delete(id)
  }

  deleteWhere(matches: (row: R) => boolean): void {
    for (const row of this.filter(matches)) this.#rows.delete(row.id)
  }

  /** Replaces everything. */
  load(rows: readonly R[]): void {
    this.#rows = new Map(rows.map(row => [row.id, row]))
  }
}
