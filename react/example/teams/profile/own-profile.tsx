import type { ReactNode } from 'react'
import type { CurrentUser, TeamMember } from 'rxauth'
import { useApp } from 'rxauth/react'
import { NameForm } from '../../ui/name-form'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'
import { useWords } from '../../words/use-words'

interface Props {
  readonly profile: TeamMember
  readonly user: CurrentUser
}

/** The user's name and picture in this team; by default those of the account. */
export function OwnProfile({ profile: { teamId, displayName, profileImageUrl }, user }: Props): ReactNode {
  const app = useApp()
  const words = useWords().team.profile
  return (
    <Section title={words.own} description={words.ownText}>
      <PictureField
        url={profileImageUrl}
        name={displayName ?? user.primaryEmail ?? ''}
        alt={words.ownPicture}
        shape="round"
        save={url => app.updateOwnTeamProfile({ teamId, profileImageUrl: url })}
      />
      <NameForm
        label={words.ownName}
        value={displayName ?? ''}
        autoComplete="name"
        emptyProblem={words.noOwnName}
        save={name => app.updateOwnTeamProfile({ teamId, displayName: name })}
      />
    </Section>
  )
}
