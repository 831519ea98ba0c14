import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { SectionPage } from '../shell/section-page'
import { Picture } from '../ui/picture'
import { ChooseTeam } from './choose-team'
import { sections } from './sections'
import { useWords } from '../words/use-words'

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
