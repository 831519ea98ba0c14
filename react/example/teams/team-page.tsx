import { ExclamationTriangleIcon, KeyIcon, PhotoIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ComponentType, ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { SectionPage } from '../shell/section-page'
import type { PageSection } from '../shell/section-page'
import { Picture } from '../ui/picture'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'
import { TeamApiKeys } from './api-keys/team-api-keys'
import { ChooseTeam } from './choose-team'
import { TeamDangerZone } from './danger-zone/team-danger-zone'
import { TeamMembers } from './members/team-members'
import type { TeamPageProps } from './of-team'
import { TeamProfile } from './profile/team-profile'

/** The pages of the selected team; without one, a list to choose from. */
export function TeamPage({ section: path = '' }: { readonly section?: string | undefined }): ReactNode {
  const { selectedTeam: team } = useUser({ or: 'redirect' })
  const words = useWords()
  const all = sections(words)
  const here = all.find(each => each.path === path)
  if (!here) return <NotFound />
  if (!team) return <ChooseTeam />
  return (
    <SectionPage
      label={team.displayName}
      picture={<Picture url={team.profileImageUrl} name={team.displayName} size={24} shape="square" />}
      base="/handler/team"
      sections={all}
      here={here}
    >
      {/* The key drops text that was typed for another team. */}
      <here.content key={team.id} team={team} />
    </SectionPage>
  )
}

/** A page about the selected team. */
interface TeamSection extends PageSection {
  readonly content: ComponentType<TeamPageProps>
}

/** In the order of the list. */
const sections = ({ team }: Words): readonly TeamSection[] => [
  { path: '', title: team.members.title, icon: UsersIcon, content: TeamMembers },
  { path: 'profile', title: team.profile.title, icon: PhotoIcon, content: TeamProfile },
  { path: 'api-keys', title: team.apiKeys.title, icon: KeyIcon, content: TeamApiKeys },
  { path: 'danger-zone', title: team.danger.title, icon: ExclamationTriangleIcon, content: TeamDangerZone },
]
