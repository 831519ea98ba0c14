import type { ReactNode } from 'react'
import type { TeamMember } from 'rxauth'
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
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const isAdmin = useCan({ permissionId: 'team_admin', teamId })
  const { roles } = useOwnBackend()
  const known = useStore(roles?.of(app, { teamId }))
  const roleOf = (id: string) =>
    (known.status === 'ready' ? known.value.find(({ userId }) => userId === id)?.role : undefined) ?? null
  return (
    <>
      <Section title={words.section}>
        <StoreList
          store={app.teamMembers$({ teamId })}
          label={words.title}
          isForbidden={mayRead === false}
          empty={words.none}
        >
          {member => (
            <MemberRow
              key={member.userId}
              member={member}
              role={roleOf(member.userId)}
              mayRemove={mayRemove === true}
              changeRole={
                isAdmin && roles ? role => roles.change(app, { teamId, userId: member.userId, role }) : undefined
              }
            />
          )}
        </StoreList>
      </Section>
      {mayInvite && <Invitations teamId={teamId} />}
    </>
  )
}

interface MemberRowProps {
  readonly member: TeamMember
  readonly role: Role | null
  readonly mayRemove: boolean
  /** Absent without the permission, and without a backend that changes roles. */
  readonly changeRole: ((role: Role) => Promise<unknown>) | undefined
}

/** One member with name, picture and role, and the user's actions on it, if there are any. */
function MemberRow({ member, role, mayRemove, changeRole }: MemberRowProps): ReactNode {
  const { teamId, userId, displayName, profileImageUrl } = member
  const app = useApp()
  const words = useWords().team.members
  const user = useUser({ or: 'redirect' })
  const [isAsking, { open: ask, close }] = useOpen()
  const change = useAction(async (next: Role) => changeRole?.(next))
  const set = (next: Role) => void change.run(next).catch(() => undefined)
  const isMe = userId === user.id
  const name = displayName ?? (isMe ? user.primaryEmail : null) ?? words.noName
  const hasMenu = !isMe && (mayRemove || changeRole !== undefined)
  return (
    <Row
      icon={<Picture name={name} url={profileImageUrl} size={36} />}
      title={name}
      badges={
        <>
          {isMe && <StatusBadge>{words.you}</StatusBadge>}
          {role && <StatusBadge>{words.roles[role]}</StatusBadge>}
        </>
      }
      action={
        hasMenu && (
          <ActionsMenu of={name}>
            {changeRole && role !== 'team_admin' && (
              <MenuItem label={words.makeAdmin} onClick={() => set('team_admin')} />
            )}
            {changeRole && role === 'team_admin' && (
              <MenuItem label={words.makeMember} onClick={() => set('team_member')} />
            )}
            {mayRemove && <MenuItem label={words.remove} isDangerous onClick={ask} />}
          </ActionsMenu>
        )
      }
    >
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question={words.question}
        consequence={words.consequence(name)}
        answer={words.answer}
        // The row and this dialog close before the answer.
        run={() => app.removeTeamMember({ teamId, userId }).catch(tellFailure)}
      />
    </Row>
  )
}

/** Invites to the team and lists its open invitations, for members with the permission to invite. */
function Invitations({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const words = useWords().team.invitations
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const send = useAction((email: string) => app.sendTeamInvitation({ teamId, email }))
  return (
    <Section title={words.title} description={words.text}>
      <EmailForm inline={words.invite} label={words.email} autoComplete="off" submit={words.submit} action={send} />
      <StoreList
        store={app.teamInvitations$({ teamId })}
        label={words.title}
        isForbidden={mayRead === false}
        empty={words.none}
      >
        {({ id: invitationId, recipientEmail, expiresAt }) => (
          <Row
            key={invitationId}
            title={recipientEmail}
            detail={words.expires(<Day at={expiresAt} />)}
            action={
              mayRemove && (
                <ConfirmButton
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
        )}
      </StoreList>
    </Section>
  )
}
