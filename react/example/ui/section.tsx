import { useId } from 'react'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly description?: ReactNode
  /** At the right of the title. */
  readonly action?: ReactNode
  readonly isDangerous?: boolean
  readonly children?: ReactNode
}

/** A part of a page: title, description and content. */
export function Section({ title, description, action, isDangerous = false, children }: Props): ReactNode {
  const id = useId()
  return (
    <section className={isDangerous ? 'auth-card dangerous' : 'auth-card'} aria-labelledby={id}>
      <div className="auth-stack">
        <div className="auth-row between top">
          <div className="grow heading">
            <h2 id={id}>{title}</h2>
            {description !== undefined && <p className="dim">{description}</p>}
          </div>
          {action}
        </div>
        {children}
      </div>
    </section>
  )
}
