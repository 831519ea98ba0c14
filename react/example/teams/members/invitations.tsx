import type { ReactNode } from 'react'
import type { TeamInvitation } from 'rxauth'
import { useAction, useApp, useCan } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/instant'
import { EmailForm } from '../../ui/email-form'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { tellFailure } from '../../ui/toasts'
import { useWords } from '../../words/use-words'

/** Invites to the team and lists its open invitations, for members with the permission to invite. */
export function Invitations({ teamId }: { readonly teamId: string }): ReactNode {
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
            aria-label={words.revokeOf(recipientEmail)}
            question={words.question}
            consequence={words.consequence(recipientEmail)}
            answer={words.answer}
            // The row and this dialog close before the answer.
            run={() => app.revokeTeamInvitation({ teamId, invitationId }).catch(tellFailure)}
          >
            {words.revoke}
          </ConfirmButton>
        )
      }
    />
  )
}
