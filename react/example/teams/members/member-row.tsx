import type { ReactNode } from 'react'
import type { TeamMember } from 'rxauth'
import { useAction, useApp, useCan, useStore, useUser } from 'rxauth/react'
import { useOwnBackend } from '../../shell/own-backend'
import type { Role } from '../../shell/own-backend'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { Picture } from '../../ui/picture'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { tellFailure } from '../../ui/toasts'
import { useOpen } from '../../ui/use-open'

const roleNames: Readonly<Record<Role, string>> = { team_admin: 'Admin', team_member: 'Member' }

/** One member with name, picture and role, and the user's actions on it. */
export function MemberRow({ member }: { readonly member: TeamMember }): ReactNode {
  const { teamId, userId } = member
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const { roles } = useOwnBackend()
  const known = useStore(roles?.of(app, { teamId }))
  const isMe = userId === user.id
  const name = member.displayName ?? (isMe ? user.primaryEmail : null) ?? 'Without a name'
  const role = known.status === 'ready' ? known.value.find(each => each.userId === userId)?.role : undefined
  const change = useAction(async (next: Role) => roles?.change(app, { teamId, userId, role: next }))
  return (
    <Row
      icon={<Picture name={name} url={member.profileImageUrl} size={36} />}
      title={name}
      badges={
        <>
          {isMe && <StatusBadge>You</StatusBadge>}
          {role && <StatusBadge kind="info">{roleNames[role]}</StatusBadge>}
        </>
      }
      action={
        !isMe && (
          <MemberMenu
            teamId={teamId}
            userId={userId}
            name={name}
            role={role ?? null}
            onRole={roles && (next => void change.run(next).catch(() => undefined))}
          />
        )
      }
    >
      <Problem of={change} />
    </Row>
  )
}

interface MenuProps {
  readonly teamId: string
  readonly userId: string
  readonly name: string
  readonly role: Role | null
  /** Absent without a backend that changes roles. */
  readonly onRole: ((role: Role) => void) | undefined
}

/** Absent without any of the permissions. */
function MemberMenu({ teamId, userId, name, role, onRole }: MenuProps): ReactNode {
  const app = useApp()
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const appoint = useCan({ permissionId: 'team_admin', teamId }) && onRole
  const [isAsking, { open: ask, close }] = useOpen()
  if (!mayRemove && !appoint) return null
  return (
    <>
      <ActionsMenu of={name}>
        {appoint && role !== 'team_admin' && (
          <MenuItem onClick={() => appoint('team_admin')}>Change role to Admin</MenuItem>
        )}
        {appoint && role === 'team_admin' && (
          <MenuItem onClick={() => appoint('team_member')}>Change role to Member</MenuItem>
        )}
        {mayRemove && (
          <MenuItem isDangerous onClick={ask}>
            Remove from the team
          </MenuItem>
        )}
      </ActionsMenu>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Remove this member?"
        consequence={`${name} can no longer see or change anything of this team. They need a new invitation to come back.`}
        answer="Remove member"
        // The row and this dialog close before the answer.
        run={() => app.removeTeamMember({ teamId, userId }).catch(tellFailure)}
      />
    </>
  )
}
