import type { ReactNode } from 'react'
import type { TeamInvitation, TeamMember } from 'rxauth'
import { useAction, useApp, useCan, useStore, useUser } from 'rxauth/react'
import { useOwnBackend, type Role } from '../../shell/own-backend'
import { Problem } from '../../ui/alert'
import { ConfirmButton, ConfirmDialog, useOpen } from '../../ui/dialog'
import { Day } from '../../ui/instant'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { Picture } from '../../ui/picture'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { EmailForm } from '../../ui/short-forms'
import { tellFailure } from '../../ui/toasts'
import { useWords } from '../../words/use-words'
import type { TeamPageProps } from '../of-team'

/** The members and invitations of the team. Parts without the permission are left out. */
export function TeamMembers({ team: { id: teamId } }: TeamPageProps): ReactNode {
  const app = useApp()
  const words = useWords().team.members
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayInvite = useCan({ permissionId: '$invite_members', teamId })
  return (
    <>
      <Section title={words.section}>
        <StoreList
          store={app.teamMembers$({ teamId })}
          label={words.title}
          isForbidden={mayRead === false}
          empty={words.none}
        >
          {member => <MemberRow key={member.userId} member={member} />}
        </StoreList>
      </Section>
      {mayInvite && <Invitations teamId={teamId} />}
    </>
  )
}

/** One member with name, picture and role, and the user's actions on it. */
function MemberRow({ member }: { readonly member: TeamMember }): ReactNode {
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

/** Invites to the team and lists its open invitations, for members with the permission to invite. */
function Invitations({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const words = useWords().team.invitations
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  return (
    <Section title={words.title} description={words.text}>
      <InvitationForm teamId={teamId} />
      <StoreList
        store={app.teamInvitations$({ teamId })}
        label={words.title}
        isForbidden={mayRead === false}
        empty={words.none}
      >
        {invitation => <InvitationRow key={invitation.id} invitation={invitation} mayRevoke={mayRemove === true} />}
      </StoreList>
    </Section>
  )
}

function InvitationForm({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const words = useWords().team.invitations
  const send = useAction((email: string) => app.sendTeamInvitation({ teamId, email }))
  return <EmailForm inline={words.invite} label={words.email} autoComplete="off" submit={words.submit} action={send} />
}

interface InvitationRowProps {
  readonly invitation: TeamInvitation
  readonly mayRevoke: boolean
}

function InvitationRow({ invitation, mayRevoke }: InvitationRowProps): ReactNode {
  const app = useApp()
  const words = useWords().team.invitations
  const { id: invitationId, teamId, recipientEmail, expiresAt } = invitation
  return (
    <Row
      title={recipientEmail}
      detail={words.expires(<Day at={expiresAt} />)}
      action={
        mayRevoke && (
          <ConfirmButton
            isSmall
            label={words.revoke}
            aria-label={words.revokeOf(recipientEmail)}
            question={words.question}
            consequence={words.consequence(recipientEmail)}
            answer={words.answer}
            // The row and this dialog close before the answer.
            run={() => app.revokeTeamInvitation({ teamId, invitationId }).catch(tellFailure)}
          />
        )
      }
    />
  )
}
