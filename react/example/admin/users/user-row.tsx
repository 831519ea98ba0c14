import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { Day } from '../../ui/day'
import { TextLink } from '../../ui/link'
import { PersonMark } from '../../ui/person-mark'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { useProject } from '../project/project-context'
import { nameOf } from './name-of'

interface Props {
  readonly user: ServerUser
  /** The end of the row; by default the date of the sign-up. */
  readonly action?: ReactNode
}

/** One user in a list, with a link to the user's page. */
export function UserRow({ user, action }: Props): ReactNode {
  const { base } = useProject()
  const name = nameOf(user)
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <PersonMark name={name} url={user.profileImageUrl} size={36} />
          <Box miw={0}>
            <TextLink to={`${base}/users/${user.id}`} size="sm" fw={500} className="breakable">
              {name}
            </TextLink>
            <Text size="xs" c="dimmed" className="breakable">
              {user.primaryEmail === name ? 'No name' : (user.primaryEmail ?? 'No e-mail address')}
            </Text>
          </Box>
        </Group>
        {action ?? (
          <Group gap="sm" wrap="nowrap" className="fixed">
            {user.isAnonymous && <StatusBadge>Guest</StatusBadge>}
            {user.restrictedByAdmin && <StatusBadge color="orange">Restricted</StatusBadge>}
            <Text size="xs" c="dimmed" visibleFrom="xs">
              Since <Day at={user.signedUpAt} />
            </Text>
          </Group>
        )}
      </Group>
    </Row>
  )
}
