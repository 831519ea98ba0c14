interface Containing {
  readonly id: string
  readonly containedPermissionIds: readonly string[]
}

/** Columns go from left to right, rows from top to bottom. */
export interface Spot {
  readonly column: number
  readonly row: number
}

/** The position of a permission. */
export interface NodePosition extends Spot {
  readonly id: string
}

interface Containment {
  readonly from: string
  readonly to: string
}

export interface Edge extends Containment {
  /** Where the edge crosses the columns in between: in rows without a permission. */
  readonly via: readonly Spot[]
}

export interface GraphLayout {
  readonly places: readonly NodePosition[]
  readonly edges: readonly Edge[]
  readonly columns: number
  readonly rows: number
}

/**
 * A position for each permission that contains another one or is contained. A containing permission is further to the
 * left, unless the two contain each other.
 */
export function layOut(definitions: readonly Containing[]): GraphLayout {
  const known = new Set(definitions.map(({ id }) => id))
  const edges = definitions.flatMap(({ id, containedPermissionIds }) =>
    containedPermissionIds.filter(to => known.has(to)).map(to => ({ from: id, to })),
  )
  const columns = columnsOf(
    definitions.filter(({ id }) => edges.some(({ from, to }) => from === id || to === id)).map(({ id }) => id),
    edges,
  )
  const columnOf = (id: string) => columns.get(id) ?? 0
  const count = Math.max(0, ...[...columns.values()].map(column => column + 1))
  /** For each column, the rows of its permissions and of edges that only cross it. */
  const rows: ReadonlyMap<string, number>[] = []
  for (let column = 0; column < count; column++) {
    const isCrossedBy = ({ from, to }: Containment) => columnOf(from) < column && column < columnOf(to)
    const crossing = new Set(edges.filter(isCrossedBy).map(({ from }) => from))
    const ids = [...[...columns.keys()].filter(id => columnOf(id) === column), ...crossing]
    // Near the permissions that contain it, so that few lines cross.
    const before = rows[column - 1] ?? new Map<string, number>()
    const containing = (id: string) =>
      crossing.has(id) ? [id] : edges.filter(({ to }) => to === id).map(({ from }) => from)
    const weights = new Map(ids.map((id, index) => [id, middleOf(containing(id), before) ?? index]))
    ids.sort((left, right) => (weights.get(left) ?? 0) - (weights.get(right) ?? 0))
    rows.push(new Map(ids.map((id, row) => [id, row])))
  }
  const spotOf = (id: string, column: number): Spot => ({ column, row: rows[column]?.get(id) ?? 0 })
  const between = ({ from, to }: Containment) =>
    rows.map((_, column) => column).filter(column => columnOf(from) < column && column < columnOf(to))
  return {
    places: rows.flatMap((inColumn, column) =>
      [...inColumn.keys()].filter(id => columnOf(id) === column).map(id => ({ id, ...spotOf(id, column) })),
    ),
    edges: edges.map(edge => ({ ...edge, via: between(edge).map(column => spotOf(edge.from, column)) })),
    columns: count,
    rows: Math.max(0, ...rows.map(({ size }) => size)),
  }
}

/** The length of the longest path to each permission, without edges that close a cycle. */
function columnsOf(ids: readonly string[], edges: readonly Containment[]): Map<string, number> {
  const columns = new Map<string, number>()
  const open = new Set<string>()
  const closing = new Set<Containment>()
  const done = new Set<string>()
  const findCircles = (id: string) => {
    open.add(id)
    for (const edge of edges.filter(({ from }) => from === id))
      if (open.has(edge.to)) closing.add(edge)
      else if (!done.has(edge.to)) findCircles(edge.to)
    open.delete(id)
    done.add(id)
  }
  for (const id of ids) if (!done.has(id)) findCircles(id)
  const columnOf = (id: string): number => {
    const found = columns.get(id)
    if (found !== undefined) return found
    const before = edges.filter(edge => edge.to === id && !closing.has(edge))
    const column = Math.max(0, ...before.map(({ from }) => columnOf(from) + 1))
    columns.set(id, column)
    return column
  }
  for (const id of ids) columnOf(id)
  return columns
}

/** The mean of the rows of these; undefined if none has a row. */
function middleOf(ids: readonly string[], rows: ReadonlyMap<string, number>): number | undefined {
  const known = ids.flatMap(id => rows.get(id) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, row) => sum + row, 0) / known.length
}
