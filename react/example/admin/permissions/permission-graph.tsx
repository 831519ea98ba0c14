import { useId, type ReactNode } from 'react'
import type { PermissionDefinition } from 'rxauth/admin'

const node = { width: 168, height: 34 }
const gap = { x: 72, y: 14 }
const margin = 4

const leftOf = ({ column }: Spot) => margin + column * (node.width + gap.x)
const middleOf = ({ row }: Spot) => margin + row * (node.height + gap.y) + node.height / 2

interface Props {
  readonly title: string
  readonly definitions: readonly PermissionDefinition[]
}

/** A graph with an arrow from each permission to those that it contains. The text below says the same. */
export function PermissionGraph({ title, definitions }: Props): ReactNode {
  const id = useId()
  const { places, edges, columns, rows } = layOut(definitions)
  if (edges.length === 0) return null
  const placeOf = new Map(places.map(place => [place.id, place]))
  const width = columns * (node.width + gap.x) - gap.x + 2 * margin
  const height = rows * (node.height + gap.y) - gap.y + 2 * margin
  return (
    <div className="auth-stack snug">
      <h3 id={`${id}-title`}>How they contain each other</h3>
      {/* Wider than a phone; a keyboard has to get at all of it. */}
      <div className="graph" tabIndex={0} role="group" aria-label={`Graph of ${title.toLowerCase()}`}>
        <svg
          role="img"
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-words`}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          <defs>
            <marker
              id={`${id}-arrow`}
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0 0 8 4 0 8z" className="graph-arrow" />
            </marker>
          </defs>
          {edges.map(({ from, to, via }) => {
            const [start, end] = [placeOf.get(from), placeOf.get(to)]
            return (
              start &&
              end && (
                <path
                  key={`${from} ${to}`}
                  d={lineBetween(start, via, end)}
                  className="graph-line"
                  markerEnd={`url(#${id}-arrow)`}
                />
              )
            )
          })}
          {places.map(place => (
            <g key={place.id}>
              <rect
                x={leftOf(place)}
                y={middleOf(place) - node.height / 2}
                width={node.width}
                height={node.height}
                rx="8"
                className="graph-node"
                data-system={place.id.startsWith('$') || undefined}
              />
              <text x={leftOf(place) + node.width / 2} y={middleOf(place)} className="graph-text">
                {shortened(place.id)}
                <title>{place.id}</title>
              </text>
            </g>
          ))}
        </svg>
      </div>
      <p className="fine dim" id={`${id}-words`}>
        {places
          .flatMap(place => {
            const contained = edges.filter(({ from }) => from === place.id).map(({ to }) => to)
            return contained.length === 0 ? [] : `${place.id} contains ${contained.join(', ')}.`
          })
          .join(' ')}
      </p>
    </div>
  )
}

/** To the right through free rows; an edge back to the left goes around, as for a cycle. */
function lineBetween(from: NodePosition, via: readonly Spot[], to: NodePosition): string {
  const bend = to.column > from.column ? gap.x / 2 : gap.x
  let [x, y] = [leftOf(from) + node.width, middleOf(from)]
  let path = `M${x} ${y}`
  for (const spot of [...via, to]) {
    const [left, middle] = [leftOf(spot), middleOf(spot)]
    path += `C${x + bend} ${y} ${left - bend} ${middle} ${left} ${middle}`
    if (spot !== to) path += `H${left + node.width}`
    ;[x, y] = [left + node.width, middle]
  }
  return path
}

/** The part of the id that fits into a node. */
function shortened(id: string): string {
  return id.length > 22 ? `${id.slice(0, 21)}…` : id
}

interface Containing {
  readonly id: string
  readonly containedPermissionIds: readonly string[]
}

/** Columns go from left to right, rows from top to bottom. */
interface Spot {
  readonly column: number
  readonly row: number
}

/** The position of a permission. */
interface NodePosition extends Spot {
  readonly id: string
}

interface Containment {
  readonly from: string
  readonly to: string
}

interface Edge extends Containment {
  /** Where the edge crosses the columns in between: in rows without a permission. */
  readonly via: readonly Spot[]
}

interface GraphLayout {
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
    const weights = new Map(ids.map((id, index) => [id, meanRowOf(containing(id), before) ?? index]))
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
function meanRowOf(ids: readonly string[], rows: ReadonlyMap<string, number>): number | undefined {
  const known = ids.flatMap(id => rows.get(id) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, row) => sum + row, 0) / known.length
}
