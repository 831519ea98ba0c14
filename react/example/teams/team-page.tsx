import { ExclamationTriangleIcon, KeyIcon, PhotoIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useApp, useCan, useUser } from 'rxauth/react'
import { ApiKeys } from '../api-keys/api-keys'
import { NotFound } from '../handlers/not-found'
import { SectionPage, type PageSection } from '../shell/section-page'
import { ConfirmButton } from '../ui/dialog'
import { Picture } from '../ui/picture'
import { Section } from '../ui/section'
import { tell, tellFailure } from '../ui/toasts'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'
import { ChooseTeam } from './choose-team'
import { TeamMembers } from './members/team-members'
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

interface Props {
  readonly team: Team
}

/** In the order of the list. */
const sections = ({ team }: Words): readonly PageSection<Props>[] => [
  { path: '', title: team.members.title, icon: UsersIcon, content: TeamMembers },
  { path: 'profile', title: team.profile.title, icon: PhotoIcon, content: TeamProfile },
  { path: 'api-keys', title: team.apiKeys.title, icon: KeyIcon, content: TeamApiKeys },
  { path: 'danger-zone', title: team.danger.title, icon: ExclamationTriangleIcon, content: TeamDangerZone },
]

/** Keys for programs that act for the team. */
function TeamApiKeys({ team: { id: teamId } }: Props): ReactNode {
  const app = useApp()
  const mayManage = useCan({ permissionId: '$manage_api_keys', teamId })
  return (
    <ApiKeys
      setting="allowTeamApiKeys"
      description={useWords().team.apiKeys.text}
      mayManage={mayManage}
      refusal="API_KEY_NOT_FOUND"
      keys={{
        store: app.teamApiKeys$({ teamId }),
        create: key => app.createTeamApiKey({ ...key, teamId }),
        rename: (apiKeyId, description) => app.updateTeamApiKey({ teamId, apiKeyId, description }),
        revoke: apiKeyId => app.revokeTeamApiKey({ teamId, apiKeyId }),
      }}
    />
  )
}

/** Leaves or deletes the team; then the page closes. */
function TeamDangerZone({ team: { id: teamId, displayName } }: Props): ReactNode {
  const app = useApp()
  const words = useWords().team.danger
  const mayDelete = useCan({ permissionId: '$delete_team', teamId })
  return (
    <>
      <Section
        title={words.leave}
        description={words.leaveText}
        isDangerous
        action={
          <ConfirmButton
            label={words.leave}
            question={words.leaveQuestion}
            consequence={words.leaveConsequence(displayName)}
            answer={words.leave}
            run={() => gone(app.leaveTeam({ teamId }), words.left(displayName))}
          />
        }
      />
      {mayDelete && (
        <Section
          title={words.delete}
          description={words.deleteText}
          isDangerous
          action={
            <ConfirmButton
              kind="danger"
              label={words.delete}
              question={words.deleteQuestion}
              consequence={words.deleteConsequence(displayName)}
              answer={words.deleteAnswer}
              run={() => gone(app.deleteTeam({ teamId }), words.deleted(displayName))}
            />
          }
        />
      )}
    </>
  )
}

/** The page closes before the answer, and opens again if the platform refuses. */
async function gone(going: Promise<unknown>, message: string): Promise<void> {
  await going.then(() => tell(message), tellFailure)
}
