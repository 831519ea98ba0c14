import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageHeading } from '../example/ui/page-heading'
import { AdminFrame } from './console-frame'

interface Props {
  readonly title: string
  readonly description: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page about the platform itself. */
export function PageFrame({ title, description, action, children }: Props): ReactNode {
  return (
    <AdminFrame>
      <Stack gap={4}>
        <Group justify="space-between" gap="sm">
          <PageHeading title={title} />
          {action}
        </Group>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </Stack>
      {children}
    </AdminFrame>
  )
}
