import type { ReactNode } from 'react'
import { Rows } from './rows'

interface Props<T> {
  /** The name of the list. */
  readonly label: string
  readonly items: readonly T[]
  /** Shown if there are none. */
  readonly empty: ReactNode
  /** A row; it has a key. */
  readonly children: (item: T) => ReactNode
}

/** The rows of a list that is loaded already, or a text if it is empty. */
export function ListOf<T>({ label, items, empty, children }: Props<T>): ReactNode {
  return items.length === 0 ? (
    <p className="dim" role="status">
      {empty}
    </p>
  ) : (
    <Rows label={label}>{items.map(item => children(item))}</Rows>
  )
}
