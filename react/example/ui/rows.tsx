import { Box, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** The name of the list, if no heading has it. */
  readonly label?: string
  readonly children: ReactNode
}

/** The rows of a list, one below the other. */
export function Rows({ label, children }: Props): ReactNode {
  return (
    <Stack
      component="ul"
      gap={0}
      p={0}
      m={0}
      className="plain-list rows"
      {...(label !== undefined && { 'aria-label': label })}
    >
      {children}
    </Stack>
  )
}

export function Row({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Box component="li" py="sm">
      {children}
    </Box>
  )
}
