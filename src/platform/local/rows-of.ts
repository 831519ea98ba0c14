import type * as v from 'valibot'
import type { Table } from '../data/table'

/** A shape for each table, whose rows it has to give: a column that is missing here does not compile. */
export type RowsOf<T> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the indexes stand in parameters, too
  readonly [N in keyof T]: T[N] extends Table<infer R, any> ? v.GenericSchema<unknown, R> : never
}
