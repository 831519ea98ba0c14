import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

/** A state in a word or two. */
export function StatusBadge({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Badge color="teal" variant="light" className="status-badge">
      {children}
    </Badge>
  )
}
