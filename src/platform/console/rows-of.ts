import type * as v from 'valibot'
import type { Table } from '../data/table'

/** A schema for each table that outputs its row type: a missing column does not compile. */
export type RowsOf<T> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the indexes are in parameters, too
  readonly [N in keyof T]: T[N] extends Table<infer R, any> ? v.GenericSchema<unknown, R> : never
}
