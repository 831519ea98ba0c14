import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ServerTeam } from 'rxauth/server'
import { useAction, useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { nameOf } from '../users/name-of'
import { UserRow } from '../users/user-row'

/** The members of the team, with a form to add others. */
export function TeamMembers({ team }: { readonly team: ServerTeam }): ReactNode {
  const { app } = useProject()
  const { id: teamId, displayName } = team
  return (
    <Section title="Members">
      <StoreList store={app.teamMembersOf$({ teamId })} label="Members" empty="The team has no members yet.">
        {members => (
          <Rows label="Members">
            {members.map(({ userId, user }) => (
              <UserRow
                key={userId}
                user={user}
                action={
                  <ConfirmButton
                    size="xs"
                    flex="none"
                    aria-label={`Remove ${nameOf(user)}`}
                    question="Remove this member?"
                    consequence={
                      <span className="breakable">
                        {`${nameOf(user)} will no longer be a member of ${displayName}, and loses the permissions there.`}
                      </span>
                    }
                    answer="Remove member"
                    run={() => app.removeTeamMemberById({ teamId, userId })}
                  >
                    Remove
                  </ConfirmButton>
                }
              />
            ))}
          </Rows>
        )}
      </StoreList>
      <AddMember teamId={teamId} />
    </Section>
  )
}

/** More users than these are found by a longer search text. */
const limit = 20

function AddMember({ teamId }: { readonly teamId: string }): ReactNode {
  const { app } = useProject()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const [query] = useDebouncedValue(typed.trim(), 250)
  const found = useStore(query === '' ? null : app.users$({ query, limit }))
  const members = useStore(app.teamMembersOf$({ teamId }))
  const add = useAction(async (userId: string) => {
    const result = await app.addTeamMemberById({ teamId, userId })
    if (result.ok) setTyped('')
    return result
  })
  const others =
    found.status === 'ready' && members.status === 'ready'
      ? found.value.items.filter(({ id }) => !members.value.some(({ userId }) => userId === id))
      : []
  const user = others.find(({ id }) => id === chosen) ?? others[0]
  return (
    <>
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Find a user to add"
          type="search"
          flex="1 1 12rem"
          maw={400}
          placeholder="Name, e-mail address or id"
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {user && (
          <>
            <NativeSelect
              label="User to add"
              size="md"
              flex="1 1 12rem"
              maw={400}
              value={user.id}
              data={others.map(each => ({ value: each.id, label: nameOf(each) }))}
              onChange={event => setChosen(event.currentTarget.value)}
            />
            <Button
              size="md"
              variant="default"
              loading={add.status === 'running'}
              onClick={() => void add.run(user.id).catch(() => undefined)}
            >
              Add member
            </Button>
          </>
        )}
      </Group>
      {found.status === 'ready' && !user && (
        <Text size="sm" c="dimmed" role="status">
          {`No user outside of the team matches “${query}”.`}
        </Text>
      )}
      <Problem of={add} />
    </>
  )
}
