import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useAction, useApp, useCan, useStore, useUser } from 'rxauth/react'
import { useOwnBackend } from '../../shell/own-backend'
import { ConfirmButton } from '../../ui/dialog'
import { Day } from '../../ui/instant'
import { Picture } from '../../ui/picture'
import { MenuRow, Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { EmailForm } from '../../ui/short-forms'
import { tellFailure } from '../../ui/toasts'
import { useWords } from '../../words/use-words'

/** The members and invitations of the team. Parts without the permission are left out. */
export function TeamMembers({ team: { id: teamId } }: { readonly team: Team }): ReactNode {
  const app = useApp()
  const words = useWords().team.members
  const user = useUser({ or: 'redirect' })
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayInvite = useCan({ permissionId: '$invite_members', teamId })
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  const isAdmin = useCan({ permissionId: 'team_admin', teamId })
  const { roles } = useOwnBackend()
  const known = useStore(roles?.of(app, { teamId }))
  const roleOf = (id: string) => known.status === 'ready' && known.value.find(({ userId }) => userId === id)?.role
  return (
    <>
      <Section title={words.section}>
        <StoreList
          store={app.teamMembers$({ teamId })}
          label={words.title}
          isForbidden={mayRead === false}
          empty={words.none}
        >
          {({ userId, displayName, profileImageUrl }) => {
            const isMe = userId === user.id
            const name = displayName ?? (isMe ? user.primaryEmail : null) ?? words.noName
            const role = roleOf(userId)
            const next = role === 'team_admin' ? 'team_member' : 'team_admin'
            return (
              <MenuRow
                key={userId}
                of={name}
                icon={<Picture name={name} url={profileImageUrl} size={36} />}
                title={name}
                badges={
                  <>
                    {isMe && <StatusBadge>{words.you}</StatusBadge>}
                    {role && <StatusBadge>{words.roles[role]}</StatusBadge>}
                  </>
                }
                actions={[
                  // Only a backend changes roles.
                  !isMe &&
                    isAdmin === true &&
                    roles !== undefined && {
                      label: next === 'team_admin' ? words.makeAdmin : words.makeMember,
                      run: () => roles.change(app, { teamId, userId, role: next }),
                    },
                  !isMe &&
                    mayRemove === true && {
                      label: words.remove,
                      question: words.question,
                      consequence: words.consequence(name),
                      answer: words.answer,
                      // The row and its dialog close before the answer.
                      run: () => app.removeTeamMember({ teamId, userId }).catch(tellFailure),
                    },
                ]}
              />
            )
          }}
        </StoreList>
      </Section>
      {mayInvite && <Invitations teamId={teamId} />}
    </>
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
