import type { ReactNode } from 'react'
import type { CurrentUser, TeamMember } from 'rxauth'
import { useApp, useCan, useStore, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { Picture, PictureField } from '../../ui/picture'
import { Section } from '../../ui/section'
import { NameForm } from '../../ui/short-forms'
import { useWords } from '../../words/use-words'
import type { TeamPageProps } from '../of-team'

/** The profiles of the team and of the user in it. Without the permission to change the team, it is read-only. */
export function TeamProfile({ team }: TeamPageProps): ReactNode {
  const app = useApp()
  const words = useWords().team.profile
  const user = useUser({ or: 'redirect' })
  const { id: teamId } = team
  const mayUpdate = useCan({ permissionId: '$update_team', teamId })
  const own = useStore(app.ownTeamProfile$({ teamId }))
  return (
    <>
      <Section title={words.section} description={words.text}>
        {mayUpdate ? (
          <>
            <PictureField
              url={team.profileImageUrl}
              name={team.displayName}
              alt={words.picture}
              shape="square"
              save={profileImageUrl => app.updateTeam({ teamId, profileImageUrl })}
            />
            <NameForm
              label={words.name}
              value={team.displayName}
              emptyProblem={words.noName}
              save={displayName => app.updateTeam({ teamId, displayName })}
            />
          </>
        ) : (
          <div className="auth-row oneline">
            <Picture url={team.profileImageUrl} name={team.displayName} size={48} shape="square" />
            <p className="strong breakable">{team.displayName}</p>
          </div>
        )}
      </Section>
      {own.status === 'ready' && own.value && <OwnProfile profile={own.value} user={user} />}
      <Section title={words.support} description={words.supportText}>
        <CopyField label={words.id} value={teamId} />
      </Section>
    </>
  )
}

interface Props {
  readonly profile: TeamMember
  readonly user: CurrentUser
}

/** The user's name and picture in this team; by default those of the account. */
function OwnProfile({ profile: { teamId, displayName, profileImageUrl }, user }: Props): ReactNode {
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
