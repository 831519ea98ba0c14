import type { ReactNode } from 'react'
import type { CurrentUser, TeamMember } from 'rxauth'
import { useApp } from 'rxauth/react'
import { NameForm } from '../../ui/name-form'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'

interface Props {
  readonly profile: TeamMember
  readonly user: CurrentUser
}

/** The user's name and picture in this team; by default those of the account. */
export function OwnProfile({ profile: { teamId, displayName, profileImageUrl }, user }: Props): ReactNode {
  const app = useApp()
  return (
    <Section
      title="Your profile in this team"
      description="The name and picture that this team sees. Without them it sees those of your account."
    >
      <PictureField
        url={profileImageUrl}
        name={displayName ?? user.primaryEmail ?? ''}
        alt="Your picture in this team"
        shape="round"
        save={url => app.updateOwnTeamProfile({ teamId, profileImageUrl: url })}
      />
      <NameForm
        label="Your name in this team"
        value={displayName ?? ''}
        autoComplete="name"
        emptyProblem="Enter a name."
        save={name => app.updateOwnTeamProfile({ teamId, displayName: name })}
      />
    </Section>
  )
}
