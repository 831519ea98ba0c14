import type { ReactNode } from 'react'
import type { OwnTeamInvitation } from 'rxauth'
import { useApp, useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { Page } from '../shell/section-page'
import { Day } from '../ui/instant'
import { useGo } from '../ui/navigation'
import { ActionRow, StoreList } from '../ui/rows'
import { Section } from '../ui/section'
import { tell, tellFailure } from '../ui/toasts'
import { useWords } from '../words/use-words'

/** The open invitations to the user's verified addresses. A release of the platform without them has no such page. */
export function OwnInvitationsPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const app = useApp()
  const { pages, team } = useWords()
  const words = team.ownInvitations
  const go = useGo()
  const join = async ({ id: invitationId, teamId, teamDisplayName }: OwnTeamInvitation) => {
    const result = await app.acceptOwnTeamInvitation({ invitationId })
    // The list has been loaded again, so its row is gone.
    if (!result.ok && result.error.code === 'VERIFICATION_CODE_NOT_FOUND') tell(words.gone(teamDisplayName), 'warning')
    if (!result.ok) return result
    tell(pages.invitation.joined(teamDisplayName))
    // A member who has another team selected finds this one in the switcher.
    await app.selectTeam({ teamId }).catch(tellFailure)
    go('/handler/team')
    return result
  }
  // A release that lists invitations says it.
  if (user.isRestricted === undefined) return <NotFound />
  return (
    <Page title={words.title}>
      <Section title={words.section} description={words.text}>
        <StoreList store={app.ownTeamInvitations$} label={words.title} empty={words.none}>
          {invitation => (
            <ActionRow
              key={invitation.id}
              title={invitation.teamDisplayName}
              detail={words.detail(invitation.recipientEmail, <Day at={invitation.expiresAt} />)}
              kind="primary"
              button={words.join}
              name={pages.invitation.join(invitation.teamDisplayName)}
              run={() => join(invitation)}
            />
          )}
        </StoreList>
      </Section>
    </Page>
  )
}
