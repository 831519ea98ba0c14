import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly color?: 'teal' | 'blue' | 'orange' | 'red'
  readonly children: ReactNode
}

/** A state in a word or two. */
export function StatusBadge({ color = 'teal', children }: Props): ReactNode {
  return (
    <Badge color={color} variant="light" className="status-badge">
      {children}
    </Badge>
  )
}
