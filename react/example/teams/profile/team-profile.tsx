import type { ReactNode } from 'react'
import { useApp, useCan, useStore, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { NameForm } from '../../ui/name-form'
import { Picture } from '../../ui/picture'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'
import type { TeamPageProps } from '../of-team'
import { OwnProfile } from './own-profile'
import { useWords } from '../../words/use-words'

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
