import type { ReactNode } from 'react'
import { useApp, useCan, useStore, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { NameForm } from '../../ui/name-form'
import { Picture } from '../../ui/picture'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'
import type { OfTeam } from '../of-team'
import { OwnProfile } from './own-profile'

/** The profiles of the team and of the user in it. Without the permission to change the team, it is read-only. */
export function TeamProfile({ team }: OfTeam): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const { id: teamId } = team
  const mayUpdate = useCan({ permissionId: '$update_team', teamId })
  const own = useStore(app.ownTeamProfile$({ teamId }))
  return (
    <>
      <Section title="Team" description="Visible to all members of the team.">
        {mayUpdate ? (
          <>
            <PictureField
              url={team.profileImageUrl}
              name={team.displayName}
              alt="The team's picture"
              shape="square"
              save={profileImageUrl => app.updateTeam({ teamId, profileImageUrl })}
            />
            <NameForm
              label="Team name"
              value={team.displayName}
              emptyProblem="A team needs a name."
              save={displayName => app.updateTeam({ teamId, displayName })}
            />
          </>
        ) : (
          <div className="row oneline">
            <Picture url={team.profileImageUrl} name={team.displayName} size={48} shape="square" />
            <p className="strong breakable">{team.displayName}</p>
          </div>
        )}
      </Section>
      {own.status === 'ready' && own.value && <OwnProfile profile={own.value} user={user} />}
      <Section title="For support" description="Our support may ask you for it.">
        <CopyField label="Team id" value={teamId} />
      </Section>
    </>
  )
}
