import { Box, Group, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { NotificationPreference } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'

/** Texts for the platform's own categories; a project's categories have their own. */
const descriptions: Readonly<Record<string, string>> = {
  Transactional: 'What you have asked for: sign-in links, security alerts, invitations.',
  Marketing: 'News and offers.',
}

/** Switches at once, and back if the platform refuses. */
export function NotificationRow({ preference }: { readonly preference: NotificationPreference }): ReactNode {
  const { notificationCategoryId, notificationCategoryName: name, enabled, canDisable } = preference
  const app = useApp()
  const change = useAction((isWanted: boolean) =>
    app.updateNotificationPreference({ notificationCategoryId, enabled: isWanted }),
  )
  return (
    <Row>
      {canDisable ? (
        <Switch
          size="md"
          labelPosition="left"
          classNames={{ body: 'spread' }}
          label={<Words name={name} />}
          checked={enabled}
          onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
        />
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Box miw={0}>
            <Words name={name} />
          </Box>
          <StatusBadge>Always on</StatusBadge>
        </Group>
      )}
      <Problem of={change} />
    </Row>
  )
}

function Words({ name }: { readonly name: string }): ReactNode {
  return (
    <>
      <Text component="span" display="block" size="sm" fw={500}>
        {name}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed">
        {descriptions[name]}
      </Text>
    </>
  )
}
