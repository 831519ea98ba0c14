import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import { ActionIcon, Badge, Box, Code, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Day } from '../ui/day'
import { Row } from '../ui/rows'
import { StatusBadge } from '../ui/status-badge'
import type { ApiKey, KeyActions } from './key-actions'
import { RenameApiKeyDialog } from './rename-api-key-dialog'

interface Props extends Pick<KeyActions, 'rename' | 'revoke'> {
  readonly apiKey: ApiKey
}

/** One key: its description, the end of its value, and its state. */
export function ApiKeyRow({ apiKey, rename, revoke }: Props): ReactNode {
  const app = useApp()
  const [isRenaming, renaming] = useDisclosure()
  const [isAsking, asking] = useDisclosure()
  const { id, description, createdAt, expiresAt, value } = apiKey
  const reason = app.whyApiKeyInvalid(apiKey)
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {description}
          </Text>
          <Group gap={6} my={4}>
            <Code aria-label={`Ends with ${value.lastFour}`}>…{value.lastFour}</Code>
            {reason === null ? (
              <StatusBadge>Works</StatusBadge>
            ) : (
              <Badge color="gray" variant="light" className="status-badge" c="dimmed">
                {reason === 'expired' ? 'Expired' : 'Revoked'}
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            Created <Day at={createdAt} />
            {expiresAt && (
              <>
                {' · '}
                {reason === 'expired' ? 'expired' : 'expires'} <Day at={expiresAt} />
              </>
            )}
          </Text>
        </Box>
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} menuItemTabIndex={0}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${description}`}>
              <EllipsisHorizontalIcon width={22} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={renaming.open}>Rename</Menu.Item>
            {reason === null && (
              <Menu.Item color="red" onClick={asking.open}>
                Revoke
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <RenameApiKeyDialog
        isOpen={isRenaming}
        onClose={renaming.close}
        description={description}
        rename={next => rename(id, next)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        question="Revoke this key?"
        consequence={
          <span className="breakable">
            Programs that use “{description}” (…{value.lastFour}) will be refused from now on. This cannot be undone.
          </span>
        }
        answer="Revoke key"
        run={() => revoke(id)}
      />
    </Row>
  )
}
