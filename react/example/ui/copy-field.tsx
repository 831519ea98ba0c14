import { Button, Code, CopyButton, Group } from '@mantine/core'
import type { ReactNode } from 'react'

/** A text to copy. */
export function CopyField({ value, label }: { readonly value: string; readonly label: string }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code fz="sm" px="xs" py={6} flex={1} miw={0} aria-label={label}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} flex="none" aria-label={`Copy: ${label}`}>
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
