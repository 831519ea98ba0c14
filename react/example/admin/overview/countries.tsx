import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'

const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

interface Props {
  /** The number of users by two-letter country code. */
  readonly users: Readonly<Record<string, number>>
}

/** The countries of sign-ins, most users first; nothing if the platform has none. */
export function Countries({ users }: Props): ReactNode {
  const counts = Object.entries(users).sort(([, left], [, right]) => right - left)
  if (counts.length === 0) return null
  return (
    <Section title="Countries">
      <Rows label="Countries">
        {counts.map(([code, count]) => (
          <Row key={code}>
            <Group justify="space-between" gap="sm">
              <Text size="sm">{nameOf(code)}</Text>
              <Text size="sm" fw={600}>
                {count}
              </Text>
            </Group>
          </Row>
        ))}
      </Rows>
    </Section>
  )
}

/** The platform may send a text that is not a country code. */
function nameOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
