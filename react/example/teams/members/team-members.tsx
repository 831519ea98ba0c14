import type { ReactNode } from 'react'
import { useApp, useCan } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import type { OfTeam } from '../of-team'
import { Invitations } from './invitations'
import { MemberRow } from './member-row'

/** The members and invitations of the team. Parts without the permission are left out. */
export function TeamMembers({ team: { id: teamId } }: OfTeam): ReactNode {
  const app = useApp()
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayInvite = useCan({ permissionId: '$invite_members', teamId })
  return (
    <>
      <Section title="Team members">
        <StoreList
          store={app.teamMembers$({ teamId })}
          label="Members"
          isForbidden={mayRead === false}
          empty="The team has no members."
        >
          {member => <MemberRow key={member.userId} member={member} />}
        </StoreList>
      </Section>
      {mayInvite && <Invitations teamId={teamId} />}
    </>
  )
}
