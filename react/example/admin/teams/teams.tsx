import { useState, type ReactNode } from 'react'
import { orThrow } from 'rxauth'
import { useStore } from 'rxauth/react'
import { useLocation } from 'wouter'
import { TextLink } from '../../ui/button'
import { CopyField } from '../../ui/copy-field'
import { ConfirmButton } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { required } from '../../ui/form'
import { Day } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { FormButton } from '../../ui/settings-form'
import { NameForm } from '../../ui/short-forms'
import { useDebounced } from '../../ui/use-debounced'
import { AddOne } from '../add-one'
import { OwnedKeys } from '../api-keys/owned-keys'
import { Deletion, ItemPage } from '../item-page'
import { useProject } from '../project/project-context'
import { nameOf, UserRow } from '../users/user-row'

/** The teams of the project, or one of them. */
export function Teams({ item }: { readonly item: string | undefined }): ReactNode {
  return item === undefined ? <TeamList /> : <TeamPage key={item} teamId={item} />
}

function TeamList(): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  return (
    <>
      <div className="auth-row between">
        <PageHeading title="Teams" />
        <FormButton
          label="Create a team"
          submit="Create team"
          initial={{ displayName: '' }}
          settings={[
            { name: 'displayName', label: 'Name', maxLength: 100, validate: required('Give the team a name.') },
          ]}
          save={async values => {
            const result = await app.createTeamById(values)
            if (result.ok) goTo(`${base}/teams/${result.value.id}`)
            return result
          }}
        />
      </div>
      <Section title="All teams">
        <StoreList store={app.allTeams$} label="Teams" empty="There are no teams yet.">
          {({ id, displayName, createdAt }) => (
            <Row
              key={id}
              title={<TextLink to={`${base}/teams/${id}`}>{displayName}</TextLink>}
              action={
                <p className="fine dim">
                  Created on <Day at={createdAt} />
                </p>
              }
            />
          )}
        </StoreList>
      </Section>
    </>
  )
}

/** One team: its name, members, keys and deletion. */
function TeamPage({ teamId }: { readonly teamId: string }): ReactNode {
  const { app } = useProject()
  return (
    <ItemPage what="team" id={teamId} store={app.teamById$({ teamId })}>
      {({ displayName, createdAt }) => (
        <>
          <div>
            <PageHeading title={displayName} />
            <p className="dim">
              Created on <Day at={createdAt} />
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
          <Section title="Members">
            <StoreList store={app.teamMembersOf$({ teamId })} label="Members" empty="The team has no members yet.">
              {({ userId, user }) => (
                <UserRow
                  key={userId}
                  user={user}
                  action={
                    <ConfirmButton
                      label="Remove"
                      aria-label={`Remove ${nameOf(user)}`}
                      question="Remove this member?"
                      consequence={`${nameOf(user)} will no longer be a member of ${displayName}, and loses the permissions there.`}
                      answer="Remove member"
                      run={() => app.removeTeamMemberById({ teamId, userId })}
                    />
                  }
                />
              )}
            </StoreList>
            <AddMember teamId={teamId} />
          </Section>
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
      )}
    </ItemPage>
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
