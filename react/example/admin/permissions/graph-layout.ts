interface Containing {
  readonly id: string
  readonly containedPermissionIds: readonly string[]
}

/** Where a permission stands: columns from left to right, rows from top to bottom. */
export interface Place {
  readonly id: string
  readonly column: number
  readonly row: number
}

export interface Containment {
  readonly from: string
  readonly to: string
}

export interface GraphLayout {
  readonly places: readonly Place[]
  readonly edges: readonly Containment[]
  readonly columns: number
  readonly rows: number
}

/**
 * A place for each permission that contains another one or is contained: what contains it is further to the left, unless the
 * two contain each other.
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
  const rows = new Map<string, number>()
  const places: Place[] = []
  const count = Math.max(0, ...[...columns.values()].map(column => column + 1))
  for (let column = 0; column < count; column++) {
    const ids = [...columns].filter(each => each[1] === column).map(([id]) => id)
    // Beside what contains it, so that few lines cross.
    const weights = new Map(ids.map((id, index) => [id, weightOf(id, edges, rows) ?? index]))
    ids.sort((left, right) => (weights.get(left) ?? 0) - (weights.get(right) ?? 0))
    for (const [row, id] of ids.entries()) {
      rows.set(id, row)
      places.push({ id, column, row })
    }
  }
  return { places, edges, columns: count, rows: Math.max(0, ...places.map(({ row }) => row + 1)) }
}

/** The length of the longest way to each permission. An edge that closes a circle does not count. */
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

/** The middle of the rows of what contains it; undefined: nothing does. */
function weightOf(id: string, edges: readonly Containment[], rows: ReadonlyMap<string, number>): number | undefined {
  const above = edges.flatMap(({ from, to }) => (to === id ? (rows.get(from) ?? []) : []))
  return above.length === 0 ? undefined : above.reduce((sum, row) => sum + row, 0) / above.length
}
