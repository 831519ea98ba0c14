import type { ReactNode } from 'react'

interface RowsProps {
  /** The name of the list, if no heading has it. */
  readonly label?: string
  readonly children: ReactNode
}

/** The rows of a list, one below the other. */
export function Rows({ label, children }: RowsProps): ReactNode {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** A picture or an icon. */
  readonly icon?: ReactNode
  readonly title: ReactNode
  /** Beside or below the title. */
  readonly badges?: ReactNode
  /** The line below the title. */
  readonly detail?: ReactNode
  /** A button, a menu or a state at the end. */
  readonly action?: ReactNode
  /** Errors of the action, and its dialogs. */
  readonly children?: ReactNode
}

/** One thing of a list: what it is, and what can be done with it. */
export function Row({ icon, title, badges, detail, action, children }: RowProps): ReactNode {
  return (
    <li className="auth-stack snug">
      <div className="auth-row between">
        <div className="auth-row oneline grow">
          {icon}
          <div>
            <div className="auth-row snug">
              <span className="strong breakable">{title}</span>
              {badges}
            </div>
            {detail && <div className="fine dim breakable">{detail}</div>}
          </div>
        </div>
        {action}
      </div>
      {children}
    </li>
  )
}

interface ListProps<T> {
  /** The name of the list. */
  readonly label: string
  readonly items: readonly T[]
  /** Shown if there are none. */
  readonly empty: ReactNode
  /** A row; it has a key. */
  readonly children: (item: T) => ReactNode
}

/** The rows of a list that is loaded already, or a text if it is empty. */
export function ListOf<T>({ label, items, empty, children }: ListProps<T>): ReactNode {
  return items.length === 0 ? (
    <p className="dim" role="status">
      {empty}
    </p>
  ) : (
    <Rows label={label}>{items.map(item => children(item))}</Rows>
  )
}
