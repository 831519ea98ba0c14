import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import type { ServerTeam } from 'rxauth/server'
import { CopyField } from '../../ui/copy-field'
import { Day } from '../../ui/instant'
import { NameForm } from '../../ui/name-form'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { OwnedKeys } from '../api-keys/owned-keys'
import { Deletion, ItemPage } from '../item-page'
import { useProject } from '../project/project-context'
import { TeamMembers } from './team-members'

/** One team: its name, members, keys and deletion. */
export function TeamPage({ teamId }: { readonly teamId: string }): ReactNode {
  const { app } = useProject()
  return (
    <ItemPage what="team" id={teamId} store={app.teamById$({ teamId })}>
      {team => <Known team={team} />}
    </ItemPage>
  )
}

function Known({ team }: { readonly team: ServerTeam }): ReactNode {
  const { app } = useProject()
  const { id: teamId, displayName } = team
  return (
    <>
      <div>
        <PageHeading title={displayName} />
        <p className="dim">
          Created on <Day at={team.createdAt} />
        </p>
      </div>
      <Section title="Name">
        <NameForm
          label="Name of the team"
          value={displayName}
          emptyProblem="Give the team a name."
          save={async name => orThrow(await app.updateTeamById({ teamId, displayName: name }))}
        />
        <CopyField label="Team id" value={teamId} />
      </Section>
      <TeamMembers team={team} />
      <OwnedKeys
        setting="allowTeamApiKeys"
        switchedOff="API keys of teams are switched off in the settings of the project."
        empty="The team has no API keys."
        store={app.teamApiKeysOf$({ teamId })}
        revoke={apiKeyId => app.revokeTeamApiKeyById({ teamId, apiKeyId })}
      />
      <Deletion
        what="team"
        description="Its members stay users of the project."
        consequence={`The team ${displayName}, its memberships and permissions will be deleted.`}
        run={() => app.deleteTeamById({ teamId })}
      />
    </>
  )
}
