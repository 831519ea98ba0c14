import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Day } from '../../ui/instant'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { required } from '../../ui/use-form'
import { DialogButton } from '../../ui/dialog-button'
import { useProject } from '../project/project-context'
import { SettingsForm } from '../settings-form'
import { TeamPage } from './team-page'

/** The teams of the project, or one of them. */
export function Teams({ item }: { readonly item: string | undefined }): ReactNode {
  return item === undefined ? <TeamList /> : <TeamPage key={item} teamId={item} />
}

function TeamList(): ReactNode {
  const { app, base } = useProject()
  return (
    <>
      <div className="auth-row between">
        <PageHeading title="Teams" />
        <DialogButton label="Create a team">{close => <CreateTeamForm onCancel={close} />}</DialogButton>
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

/** Creates a team without members, and opens it. */
function CreateTeamForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  return (
    <SettingsForm
      label="Create a team"
      submit="Create team"
      initial={{ displayName: '' }}
      settings={[{ name: 'displayName', label: 'Name', maxLength: 100, validate: required('Give the team a name.') }]}
      save={async values => {
        const result = await app.createTeamById(values)
        if (result.ok) goTo(`${base}/teams/${result.value.id}`)
        return result
      }}
      onCancel={onCancel}
    />
  )
}
