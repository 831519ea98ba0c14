import type { ReactNode } from 'react'
import { useApp, useCan } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import type { TeamPageProps } from '../of-team'
import { Invitations } from './invitations'
import { MemberRow } from './member-row'
import { useWords } from '../../words/use-words'

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
