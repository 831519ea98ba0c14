import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { UserRow } from '../users/user-row'

interface Props {
  readonly title: string
  /** The text for an empty list. */
  readonly empty: string
  readonly users: readonly ServerUser[]
}

/** A few users, with links to their pages. */
export function RecentUsers({ title, empty, users }: Props): ReactNode {
  return (
    <Section title={title}>
      {users.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Rows label={title}>
          {users.map(user => (
            <UserRow key={user.id} user={user} />
          ))}
        </Rows>
      )}
    </Section>
  )
}
