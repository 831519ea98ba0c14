import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import { ActionIcon, Box, Button, Group, Menu, Text, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction } from 'rxauth/react'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Problem, problemOf } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

/** The addresses of a user. */
export function UserEmails({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="E-mail addresses">
      <StoreList
        store={app.contactChannelsOf$({ userId })}
        label="E-mail addresses"
        empty="The user has no e-mail address."
      >
        {channels => (
          <Rows label="E-mail addresses">
            {channels.map(channel => (
              <EmailRow key={channel.id} channel={channel} />
            ))}
          </Rows>
        )}
      </StoreList>
      <AddEmailForm userId={userId} />
    </Section>
  )
}

type Changes = Partial<Record<'isPrimary' | 'isVerified' | 'usedForAuth', boolean>>

function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const { app } = useProject()
  const [isAsking, asking] = useDisclosure()
  const { id: contactChannelId, userId, value, isPrimary, isVerified, usedForAuth } = channel
  const change = useAction((changes: Changes) => app.updateContactChannelById({ userId, contactChannelId, ...changes }))
  const set = (changes: Changes) => void change.run(changes).catch(() => undefined)
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {value}
          </Text>
          <Group gap={6} mt={4}>
            {isPrimary && <StatusBadge>Primary</StatusBadge>}
            {usedForAuth && <StatusBadge>Signs in</StatusBadge>}
            {isVerified ? (
              <StatusBadge>Verified</StatusBadge>
            ) : (
              <Text size="xs" c="dimmed">
                Not verified
              </Text>
            )}
          </Group>
        </Box>
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} menuItemTabIndex={0}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${value}`}>
              <EllipsisHorizontalIcon width={22} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!isPrimary && <Menu.Item onClick={() => set({ isPrimary: true })}>Make it the primary address</Menu.Item>}
            <Menu.Item onClick={() => set({ isVerified: !isVerified })}>
              {isVerified ? 'Mark it as not verified' : 'Mark it as verified'}
            </Menu.Item>
            <Menu.Item onClick={() => set({ usedForAuth: !usedForAuth })}>
              {usedForAuth ? 'Do not use it for signing in' : 'Use it for signing in'}
            </Menu.Item>
            <Menu.Item color="red" onClick={asking.open}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        question="Delete this address?"
        consequence={<span className="breakable">{value} will no longer belong to the account.</span>}
        answer="Delete address"
        run={() => app.deleteContactChannelById({ userId, contactChannelId })}
      />
    </Row>
  )
}

function AddEmailForm({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
  })
  const add = useAction(async (value: string) => {
    const result = await app.createContactChannelById({ userId, value, usedForAuth: true })
    // Another one may have been typed meanwhile.
    if (result.ok && form.getValues().email.trim() === value.trim()) form.reset()
    return result
  })
  const isBusy = add.status === 'running'
  return (
    <form
      noValidate
      aria-label="Add an address"
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) void add.run(email).catch(() => undefined)
      })}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          type="email"
          aria-label="New e-mail address"
          placeholder="ada@example.com"
          autoComplete="off"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? problemOf(add)}
        />
        <Button type="submit" size="md" variant="default" loading={isBusy}>
          Add address
        </Button>
      </Group>
    </form>
  )
}
