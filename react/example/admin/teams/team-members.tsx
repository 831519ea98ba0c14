import { useState } from 'react'
import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import { useStore } from 'rxauth/react'
import type { ServerTeam } from 'rxauth/server'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextField } from '../../ui/field'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useDebounced } from '../../ui/use-debounced'
import { AddOne } from '../add-one'
import { useProject } from '../project/project-context'
import { nameOf, UserRow } from '../users/user-row'

/** The members of the team, with a form to add others. */
export function TeamMembers({ team }: { readonly team: ServerTeam }): ReactNode {
  const { app } = useProject()
  const { id: teamId, displayName } = team
  return (
    <Section title="Members">
      <StoreList store={app.teamMembersOf$({ teamId })} label="Members" empty="The team has no members yet.">
        {({ userId, user }) => (
          <UserRow
            key={userId}
            user={user}
            action={
              <ConfirmButton
                isSmall
                aria-label={`Remove ${nameOf(user)}`}
                question="Remove this member?"
                consequence={`${nameOf(user)} will no longer be a member of ${displayName}, and loses the permissions there.`}
                answer="Remove member"
                run={() => app.removeTeamMemberById({ teamId, userId })}
              >
                Remove
              </ConfirmButton>
            }
          />
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
  const query = useDebounced(typed.trim(), 250)
  const found = useStore(query === '' ? null : app.users$({ query, limit }))
  const members = useStore(app.teamMembersOf$({ teamId }))
  const others =
    found.status === 'ready' && members.status === 'ready'
      ? found.value.items.filter(({ id }) => !members.value.some(({ userId }) => userId === id))
      : []
  return (
    <>
      <TextField
        className="narrow"
        label="Find a user to add"
        type="search"
        placeholder="Name, e-mail address or id"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      <AddOne
        label="User to add"
        options={others.map(user => ({ value: user.id, label: nameOf(user) }))}
        button="Add member"
        add={async userId => {
          orThrow(await app.addTeamMemberById({ teamId, userId }))
          setTyped('')
        }}
      />
      {found.status === 'ready' && others.length === 0 && (
        <p className="dim" role="status">
          {`No user outside of the team matches “${query}”.`}
        </p>
      )}
    </>
  )
}
