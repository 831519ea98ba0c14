import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import { ActionIcon, Box, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'

/** One address, its use, and its actions. */
export function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const app = useApp()
  const contactChannelId = channel.id
  const [isAsking, { open: ask, close }] = useDisclosure()
  const send = useAction(() => app.sendContactChannelVerification({ contactChannelId }))
  const change = useAction((changes: { isPrimary?: boolean; usedForAuth?: boolean }) =>
    app.updateContactChannel({ contactChannelId, ...changes }),
  )
  const set = (changes: { isPrimary?: boolean; usedForAuth?: boolean }) =>
    void change.run(changes).catch(() => undefined)
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {channel.value}
          </Text>
          <Group gap={6} mt={4}>
            {channel.isPrimary && <StatusBadge>Primary</StatusBadge>}
            {channel.usedForAuth && <StatusBadge>Signs in</StatusBadge>}
            {channel.isVerified ? (
              <StatusBadge>Verified</StatusBadge>
            ) : (
              <Button
                variant="subtle"
                size="compact-xs"
                loading={send.status === 'running'}
                onClick={() => void send.run().catch(() => undefined)}
              >
                {send.status === 'done' ? 'Link sent. Send it once more' : 'Not verified. Send the link again'}
              </Button>
            )}
          </Group>
        </Box>
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} menuItemTabIndex={0}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${channel.value}`}>
              <EllipsisHorizontalIcon width={22} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!channel.isPrimary && channel.isVerified && (
              <Menu.Item onClick={() => set({ isPrimary: true })}>Make it the primary address</Menu.Item>
            )}
            <Menu.Item onClick={() => set({ usedForAuth: !channel.usedForAuth })}>
              {channel.usedForAuth ? 'Do not use it for signing in' : 'Use it for signing in'}
            </Menu.Item>
            <Menu.Item color="red" onClick={ask}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Problem of={send} />
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Delete this address?"
        consequence={<span className="breakable">{consequenceOf(channel)}</span>}
        answer="Delete address"
        run={() => app.deleteContactChannel({ contactChannelId })}
      />
    </Row>
  )
}

function consequenceOf({ value, isPrimary, usedForAuth }: ContactChannel): string {
  if (usedForAuth) return `You can no longer sign in with ${value}.${isPrimary ? ' It is also where we write to.' : ''}`
  return isPrimary ? `We will have no address to write to any more.` : `${value} will no longer belong to your account.`
}
