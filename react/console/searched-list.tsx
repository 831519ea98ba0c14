import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { TextField } from '../example/ui/field'
import { ListOf } from '../example/ui/rows'

interface Props<T> {
  readonly label: string
  readonly placeholder: string
  readonly typed: string
  readonly onType: (typed: string) => void
  /** Below the search field. */
  readonly filter?: ReactNode
  readonly items: readonly T[]
  readonly empty: string
  /** A row; it has a key. */
  readonly row: (item: T) => ReactNode
  /** The item that is open. */
  readonly children: ReactNode
}

/** A list with a search field, and one of its items beside it. */
export function SearchedList<T>({ typed, onType, filter, row, children, ...rest }: Props<T>): ReactNode {
  const { placeholder, ...list } = rest
  return (
    <div className="halves">
      <div className="auth-card auth-stack">
        <TextField
          type="search"
          label="Search"
          placeholder={placeholder}
          value={typed}
          onChange={event => onType(event.currentTarget.value)}
        />
        {filter}
        <ListOf {...list}>{row}</ListOf>
      </div>
      {children}
    </div>
  )
}

interface SearchedRowProps {
  readonly to: string
  readonly isOpen: boolean
  readonly title: string
  readonly badge?: ReactNode
  readonly detail: ReactNode
}

/** A row that opens its item. */
export function LinkRow({ to, isOpen, title, badge, detail }: SearchedRowProps): ReactNode {
  return (
    <li>
      <Link href={to} className="row-link" aria-current={isOpen || undefined}>
        <div className="auth-row between top oneline">
          <span className="strong">{title}</span>
          {badge}
        </div>
        <div className="fine dim">{detail}</div>
      </Link>
    </li>
  )
}
