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
import { useWords } from '../../words/use-words'

/** One member with name, picture and role, and the user's actions on it. */
export function MemberRow({ member }: { readonly member: TeamMember }): ReactNode {
  const { teamId, userId } = member
  const app = useApp()
  const words = useWords().team.members
  const user = useUser({ or: 'redirect' })
  const { roles } = useOwnBackend()
  const known = useStore(roles?.of(app, { teamId }))
  const isMe = userId === user.id
  const name = member.displayName ?? (isMe ? user.primaryEmail : null) ?? words.noName
  const role = known.status === 'ready' ? known.value.find(each => each.userId === userId)?.role : undefined
  const change = useAction(async (next: Role) => roles?.change(app, { teamId, userId, role: next }))
  return (
    <Row
      icon={<Picture name={name} url={member.profileImageUrl} size={36} />}
      title={name}
      badges={
        <>
          {isMe && <StatusBadge>{words.you}</StatusBadge>}
          {role && <StatusBadge>{words.roles[role]}</StatusBadge>}
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
  const words = useWords().team.members
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const appoint = useCan({ permissionId: 'team_admin', teamId }) && onRole
  const [isAsking, { open: ask, close }] = useOpen()
  if (!mayRemove && !appoint) return null
  return (
    <>
      <ActionsMenu of={name}>
        {appoint && role !== 'team_admin' && (
          <MenuItem onClick={() => appoint('team_admin')}>{words.makeAdmin}</MenuItem>
        )}
        {appoint && role === 'team_admin' && (
          <MenuItem onClick={() => appoint('team_member')}>{words.makeMember}</MenuItem>
        )}
        {mayRemove && (
          <MenuItem isDangerous onClick={ask}>
            {words.remove}
          </MenuItem>
        )}
      </ActionsMenu>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question={words.question}
        consequence={words.consequence(name)}
        answer={words.answer}
        // The row and this dialog close before the answer.
        run={() => app.removeTeamMember({ teamId, userId }).catch(tellFailure)}
      />
    </>
  )
}
