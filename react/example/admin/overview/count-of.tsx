import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number, large. */
export function CountOf({ label, count }: { readonly label: string; readonly count: number }): ReactNode {
  return (
    <Paper p="md" role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={650} lh={1.2}>
        {count}
      </Text>
    </Paper>
  )
}
