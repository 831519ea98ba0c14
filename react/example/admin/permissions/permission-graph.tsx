import { useId } from 'react'
import type { ReactNode } from 'react'
import type { PermissionDefinition } from 'rxauth/admin'
import { layOut } from './graph-layout'
import type { NodePosition, Spot } from './graph-layout'

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
