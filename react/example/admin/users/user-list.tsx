import { MagnifyingGlassIcon } from '@heroicons/react/24/outline'
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useStore } from 'rxauth/react'
import { PageHeading } from '../../ui/page-heading'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { CreateUserDialog } from './create-user-dialog'
import { InviteForm } from './invite-form'
import { UserRow } from './user-row'

const limit = 20

/** The users to list, where the platform leaves some out. */
const kinds = {
  everyone: { includeAnonymous: true },
  accounts: { includeRestricted: true },
  guests: { includeAnonymous: true, onlyAnonymous: true },
}

/** The users page by page, searchable by name, address or id. New users appear in the list. */
export function UserList(): ReactNode {
  const { app } = useProject()
  const [isCreating, { open, close }] = useDisclosure()
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useState('newest')
  const [shown, setShown] = useState<keyof typeof kinds>('everyone')
  /** The cursors of the pages before this one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  // Without it every typed letter would send a request.
  const [query] = useDebouncedValue(typed.trim(), 250)
  const cursor = cursors.at(-1)
  const project = useStore(app.adminProject$)
  // Newer releases have no user count, and list guests and restricted users only on request; older ones refuse these
  // parameters.
  const isNewer = project.status === 'ready' && project.value.userCount === undefined
  const page$ = app.users$({
    limit,
    ...(isNewer && kinds[shown]),
    orderBy: 'signedUpAt',
    desc: order === 'newest',
    ...(query !== '' && { query }),
    ...(cursor !== undefined && { cursor }),
  })
  return (
    <>
      <Group justify="space-between" gap="sm">
        <PageHeading title="Users" />
        <Button onClick={open}>Create a user</Button>
      </Group>
      <Section title="All users">
        <Group gap="sm" align="flex-end">
          <TextInput
            flex="1 1 14rem"
            type="search"
            label="Search"
            placeholder="Name, e-mail address or id"
            leftSection={<MagnifyingGlassIcon width={18} />}
            value={typed}
            onChange={event => {
              setTyped(event.currentTarget.value)
              setCursors([])
            }}
          />
          {isNewer && (
            <NativeSelect
              label="Show"
              size="md"
              value={shown}
              data={[
                { value: 'everyone', label: 'Everyone' },
                { value: 'accounts', label: 'Accounts' },
                { value: 'guests', label: 'Guests' },
              ]}
              onChange={event => {
                setShown(event.currentTarget.value as keyof typeof kinds)
                setCursors([])
              }}
            />
          )}
          <NativeSelect
            label="Order"
            size="md"
            value={order}
            data={[
              { value: 'newest', label: 'Newest first' },
              { value: 'oldest', label: 'Oldest first' },
            ]}
            onChange={event => {
              setOrder(event.currentTarget.value)
              setCursors([])
            }}
          />
        </Group>
        <WithStore store={page$} label="Users">
          {({ items, nextCursor }) => (
            <Stack gap="sm">
              {items.length === 0 ? (
                <Text c="dimmed" size="sm" role="status">
                  {query === '' ? 'There are no users yet.' : `No user matches “${query}”.`}
                </Text>
              ) : (
                <Rows label="Users">
                  {items.map(user => (
                    <UserRow key={user.id} user={user} />
                  ))}
                </Rows>
              )}
              <Group component="nav" aria-label="Pages" justify="space-between" gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  size="xs"
                  disabled={cursors.length === 0}
                  onClick={() => setCursors(cursors.slice(0, -1))}
                >
                  Previous page
                </Button>
                <Text size="sm" c="dimmed">
                  Page {cursors.length + 1}
                </Text>
                <Button
                  variant="default"
                  size="xs"
                  disabled={nextCursor === null}
                  onClick={() => nextCursor !== null && setCursors([...cursors, nextCursor])}
                >
                  Next page
                </Button>
              </Group>
            </Stack>
          )}
        </WithStore>
      </Section>
      <InviteForm />
      <CreateUserDialog isOpen={isCreating} onClose={close} />
    </>
  )
}
