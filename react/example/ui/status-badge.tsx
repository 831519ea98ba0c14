import type { ComponentProps, ReactNode } from 'react'

interface Props extends ComponentProps<'span'> {
  readonly kind?: 'good' | 'info' | 'warning' | 'danger' | 'plain'
}

/** A state in a word or two. What is as it should be is plain, or has no badge; `good` is for what protects the user. */
export function StatusBadge({ kind = 'plain', className = '', ...rest }: Props): ReactNode {
  return <span {...rest} className={`auth-badge ${kind} ${className}`} />
}
