import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Project } from 'rxauth'

interface Props {
  /** The setting of the project that switches it on. Shown for developers: leave it out of your app. */
  readonly setting: keyof Project['config']
  readonly children: ReactNode
}

/** In the place of what the project does not let its users do. */
export function SwitchedOff({ setting, children }: Props): ReactNode {
  return (
    <Text size="sm" c="dimmed" role="status">
      {children} (<Code>{setting}</Code> is off.)
    </Text>
  )
}
