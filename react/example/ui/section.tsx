import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
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
    <Paper
      component="section"
      aria-labelledby={id}
      p={{ base: 'md', sm: 'lg' }}
      data-dangerous={isDangerous || undefined}
    >
      <Stack gap="md" h="100%">
        <Group justify="space-between" align="flex-start" gap="md">
          <Box flex="1 1 15rem" miw={0}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm" mt={4}>
                {description}
              </Text>
            )}
          </Box>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
