import type { ReactNode } from 'react'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextLink } from '../../ui/link'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { AddOne } from '../add-one'
import { useProject } from '../project/project-context'

interface Props {
  readonly userId: string
  readonly name: string
}

/** The user's teams, with a form to add the user to others. */
export function UserTeams({ userId, name }: Props): ReactNode {
  const { app, base } = useProject()
  return (
    <Section title="Teams">
      <StoreList store={app.teamsOf$({ userId })} label="Teams" empty="The user is in no team.">
        {({ id: teamId, displayName }) => (
          <Row
            key={teamId}
            title={<TextLink to={`${base}/teams/${teamId}`}>{displayName}</TextLink>}
            action={
              <ConfirmButton
                isSmall
                aria-label={`Remove from ${displayName}`}
                question="Remove from this team?"
                consequence={`${name} will no longer be a member of ${displayName}, and loses the permissions there.`}
                answer="Remove from team"
                run={() => app.removeTeamMemberById({ teamId, userId })}
              >
                Remove
              </ConfirmButton>
            }
          />
        )}
      </StoreList>
      <AddToTeam userId={userId} />
    </Section>
  )
}

function AddToTeam({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const all = useStore(app.allTeams$)
  const own = useStore(app.teamsOf$({ userId }))
  if (all.status !== 'ready' || own.status !== 'ready') return null
  const others = all.value.filter(({ id }) => !own.value.some(team => team.id === id))
  return (
    <AddOne
      label="Another team"
      options={others.map(({ id, displayName }) => ({ value: id, label: displayName }))}
      button="Add to team"
      none="There is no other team to add the user to."
      add={teamId => app.addTeamMemberById({ teamId, userId })}
    />
  )
}
