import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'

const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

interface Props {
  /** How many users there are by the two letters of their country. */
  readonly users: Readonly<Record<string, number>>
}

/** Where users sign in from, most users first; nothing where the platform does not know. */
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

/** A platform may say something that is no code of a country. */
function nameOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
