import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import { ActionIcon, Group, Menu, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { TeamMember } from 'rxauth'
import { useAction, useApp, useCan, useStore, useUser } from 'rxauth/react'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { PersonMark } from '../../ui/person-mark'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { tellFailure } from '../../ui/tell'
import { changeRole, roleNames, roles$ } from './roles'
import type { Role } from './roles'

/** One member with name, picture and role, and the user's actions on it. */
export function MemberRow({ member }: { readonly member: TeamMember }): ReactNode {
  const { teamId, userId } = member
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const roles = useStore(roles$(app, { teamId }))
  const isMe = userId === user.id
  const name = member.displayName ?? (isMe ? user.primaryEmail : null) ?? 'Without a name'
  const role = roles.status === 'ready' ? roles.value.find(each => each.userId === userId)?.role : undefined
  const change = useAction((next: Role) => changeRole(app, { teamId, userId, role: next }))
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <PersonMark name={name} url={member.profileImageUrl} size={36} />
          <Stack gap={4} miw={0}>
            <Text size="sm" fw={500} className="breakable">
              {name}
            </Text>
            {(isMe || role) && (
              <Group gap={6}>
                {isMe && <StatusBadge>You</StatusBadge>}
                {role && <StatusBadge>{roleNames[role]}</StatusBadge>}
              </Group>
            )}
          </Stack>
        </Group>
        {!isMe && (
          <MemberMenu
            teamId={teamId}
            userId={userId}
            name={name}
            role={role ?? null}
            onRole={next => void change.run(next).catch(() => undefined)}
          />
        )}
      </Group>
      <Problem of={change} />
    </Row>
  )
}

interface MenuProps {
  readonly teamId: string
  readonly userId: string
  readonly name: string
  readonly role: Role | null
  readonly onRole: (role: Role) => void
}

/** Absent without any of the permissions. */
function MemberMenu({ teamId, userId, name, role, onRole }: MenuProps): ReactNode {
  const app = useApp()
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const mayAppoint = useCan({ permissionId: 'team_admin', teamId })
  const [isAsking, { open: ask, close }] = useDisclosure()
  if (!mayRemove && !mayAppoint) return null
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} menuItemTabIndex={0}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${name}`}>
            <EllipsisHorizontalIcon width={22} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayAppoint && role !== 'team_admin' && (
            <Menu.Item onClick={() => onRole('team_admin')}>Change role to Admin</Menu.Item>
          )}
          {mayAppoint && role === 'team_admin' && (
            <Menu.Item onClick={() => onRole('team_member')}>Change role to Member</Menu.Item>
          )}
          {mayRemove && (
            <Menu.Item color="red" onClick={ask}>
              Remove from the team
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Remove this member?"
        consequence={`${name} can no longer see or change anything of this team. Only a new invitation lets them back in.`}
        answer="Remove member"
        // The row and this dialog close before the answer.
        run={() => app.removeTeamMember({ teamId, userId }).catch(tellFailure)}
      />
    </>
  )
}
