import type { ReactNode } from 'react'
import type { TeamInvitation } from 'rxauth'
import { useAction, useApp, useCan } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { EmailForm } from '../../ui/email-form'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { tellFailure } from '../../ui/toasts'

/** Invites to the team and lists its open invitations, for members with the permission to invite. */
export function Invitations({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  return (
    <Section title="Invitations" description="We will send a link to join. It works for seven days.">
      <InvitationForm teamId={teamId} />
      <StoreList
        store={app.teamInvitations$({ teamId })}
        label="Invitations"
        isForbidden={mayRead === false}
        empty="There are no open invitations."
      >
        {invitation => <InvitationRow key={invitation.id} invitation={invitation} mayRevoke={mayRemove === true} />}
      </StoreList>
    </Section>
  )
}

function InvitationForm({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const send = useAction((email: string) => app.sendTeamInvitation({ teamId, email }))
  return (
    <EmailForm
      inline="Invite"
      label="E-mail address to invite"
      autoComplete="off"
      submit="Send invitation"
      action={send}
    />
  )
}

interface RowProps {
  readonly invitation: TeamInvitation
  readonly mayRevoke: boolean
}

function InvitationRow({ invitation, mayRevoke }: RowProps): ReactNode {
  const app = useApp()
  const { id: invitationId, teamId, recipientEmail, expiresAt } = invitation
  return (
    <Row
      title={recipientEmail}
      detail={
        <>
          Expires <Day at={expiresAt} />
        </>
      }
      action={
        mayRevoke && (
          <ConfirmButton
            isSmall
            aria-label={`Revoke the invitation of ${recipientEmail}`}
            question="Revoke this invitation?"
            consequence={`The link sent to ${recipientEmail} will stop working.`}
            answer="Revoke invitation"
            // The row and this dialog close before the answer.
            run={() => app.revokeTeamInvitation({ teamId, invitationId }).catch(tellFailure)}
          >
            Revoke
          </ConfirmButton>
        )
      }
    />
  )
}
