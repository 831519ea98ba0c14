import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { SectionPage } from '../shell/section-page'
import { ChooseTeam } from './choose-team'
import { sections } from './sections'

/** The pages of the selected team; without one, a list to choose from. */
export function TeamPage({ section: path = '' }: { readonly section?: string | undefined }): ReactNode {
  const { selectedTeam: team } = useUser({ or: 'redirect' })
  const here = sections.find(each => each.path === path)
  if (!here) return <NotFound />
  if (!team) return <ChooseTeam />
  return (
    <SectionPage label={`Team ${team.displayName}`} base="/team" sections={sections} here={here}>
      {/* What was typed for one team is not meant for another one. */}
      <here.content key={team.id} team={team} />
    </SectionPage>
  )
}
