import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ServerTeam } from 'rxauth/server'
import { useAction, useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextLink } from '../../ui/link'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
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
        {teams => (
          <Rows label="Teams">
            {teams.map(({ id: teamId, displayName }) => (
              <Row key={teamId}>
                <Group justify="space-between" gap="sm">
                  <TextLink to={`${base}/teams/${teamId}`} size="sm" className="breakable">
                    {displayName}
                  </TextLink>
                  <ConfirmButton
                    size="xs"
                    aria-label={`Remove from ${displayName}`}
                    question="Remove from this team?"
                    consequence={
                      <span className="breakable">
                        {`${name} will no longer be a member of ${displayName}, and loses the permissions there.`}
                      </span>
                    }
                    answer="Remove from team"
                    run={() => app.removeTeamMemberById({ teamId, userId })}
                  >
                    Remove
                  </ConfirmButton>
                </Group>
              </Row>
            ))}
          </Rows>
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
  const [chosen, setChosen] = useState('')
  const add = useAction((teamId: string) => app.addTeamMemberById({ teamId, userId }))
  if (all.status !== 'ready' || own.status !== 'ready') return null
  const others = all.value.filter(({ id }) => !own.value.some(team => team.id === id))
  const team: ServerTeam | undefined = others.find(({ id }) => id === chosen) ?? others[0]
  if (!team)
    return (
      <Text size="xs" c="dimmed">
        There is no other team to add the user to.
      </Text>
    )
  return (
    <>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Another team"
          size="md"
          flex="1 1 12rem"
          maw={400}
          value={team.id}
          data={others.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        <Button
          size="md"
          variant="default"
          loading={add.status === 'running'}
          onClick={() => void add.run(team.id).catch(() => undefined)}
        >
          Add to team
        </Button>
      </Group>
      <Problem of={add} />
    </>
  )
}
