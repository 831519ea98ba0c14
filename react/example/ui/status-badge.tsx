import type { ComponentProps, ReactNode } from 'react'

interface Props extends ComponentProps<'span'> {
  readonly kind?: 'good' | 'info' | 'warning' | 'danger' | 'plain'
}

/** A state in a word or two. */
export function StatusBadge({ kind = 'good', className = '', ...rest }: Props): ReactNode {
  return <span {...rest} className={`auth-badge ${kind} ${className}`} />
}
