import type { Table, TableDefinition } from './table'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a definition is in parameters, too
export type TableDefinitions = Readonly<Record<string, TableDefinition<any, any>>>

/** The tables that the definitions declare. */
export type TablesOf<D extends TableDefinitions> = {
  readonly [N in keyof D]: D[N] extends TableDefinition<infer R, infer K> ? Table<R, K> : never
}

/** The definitions of tables: those of the platform, and those of each project. */
export interface Schema<S extends TableDefinitions, P extends TableDefinitions> {
  readonly shared: S
  readonly ofProject: P
}

/** The tables that belong to no project, and those of each project. */
export type DatabaseOf<S extends TableDefinitions, P extends TableDefinitions> = TablesOf<S> & {
  /** The tables of one project; empty ones if there is no such project. */
  of(projectId: string): TablesOf<P>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a table is in parameters, too
export type AnyTable = Table<any, any>

/** Tables by name, with any definitions. */
export type AnyTables = Readonly<Record<string, AnyTable>>

/** Combines tables made from the definitions of S and P. */
export function databaseOf<S extends TableDefinitions, P extends TableDefinitions>(
  shared: AnyTables,
  of: (projectId: string) => AnyTables,
): DatabaseOf<S, P> {
  // The callers pass tables with the names and types of these definitions.
  return { ...shared, of } as unknown as DatabaseOf<S, P>
}

export function mapValues<V, T>(
  values: Readonly<Record<string, V>>,
  to: (value: V, name: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]))
}
