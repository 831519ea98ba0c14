import type { ReactNode } from 'react'
import type { OwnTeamInvitation } from 'rxauth'
import { useAction, useApp, useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { Page } from '../shell/page'
import { Button } from '../ui/button'
import { Day } from '../ui/day'
import { useGo } from '../ui/navigation'
import { Problem } from '../ui/problem'
import { Row } from '../ui/rows'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { tell, tellFailure } from '../ui/toasts'

/** The open invitations to the user's verified addresses. A release of the platform without them has no such page. */
export function OwnInvitationsPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const { ownTeamInvitations$ } = useApp()
  // A release that lists invitations says it.
  if (user.isRestricted === undefined) return <NotFound />
  return (
    <Page title="Invitations">
      <Section
        title="Teams that invite you"
        description="Invitations to your verified e-mail addresses. You can ignore those that you do not want."
      >
        <StoreList store={ownTeamInvitations$} label="Invitations" empty="There are no open invitations to you.">
          {invitation => <InvitationRow key={invitation.id} invitation={invitation} />}
        </StoreList>
      </Section>
    </Page>
  )
}

function InvitationRow({ invitation }: { readonly invitation: OwnTeamInvitation }): ReactNode {
  const app = useApp()
  const go = useGo()
  const { id: invitationId, teamId, teamDisplayName, recipientEmail, expiresAt } = invitation
  const join = useAction(async () => {
    const result = await app.acceptOwnTeamInvitation({ invitationId })
    // The list has been loaded again, so this row is gone.
    if (!result.ok && result.error.code === 'VERIFICATION_CODE_NOT_FOUND')
      tell(`The invitation to ${teamDisplayName} was used or revoked, or has expired.`, 'warning')
    if (!result.ok) return result
    tell(`You are now in the team ${teamDisplayName}.`)
    // A member who has another team selected finds this one in the switcher.
    await app.selectTeam({ teamId }).catch(tellFailure)
    go('/team')
    return result
  })
  return (
    <Row
      title={teamDisplayName}
      detail={
        <>
          Sent to {recipientEmail}, expires <Day at={expiresAt} />
        </>
      }
      action={
        <Button isSmall aria-label={`Join ${teamDisplayName}`} does={join}>
          Join
        </Button>
      }
    >
      <Problem of={join} />
    </Row>
  )
}
