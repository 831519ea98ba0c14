import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useApp, useCan, useStore, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { Picture, PictureField } from '../../ui/picture'
import { Section } from '../../ui/section'
import { NameForm } from '../../ui/short-forms'
import { useWords } from '../../words/use-words'

/** The profiles of the team and of the user in it. Without the permission to change the team, it is read-only. */
export function TeamProfile({ team }: { readonly team: Team }): ReactNode {
  const app = useApp()
  const words = useWords().team.profile
  const user = useUser({ or: 'redirect' })
  const { id: teamId } = team
  const mayUpdate = useCan({ permissionId: '$update_team', teamId })
  const profile = useStore(app.ownTeamProfile$({ teamId }))
  const own = profile.status === 'ready' ? profile.value : null
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
      {/* The user's name and picture in this team; by default those of the account. */}
      {own && (
        <Section title={words.own} description={words.ownText}>
          <PictureField
            url={own.profileImageUrl}
            name={own.displayName ?? user.primaryEmail ?? ''}
            alt={words.ownPicture}
            shape="round"
            save={profileImageUrl => app.updateOwnTeamProfile({ teamId, profileImageUrl })}
          />
          <NameForm
            label={words.ownName}
            value={own.displayName ?? ''}
            autoComplete="name"
            emptyProblem={words.noOwnName}
            save={displayName => app.updateOwnTeamProfile({ teamId, displayName })}
          />
        </Section>
      )}
      <Section title={words.support} description={words.supportText}>
        <CopyField label={words.id} value={teamId} />
      </Section>
    </>
  )
}
